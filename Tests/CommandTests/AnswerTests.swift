import Foundation
import TestSupport
import Testing

@testable import pushtriage

/// A small corpus in a database, made once for all tests of this file.
private final class Answers: Sendable {
  let folder: ScratchFolder
  /// Verdicts as `query verdicts` gives them.
  let verdicts: [Verdict]

  struct Verdict: Decodable, Sendable {
    var notification_id: String?
    var apns_id: String?
    var collapse_id: String?
    var device_id: String?
    var step: String?
    var cause: String?
    var undetermined: Bool
  }

  static let shared = Result { try Answers() }

  private init() throws {
    folder = try ScratchFolder()
    for words in [
      "simulate --notifications 2000 --seed 7 -o corpus",
      "ingest corpus/provider.ndjson corpus/device.ndjson",
    ] {
      let run = try BuiltProgram.pushtriage.run(
        words.split(separator: " ").map(String.init), in: folder.url)
      // Exit code 2: some planted lines are not meant to be understood.
      try #require([0, 2].contains(run.exitCode), "\(run.error)")
    }
    let run = try BuiltProgram.pushtriage.run(
      ["query", "verdicts", "--format", "ndjson"], in: folder.url)
    verdicts = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
    }
  }

  func run(_ words: String...) throws -> BuiltProgram.Run {
    try BuiltProgram.pushtriage.run(words, in: folder.url)
  }
}

private func answers() throws -> Answers { try Answers.shared.get() }

@Test func aBrokenNotificationIsTriagedByItsIdAndByItsApnsIdInAnyCase() throws {
  let answers = try answers()
  let broken = try #require(answers.verdicts.first { $0.step != nil && $0.apns_id != nil })
  let apns = try #require(broken.apns_id)
  let upper = try answers.run("triage", apns.uppercased(), "--format", "json")
  #expect(upper.exitCode == 0, "\(upper.error)")
  let lower = try answers.run("triage", apns.lowercased(), "--format", "json")
  #expect(lower.output.contains("\"\(broken.step ?? "")\""))
  #expect(lower.output.contains("\"\(broken.cause ?? "")\""))
  // They differ in the id that was asked for, and in nothing else.
  #expect(
    upper.output.replacingOccurrences(of: apns.uppercased(), with: apns.lowercased())
      == lower.output.replacingOccurrences(of: apns.uppercased(), with: apns.lowercased()))
}

@Test func anIdOnSeveralPhonesShowsTheNewestAndNamesTheOthers() throws {
  let answers = try answers()
  let groups = Dictionary(grouping: answers.verdicts.filter { $0.notification_id != nil }) {
    $0.notification_id ?? ""
  }
  let shared = try #require(
    groups.values.filter { Set($0.compactMap(\.device_id)).count > 1 }
      .min { ($0[0].notification_id ?? "") < ($1[0].notification_id ?? "") })
  let id = shared[0].notification_id ?? ""
  let any = try answers.run("triage", id)
  #expect(any.exitCode == 0)
  let devices = Set(shared.compactMap(\.device_id)).sorted()
  for device in devices {
    let one = try answers.run("triage", id, "--device", device)
    #expect(one.exitCode == 0, "\(one.error)")
    #expect(one.output.contains("device \(device)"))
    // The letters' case of a UUID does not count.
    let upper = try answers.run("triage", id, "--device", device.uppercased())
    #expect(upper.output == one.output)
  }
  let none = try answers.run("triage", id, "--device", "no-phone")
  #expect(none.exitCode == 1)
  #expect(none.error.hasPrefix("error: the id '\(id)' did not go to the installation 'no-phone'"))
}

@Test(arguments: ["text", "html", "md", "json"])
func everyAnswerComesInEveryFormat(_ format: String) throws {
  let answers = try answers()
  let id = try #require(answers.verdicts.compactMap(\.apns_id).first)
  for words in [["report", "daily"], ["compare", "5.1.0", "5.2.0"], ["triage", id]] {
    let run = try BuiltProgram.pushtriage.run(
      words + ["--format", format], in: answers.folder.url)
    #expect(run.exitCode == 0, "\(words): \(run.error)")
    #expect(run.error == "")
    if format == "json" {
      let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      #expect((object as? [String: Any])?["version"] != nil, "\(words)")
    } else {
      #expect(run.output.count > 500, "\(words)")
    }
  }
}

@Test func everyVerdictIsDecidedOrUndetermined() throws {
  let answers = try answers()
  #expect(answers.verdicts.count >= 2000)
  for verdict in answers.verdicts {
    #expect((verdict.step == nil) == (verdict.cause == nil))
    if verdict.undetermined { #expect(verdict.step == nil) }
  }
}

@Test func aConditionThatHoldsIsAnExitCode() throws {
  let answers = try answers()
  // A week ago nothing was before it, so nothing can be more than usual.
  let first = try answers.run(
    "report", "daily", "--date", "2026-11-22", "--fail-on", "regression", "--fail-on", "new-cause")
  #expect(first.exitCode == 0, "\(first.error)")
  // Sixty causes over two thousand notifications: the last day has some that no other day had.
  let last = try answers.run("report", "daily", "--fail-on", "new-cause")
  #expect(last.exitCode == 3)
  #expect(last.output.contains("Daily failure report"))
}

@Test func aDayOfAnotherZoneIsShownInThatZone() throws {
  let run = try answers().run("report", "daily", "--date", "2026-11-28", "--zone", "Asia/Tokyo")
  #expect(run.exitCode == 0, "\(run.error)")
  #expect(run.output.contains("Day in Asia/Tokyo"))
}

/// What is asked of the small corpus, and the first lines of the answer on standard error.
private let refusals: [(words: [String], error: String)] = [
  (
    ["triage", "no-such-id"],
    "error: no notification has the id 'no-such-id'\nnote: looked for it as"
  ),
  (
    ["report", "daily", "--date", "2020-01-01"],
    """
    error: no notification of 2020-01-01 is in the database
    help: days with notifications (UTC): 2026-11-22 to 2026-11-29

    """
  ),
  (
    ["report", "daily", "--zone", "Pacific/Apia", "--date", "2011-12-30"],
    "error: the zone Pacific/Apia has no day 2011-12-30\n"
  ),
  (
    ["compare", "5.1.0", "9.9.9"],
    "error: no notification of the release '9.9.9' is in the database\nhelp: the releases there are:"
  ),
  (["compare", "5.1.0", "5.1.0"], "error: '5.1.0' is given twice\n"),
  (["compare", "5.1.0", "4.0.0"], "error: no app has both '5.1.0' and '4.0.0'\n"),
  (["compare", "5.1.0", "5.2.0(1)"], "error: no notification of the release '5.2.0(1)'"),
  (
    ["query", "verdict"],
    "error: unknown query 'verdict'\nhelp: the nearest names: verdicts,"
  ),
  (["query", "conflicting"], "error: the query 'conflicting' needs the parameter 'day'\n"),
  (
    ["query", "conflicting", "--param", "day=x"],
    "error: 'x' is no value for the parameter 'day' of the query 'conflicting'\n"
  ),
  (
    ["query", "days", "--param", "day=2026-11-29"],
    "error: the query 'days' has no parameter 'day'\nhelp: it takes none\n"
  ),
  (
    ["report", "daily", "--db", "missing.db"],
    "error: cannot open the database 'missing.db'\nreason: there is no such file\n"
  ),
  (
    ["triage", "x", "--db", "corpus"],
    "error: cannot open the database 'corpus'\nreason: it is a folder\n"
  ),
  (
    ["query", "verdicts", "--db", "corpus/facts.json"],
    "error: 'corpus/facts.json' is not a database of pushtriage\nreason: file is not a database\n"
  ),
]

@Test(arguments: refusals.indices)
func whatCannotBeAnsweredIsOneClearErrorWithWhatToDo(_ place: Int) throws {
  let (words, error) = refusals[place]
  let run = try BuiltProgram.pushtriage.run(words, in: try answers().folder.url)
  #expect(run.exitCode == 1, "\(words)")
  #expect(run.output == "")
  #expect(run.error.hasPrefix(error), "\(run.error)")
  #expect(run.error.split(separator: "\n").count { $0.hasPrefix("error:") } == 1)
  #expect(run.error.contains("\nhelp: "), "\(run.error)")
}

@Test(arguments: [
  ["report", "daily"], ["triage", "x"], ["compare", "1.0", "2.0"],
])
func anEmptyDatabaseSaysSo(_ words: [String]) throws {
  let scratch = try ScratchFolder()
  try Data().write(to: scratch.url.appending(path: "empty.ndjson"))
  let ingest = try BuiltProgram.pushtriage.run(
    ["ingest", "empty.ndjson", "--as", "send-log"], in: scratch.url)
  #expect(ingest.exitCode == 0, "\(ingest.error)")
  let run = try BuiltProgram.pushtriage.run(words, in: scratch.url)
  #expect(run.exitCode == 1)
  #expect(
    run.error == """
      error: the database 'push.db' has no notifications yet
      help: read logs into it: pushtriage ingest <logs> --db <file>

      """)
}

@Test func aFailedAnswerLeavesAnEarlierOneInPlace() throws {
  let answers = try answers()
  let file = answers.folder.url.appending(path: "kept.txt")
  try Data("before".utf8).write(to: file)
  let run = try answers.run("triage", "no-such-id", "--output", "kept.txt")
  #expect(run.exitCode == 1)
  #expect(try String(contentsOf: file, encoding: .utf8) == "before")
}
