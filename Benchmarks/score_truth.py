#!/usr/bin/env python3
"""Scores verdicts against the truth of a simulated corpus.

  pushtriage query verdicts --db push.db --format ndjson | Benchmarks/score_truth.py corpus/truth.ndjson

Counts a verdict as right when step and cause are those of the truth. "Decidable" is what truth.ndjson calls so:
every line that tells the cause from its neighbours is in the logs. A definite blame of a notification that is not
decidable, and that is not the planted cause either, is false blame.
"""
import argparse
import collections
import json
import sys
from datetime import datetime


def microseconds(text):
    return None if text is None else round(datetime.fromisoformat(text).timestamp() * 1e6)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("truth")
    arguments.add_argument("verdicts", nargs="?", help="file; standard input if it is not given")
    arguments.add_argument("--worst", type=int, default=0, help="print so many wrong verdicts")
    arguments.add_argument("--cause", help="print only wrong verdicts about this planted cause ('-' for none)")
    options = arguments.parse_args()

    by_id, by_apns, by_collapse, by_time = {}, {}, {}, collections.defaultdict(list)
    by_request = collections.defaultdict(list)
    source = open(options.verdicts) if options.verdicts else sys.stdin
    rows = 0
    for line in source:
        row = json.loads(line)
        rows += 1
        sent = microseconds(row["sent_at"])
        row["sent"] = sent
        if row["notification_id"]:
            by_id[(row["notification_id"], row["device_id"])] = row
            by_id.setdefault((row["notification_id"], None), row)
        if row["apns_id"]:
            by_apns[row["apns_id"].lower()] = row
        if row["request_id"]:
            by_collapse[("request", row["request_id"].lower(), row["device_id"])] = row
            by_request[(row["request_id"].lower(), row["device_id"])].append(row)
        if sent is not None:
            if row["collapse_id"]:
                by_collapse[(row["collapse_id"], sent)] = row
            by_time[sent].append(row)

    def find(truth):
        row = by_id.get((truth["notification_id"], truth["device_id"]))
        if row:
            return row
        for apns in truth["apns_ids"]:
            if apns and apns.lower() in by_apns:
                return by_apns[apns.lower()]
        sent = microseconds(truth["sent_at"])
        row = by_collapse.get((truth["collapse_id"], sent))
        if row:
            return row
        # The row of the send: a device record without any tie to it stands in a row of its own.
        near = [r for r in by_time.get(sent, []) if r["device_id"] in (truth["device_id"], None)]
        if len(near) == 1:
            return near[0]
        if truth["request_id"]:
            row = by_collapse.get(("request", truth["request_id"].lower(), truth["device_id"]))
            if row:
                return row
        # Retries and the sender's own id without a phone.
        return by_id.get((truth["notification_id"], None)) if truth["notification_id"] else None

    # The join: rows that have both sides, against what belongs together.
    joined = {"ids": [0, 0, 0], "no ids": [0, 0, 0]}
    sent_of = {}
    for line in open(options.truth):
        truth = json.loads(line)
        # Of what left no record on its phone the join has nothing to tie.
        if truth["stage"] in ("sent", "accepted"):
            continue
        if truth["request_id"] and not truth["request_id"].startswith("cmp-"):
            kind = "ids" if truth["notification_id"] or truth["apns_ids"] else "no ids"
            key = (truth["request_id"].lower(), truth["device_id"])
            # A collapse id that was used again on this phone names several.
            sent_of[key] = None if key in sent_of else (kind, microseconds(truth["sent_at"]))
    for key, truth in sent_of.items():
        # A silent push and an alert may share a collapse id; the alert is the one that has a request.
        rows = by_request.get(key)
        if truth is None or not rows:
            continue
        joined[truth[0]][0] += 1
        tied = [r for r in rows if r["sent"] is not None and r["stage"] not in ("sent", "accepted")]
        if tied:
            joined[truth[0]][1] += 1
            joined[truth[0]][2] += any(r["sent"] == truth[1] for r in tied)
    for kind, (seen, tied, right) in joined.items():
        if seen:
            print(
                f"join, sends with {kind:7}: {seen} seen on phones, {tied} tied, {right} right: "
                f"precision {right / max(tied, 1):.4%}, recall {right / seen:.4%}")

    total = collections.Counter()
    per = collections.defaultdict(collections.Counter)
    blamed = collections.Counter()
    shown = 0
    for line in open(options.truth):
        truth = json.loads(line)
        total["all"] += 1
        row = find(truth)
        planted = truth["cause"]
        if row is None:
            total["no row, decidable" if truth["decidable"] else "no row, not decidable"] += 1
            continue
        right = (row["step"], row["cause"]) == (truth["step"], planted)
        if planted is None:
            right = row["cause"] is None and not row["undetermined"]
        name = planted or "(as meant)"
        given = row["cause"] or ("(cannot tell)" if row["undetermined"] else "(as meant)")
        wrong = False
        if truth["decidable"]:
            total["decidable"] += 1
            per[name]["decidable"] += 1
            if right:
                total["right"] += 1
                per[name]["right"] += 1
            else:
                per[name]["as " + given] += 1
                wrong = True
                if row["cause"] is not None:
                    total["decidable, other cause"] += 1
        else:
            total["not decidable"] += 1
            if row["cause"] is None:
                total["not decidable: cannot tell" if row["undetermined"] else "not decidable: as meant"] += 1
            elif right:
                total["not decidable: right"] += 1
            else:
                total["not decidable: false blame"] += 1
                blamed[(name, given)] += 1
                wrong = True
        if wrong and shown < options.worst:
            if options.cause in (None, planted or "-"):
                shown += 1
                print(json.dumps({"truth": truth, "row": row}), file=sys.stderr)

    for key, value in total.items():
        print(f"{key:34} {value:9}")
    if total["decidable"]:
        print(f"{'right of decidable':34} {total['right'] / total['decidable']:9.4%}")
    print()
    for name, counts in sorted(per.items(), key=lambda item: item[1]["right"] / item[1]["decidable"]):
        share = counts["right"] / counts["decidable"]
        others = ", ".join(f"{k[3:]} {v}" for k, v in counts.most_common() if k.startswith("as "))
        print(f"{share:8.2%}  {counts['decidable']:7}  {name:34} {others}")
    for (name, given), count in blamed.most_common():
        print(f"false blame {count:4}: {name} called {given}")


if __name__ == "__main__":
    main()
