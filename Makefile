# `make demo` shows what the program does, `make test` proves that it does it. Both install what is missing.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.PHONY: demo test release packages lint format docs record fuzz clean
.DEFAULT_GOAL := test

strict := -Xswiftc -warnings-as-errors
formatted := Sources Tests Queries Reports Package.swift
pushtriage := .build/release/pushtriage

# The summary of the tests is the last line of the output.
test: packages release
	@.ci/packages test
	swift build --build-tests $(strict)
	swift test --skip-build --parallel $(strict)

# Twenty thousand notifications with planted faults, and the three answers about them.
demo: packages release
	rm -rf demo
	mkdir demo
	$(pushtriage) simulate --notifications 20000 --seed 7 --output demo/corpus
	@# Exit code 2: some planted lines are not meant to be understood.
	$(pushtriage) ingest demo/corpus/provider.ndjson demo/corpus/device.ndjson demo/corpus/facts.json \
	  --db demo/push.db \
	  || [[ $$? -eq 2 ]]
	$(pushtriage) report daily --db demo/push.db --format html --output demo/report.html
	id=$$($(pushtriage) query verdicts --db demo/push.db --format ndjson \
	  | sed -n '/"step":"/{s/.*"notification_id":"\([^"]*\)".*/\1/p;q}'); \
	  $(pushtriage) triage "$$id" --db demo/push.db | tee demo/triage.txt
	$(pushtriage) compare 5.1.0 5.2.0 --db demo/push.db | tee demo/compare.txt
	@echo
	@echo "The logs are in demo/corpus, the database is demo/push.db."
	@echo "Open demo/report.html; the other two answers are in demo/triage.txt and demo/compare.txt."

# The Swift runtime is linked in, so the program needs the packages' shared libraries and no toolchain.
release: packages
	swift build -c release --product pushtriage --static-swift-stdlib $(strict)

packages:
	@.ci/packages

lint:
	swift format lint --strict --recursive $(formatted)

format:
	swift format --in-place --recursive $(formatted)

# Refreshes the generated pages.
docs: packages
	swift build --product pushtriage $(strict)
	.build/debug/pushtriage docs

# Accepts what the program prints now as expected output; read the difference before you commit it.
record: packages
	RECORD=1 swift test $(strict) --filter CommandTests

# Fuzzes every reader of others' bytes for ten seconds; SECONDS_EACH=60 for longer.
fuzz: packages
	Fuzz/run $${SECONDS_EACH:-10}

clean:
	rm -rf .build Fuzz/.build Benchmarks/.build demo
