import PushModel
import Testing

@testable import PushJoin

private let second: Int64 = 1_000_000

/// A run of a log named by a letter; without one, records name none. Times are in seconds.
private func run(
  _ log: Character?, _ numbers: ClosedRange<Int64>, at times: ClosedRange<Int64>,
  app: Bool = true, nse: Bool = false
) -> CoverageRun {
  CoverageRun(
    log: logValue(log), first: numbers.lowerBound, last: numbers.upperBound,
    firstAt: times.lowerBound * second, lastAt: times.upperBound * second, holdsApp: app,
    holdsExtension: nse,
    firstReference: RecordReference(
      source: 1, line: UInt32(truncatingIfNeeded: numbers.lowerBound)),
    lastReference: RecordReference(source: 1, line: UInt32(truncatingIfNeeded: numbers.upperBound)))
}

private func logValue(_ log: Character?) -> TextValue {
  log.map { TextValue(code: 100 + UInt32($0.asciiValue ?? 0)) } ?? .absent
}

/// "a 1-5 0...4 1:1 1:5": log, numbers, seconds, and where both ends stand.
private func text(_ runs: [CoverageRun]) -> [String] {
  runs.map { run in
    let log = run.log.code < 2 ? "-" : String(UnicodeScalar(UInt8(run.log.code - 100)))
    return "\(log) \(run.first)-\(run.last) \(run.firstAt / second)...\(run.lastAt / second)"
      + " \(run.firstReference.source):\(run.firstReference.line)"
      + " \(run.lastReference.source):\(run.lastReference.line)"
  }
}

/// What is merged where a window of stored days is joined anew, or a file comes late.
@Suite struct CoverageMergeTests {
  private struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var runs: [CoverageRun]
    var expected: [String]

    init(_ name: String, _ runs: [CoverageRun], _ expected: [String]) {
      testDescription = name
      self.runs = runs
      self.expected = expected
    }
  }

  private static let rows = [
    Row("none", [], []),
    Row("one", [run("a", 1...5, at: 0...4)], ["a 1-5 0...4 1:1 1:5"]),
    Row(
      "numbers that touch", [run("a", 1...5, at: 0...4), run("a", 6...9, at: 90...99)],
      ["a 1-9 0...99 1:1 1:9"]),
    Row(
      "one number is not there", [run("a", 1...5, at: 0...4), run("a", 7...9, at: 6...8)],
      ["a 1-5 0...4 1:1 1:5", "a 7-9 6...8 1:7 1:9"]),
    Row(
      "a late file closes the gap",
      [run("a", 1...5, at: 0...4), run("a", 9...12, at: 8...11), run("a", 6...8, at: 5...7)],
      ["a 1-12 0...11 1:1 1:12"]),
    Row(
      "a late file closes a part of the gap",
      [run("a", 1...5, at: 0...4), run("a", 9...12, at: 8...11), run("a", 7...8, at: 6...7)],
      ["a 1-5 0...4 1:1 1:5", "a 7-12 6...11 1:7 1:12"]),
    Row(
      "numbers of both", [run("a", 1...6, at: 0...5), run("a", 4...9, at: 3...8)],
      ["a 1-9 0...8 1:1 1:9"]),
    Row(
      "one inside of the other", [run("a", 1...9, at: 0...8), run("a", 3...5, at: 2...4)],
      ["a 1-9 0...8 1:1 1:9"]),
    Row(
      "numbers of two logs do not touch",
      [run("a", 1...5, at: 0...4), run("b", 6...9, at: 5...8)],
      ["a 1-5 0...4 1:1 1:5", "b 6-9 5...8 1:6 1:9"]),
    Row(
      "a restored backup has a log of its own, whatever its numbers",
      [run("a", 1...100, at: 0...999), run("b", 1...40, at: 5000...5400)],
      ["a 1-100 0...999 1:1 1:100", "b 1-40 5000...5400 1:1 1:40"]),
    // 864,000 s: ten days later the numbers are lower, under the same id.
    Row(
      "numbers that start again under one id",
      [run("a", 50...100, at: 0...999), run("a", 1...60, at: 864_000...865_000)],
      ["a 1-60 864000...865000 1:1 1:60", "a 50-100 0...999 1:50 1:100"]),
    Row(
      "a clock that goes back by an hour at most",
      [run("a", 1...5, at: 3600...3604), run("a", 6...9, at: 0...3)],
      ["a 1-9 3600...3 1:1 1:9"]),
    Row(
      "a clock that goes back by more",
      [run("a", 1...5, at: 3601...3605), run("a", 6...9, at: 0...3)],
      ["a 1-5 3601...3605 1:1 1:5", "a 6-9 0...3 1:6 1:9"]),
    Row(
      "without an id, numbers that touch",
      [run(nil, 1...5, at: 0...4), run(nil, 6...9, at: 90...99)], ["- 1-9 0...99 1:1 1:9"]),
    Row(
      "without an id, numbers that start again",
      [run(nil, 1...5, at: 0...4), run(nil, 1...3, at: 90...92)],
      ["- 1-5 0...4 1:1 1:5", "- 1-3 90...92 1:1 1:3"]),
    Row(
      "without an id, a restored backup goes on from a lower number",
      [run(nil, 1...9, at: 0...8), run(nil, 4...20, at: 90...106)],
      ["- 1-9 0...8 1:1 1:9", "- 4-20 90...106 1:4 1:20"]),
    Row(
      "without an id, numbers of both in one time",
      [run(nil, 1...6, at: 0...5), run(nil, 4...9, at: 3...8)], ["- 1-9 0...8 1:1 1:9"]),
    Row(
      "at the ends of the numbers",
      [run("a", 1...Int64.max, at: 0...4), run("a", Int64.max...Int64.max, at: 4...4)].map {
        var run = $0
        run.firstReference.line = 1
        run.lastReference.line = 2
        return run
      }, ["a 1-9223372036854775807 0...4 1:1 1:2"]),
  ]

  @Test("runs of one log that touch or overlap are one", arguments: rows)
  private func merges(_ row: Row) {
    // The result does not depend on the order given.
    for shift in 0..<max(row.runs.count, 1) {
      for isReversed in [false, true] {
        var runs = Array(row.runs[shift...] + row.runs[..<shift])
        if isReversed { runs.reverse() }
        CoverageRun.merge(&runs)
        #expect(text(runs) == row.expected, "from \(shift)")
      }
    }
  }

  @Test("a run holds the processes of all its parts, also of one inside of the other")
  func processes() {
    var runs = [
      run("a", 1...9, at: 0...8), run("a", 3...5, at: 2...4, app: false, nse: true),
      run("b", 1...2, at: 0...1, app: false, nse: true), run("b", 3...4, at: 2...3),
      run("c", 1...2, at: 0...1), run("c", 4...5, at: 3...4, app: false, nse: true),
    ]
    CoverageRun.merge(&runs)
    #expect(runs.map(\.holdsApp) == [true, true, true, false])
    #expect(runs.map(\.holdsExtension) == [true, true, false, true])
  }
}

/// What runs the records of a phone make.
@Suite struct CoverageOfRecordsTests {
  private struct Record {
    var log: Character?
    var number: Int64
    var at: Int64
    var name: Word = .deviceHeartbeat
  }

  /// The runs of some records, each on a line of its own, beside those that are stored.
  private func runs(_ lines: [Record], stored: [CoverageRun] = []) -> [CoverageRun] {
    let records = RecordSet()
    records.origins.append(.none)
    for (place, line) in lines.enumerated() {
      var event = EventRecord()
      event.at = line.at * second
      event.sequence = line.number
      event.log = logValue(line.log)
      event.name = Symbol(line.name)
      event.reference = RecordReference(source: 7, line: UInt32(place + 1))
      records.events.append(event)
    }
    var carried = CarriedState()
    carried.runs = stored
    var join = InstallationJoin()
    join.join(
      records, sends: [], events: records.events.indices.map { UInt32($0) }, carried: carried)
    return join.runs
  }

  @Test("a number that is not there ends a run, in whatever order the records stand")
  func gap() {
    let lines = [
      Record(log: "a", number: 3, at: 30), Record(log: "a", number: 1, at: 10),
      Record(log: "a", number: 6, at: 60), Record(log: "a", number: 2, at: 20),
      Record(log: "a", number: 5, at: 50),
    ]
    #expect(text(runs(lines)) == ["a 1-3 10...30 7:2 7:1", "a 5-6 50...60 7:5 7:3"])
  }

  @Test("each log has runs of its own")
  func logs() {
    let lines = [
      Record(log: "a", number: 1, at: 10), Record(log: "b", number: 2, at: 20),
      Record(log: "a", number: 2, at: 30), Record(log: "b", number: 3, at: 40),
    ]
    #expect(text(runs(lines)) == ["a 1-2 10...30 7:1 7:3", "b 2-3 20...40 7:2 7:4"])
  }

  @Test("without an id, a number that is lower than the one before begins a run")
  func withoutLog() {
    let lines = [
      Record(log: nil, number: 8, at: 10), Record(log: nil, number: 9, at: 20),
      Record(log: nil, number: 1, at: 30), Record(log: nil, number: 2, at: 40),
    ]
    #expect(text(runs(lines)) == ["- 8-9 10...20 7:1 7:2", "- 1-2 30...40 7:3 7:4"])
  }

  @Test("a record that says that others were lost links nothing, one without a number neither")
  func lost() {
    let lines = [
      Record(log: "a", number: 1, at: 10), Record(log: "a", number: 2, at: 20, name: .systemLogGap),
      Record(log: "a", number: 3, at: 30), Record(log: "a", number: .min, at: 35),
    ]
    #expect(text(runs(lines)) == ["a 1-1 10...10 7:1 7:1", "a 3-3 30...30 7:3 7:3"])
  }

  @Test("records of a late file close the gap between runs that are stored")
  func late() {
    let stored = [run("a", 1...5, at: 0...4), run("a", 8...9, at: 70...80)]
    let lines = [
      Record(log: "a", number: 6, at: 50, name: .nseDidReceive),
      Record(log: "a", number: 7, at: 60),
    ]
    let found = runs(lines, stored: stored)
    #expect(text(found) == ["a 1-9 0...80 1:1 1:9"])
    #expect(found.map(\.holdsExtension) == [true])
    let half = runs([lines[0]], stored: stored)
    #expect(text(half) == ["a 1-6 0...50 1:1 7:1", "a 8-9 70...80 1:8 1:9"])
    #expect(half.map(\.holdsExtension) == [true, false])
  }
}
