import Foundation
import TestSupport
import Testing

/// A small corpus of 22 to 29 November, in a database of its own.
private struct Pruned {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for words in [
      ["simulate", "--notifications", "400", "--seed", "5", "-o", "corpus"],
      ["ingest", "corpus/provider.ndjson", "corpus/device.ndjson", "--raw", "all"],
    ] {
      let run = try BuiltProgram.pushtriage.run(words, in: folder.url)
      #expect(run.exitCode == 0, "\(run.error)")
    }
  }

  func run(_ words: String...) throws -> BuiltProgram.Run {
    try BuiltProgram.pushtriage.run(words, in: folder.url)
  }

  /// What a report says but for examples and records that only rows can count.
  func counts(_ date: String) throws -> [String: NSObject] {
    let run = try run("report", "daily", "--date", date, "--format", "json")
    #expect(run.exitCode == 0, "\(run.error)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? NSDictionary
    var counts: [String: NSObject] = [:]
    for key in ["funnel", "judgements", "judgements_by_meant", "breakdowns", "timings"] {
      counts[key] = try #require(object?[key] as? NSObject, "\(key)")
    }
    counts["pruned"] = try #require(object?["pruned"] as? NSObject)
    return counts
  }
}

@Test func pruningKeepsWhatReportsCount() throws {
  let pruned = try Pruned()
  let before = try pruned.counts("2026-11-24")
  let dry = try pruned.run("prune", "--before", "2026-11-26", "--dry-run")
  #expect(dry.exitCode == 0, "\(dry.error)")
  #expect(dry.output.hasPrefix("Older than 2026-11-26, would go:\n"))
  #expect(dry.output.hasSuffix(" of the file would become free. Nothing was changed.\n"))
  #expect(try pruned.counts("2026-11-24") == before)

  let real = try pruned.run("prune", "--before", "2026-11-26", "--shrink")
  #expect(real.exitCode == 0, "\(real.error)")
  func counted(_ text: String) -> [Substring] { text.split(separator: "\n").dropFirst().dropLast() }
  #expect(counted(real.output) == counted(dry.output))
  var after = try pruned.counts("2026-11-24")
  #expect(after["pruned"] == NSNumber(value: true))
  after["pruned"] = NSNumber(value: false)
  #expect(after == before)
  let text = try pruned.run("report", "daily", "--date", "2026-11-24")
  #expect(text.output.contains("were pruned"))
  #expect(try pruned.run("compare", "5.1.0", "5.2.0").exitCode == 0)

  let again = try pruned.run("prune", "--before", "2026-11-26")
  #expect(again.output == "Nothing is older than 2026-11-26.\n")
}

@Test func whatWasPrunedIsSaidWhereItIsMissed() throws {
  let pruned = try Pruned()
  let verdicts = try pruned.run("query", "verdicts", "--format", "ndjson").output
  let oldest = try #require(
    verdicts.split(separator: "\n").first {
      $0.contains("\"sent_at\":\"2026-11-22") && $0.contains("\"apns_id\":\"")
    })
  let id = try #require(
    oldest.firstMatch(of: /"apns_id":"([^"]*)"/).map { String($0.output.1) })
  #expect(try pruned.run("triage", id).exitCode == 0)
  #expect(try pruned.run("prune", "--before", "2026-11-26").exitCode == 0)
  let gone = try pruned.run("triage", id)
  #expect(gone.exitCode == 1)
  #expect(gone.error.contains("note: notifications sent before 2026-11-26 were pruned"))
  let zone = try pruned.run("report", "daily", "--date", "2026-11-24", "--zone", "Asia/Tokyo")
  #expect(zone.exitCode == 1)
  #expect(zone.error.hasPrefix("error: the notifications of 2026-11-24 were pruned\n"))
  let later = try pruned.run("report", "daily", "--date", "2026-11-28", "--zone", "Asia/Tokyo")
  #expect(later.exitCode == 0, "\(later.error)")
  // The same lines under another name.
  try FileManager.default.copyItem(
    at: pruned.folder.url.appending(path: "corpus/provider.ndjson"),
    to: pruned.folder.url.appending(path: "copy.ndjson"))
  let handle = try FileHandle(forWritingTo: pruned.folder.url.appending(path: "copy.ndjson"))
  try handle.truncate(atOffset: 20_000)
  try handle.close()
  let read = try pruned.run("ingest", "copy.ndjson")
  // The cut leaves half a line, which waits for its rest.
  #expect(read.exitCode == 0, "\(read.error)")
  #expect(read.error.contains("1 line without its end waits for the rest"), "\(read.error)")
  #expect(
    read.error.contains("records are of days before 2026-11-26, which were pruned"),
    "\(read.error)")
}

private let wrongUses: [(words: [String], code: Int32, error: String)] = [
  (["prune"], 64, "error: missing argument '--before or --keep'\n"),
  (
    ["prune", "--keep", "30", "--before", "2026-11-26"], 64,
    "error: '--before' and '--keep' exclude each other\n"
  ),
  (["prune", "--keep", "0"], 64, "error: value '0' is invalid for '--keep"),
  (["prune", "--keep", "30", "--db", "none.db"], 1, "error: cannot open the database 'none.db'\n"),
]

@Test(arguments: wrongUses)
func pruningThatCannotBeIsRefused(_ words: [String], _ code: Int32, _ error: String) throws {
  let scratch = try ScratchFolder()
  let run = try BuiltProgram.pushtriage.run(words, in: scratch.url)
  #expect(run.exitCode == code)
  #expect(run.error.hasPrefix(error), "\(run.error)")
  #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
}
