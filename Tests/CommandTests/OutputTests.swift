import Foundation
import Synchronization
import TestSupport
import Testing

@testable import pushtriage

@Test func aReaderThatWentAwayIsNotAnError() throws {
  let run = try BuiltProgram.pushtriage.run(["--help"], output: .closedPipe)
  #expect(run.error == "")
  #expect(run.exitCode == 0)
}

@Test func aFullDeviceIsAnError() throws {
  let run = try BuiltProgram.pushtriage.run(["--help"], output: .file("/dev/full"))
  #expect(
    run.error
      == "error: cannot write 'standard output'\nreason: no space left on device\n")
  #expect(run.exitCode == 1)
}

@Test func anOutputFileInAFolderThatIsNotThereIsAnError() throws {
  let run = try BuiltProgram.pushtriage.run(["query", "--list", "-o", "nowhere/list.txt"])
  #expect(
    run.error
      == "error: cannot write 'nowhere/list.txt'\nreason: no such file or directory\n")
  #expect(run.exitCode == 1)
}

@Test func aFileAppearsOnlyWhenItIsComplete() throws {
  let scratch = try ScratchFolder()
  let path = scratch.url.appending(path: "report.html").path
  try Data("old".utf8).write(to: URL(fileURLWithPath: path))
  do {
    let writer = try OutputWriter(to: path)
    try writer.write(String(repeating: "half", count: 100_000))
  }
  #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["report.html"])
  #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")

  let writer = try OutputWriter(to: path)
  try writer.write("new")
  try writer.finish()
  #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["report.html"])
  #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
}

@Test func stalePagesAreNamedWithTheCommandThatRefreshesThem() throws {
  let run = try BuiltProgram.pushtriage.run(["docs", "--check", "--output", "Docs"])
  let lines = run.error.split(separator: "\n")
  #expect(lines.first == "error: generated pages are not fresh")
  #expect(lines.dropFirst().first?.hasPrefix("reason: Docs/commands.md, Docs/queries.md") == true)
  #expect(lines.last == "help: run 'make docs'")
  #expect(run.exitCode == 1)
}

@Test func aDiagnosticPrintsItsPartsInOrder() {
  let diagnostic = Diagnostic(
    "cannot read the facts", reason: "a number was expected",
    at: Diagnostic.Place(source: "facts.json", line: 3, text: "\"build\": x", column: 10),
    notes: ["read as JSON"], help: ["write a number"])
  #expect(
    diagnostic.text() == """
      error: cannot read the facts
      reason: a number was expected
      at: facts.json:3
       | "build": x
       |          ^
      note: read as JSON
      help: write a number

      """)
  #expect(diagnostic.text(coloured: true).contains("\u{1B}[1;31merror:\u{1B}[0m cannot"))
}

@Test func quotedValuesShowNoWholeTokenAndNoControlCharacters() {
  let token = String(repeating: "AB01", count: 16)
  #expect(quoted("<\(token)>") == "'<AB01…AB01>'")
  #expect(
    quoted("5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa") == "'5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa'")
  #expect(quoted("a\nb\u{1B}[31m") == "'a�b�[31m'")
}

@Test(arguments: [
  (1_200_000_000, 2_500_000_000, 4.0, "1.2 GB of 2.5 GB, 300 MB/s, 5 s left"),
  (10_000_000, 2_500_000_000, 1.0, "10 MB of 2.5 GB, 10 MB/s, 4 min 9 s left"),
  (1_000_000, 8_000_000_000, 1.0, "1.0 MB of 8.0 GB, 1.0 MB/s, 2 h 13 min left"),
  (999, 2000, 0.1, "999 B of 2.0 kB"),
  (5_000_000, nil, 0.5, "5.0 MB, 10 MB/s"),
  (0, 10, 9.0, "0 B of 10 B"),
])
func progressTellsBytesRateAndTimeLeft(
  _ done: Int, _ total: Int?, _ seconds: Double, _ expected: String
) {
  let text = ProgressLine.text(
    doneBytes: done, totalBytes: total, elapsedNanoseconds: UInt64(seconds * 1e9))
  #expect(text == expected)
}

@Test func progressIsShownOnATerminalOnlyAndAtMostTenTimesASecond() {
  for isTerminal in [true, false] {
    let now = Mutex<UInt64>(0)
    let written = Mutex<[String]>([])
    let line = ProgressLine(
      isTerminal: isTerminal, nowNanoseconds: { now.withLock { $0 } },
      write: { text in written.withLock { $0.append(text) } })
    for _ in 0..<100 {
      now.withLock { $0 += 10_000_000 }
      line.update(doneBytes: 1, totalBytes: 2)
    }
    line.clear()
    line.clear()
    // A hundred updates in a second, and once the line is taken away.
    #expect(written.withLock { $0.count } == (isTerminal ? 11 : 0))
  }
}
