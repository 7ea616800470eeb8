import Foundation
import PushIngest
import PushPipeline
import PushSimulator
import PushStore
import Queries
import TestSupport
import Testing

/// Reading twice changes nothing; neither does the order of files and lines, nor how input is cut or
/// packed.
@Suite struct SameContentTests {
  private let folder: ScratchFolder
  private let seed: UInt64
  private let provider: [String]
  private let device: [String]

  init() throws {
    folder = try ScratchFolder()
    // SEED=n tries another corpus; 51, 62, 66 and 67 once differed in a few rows when files came in
    // several calls.
    seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 41
    print("seed \(seed)")
    let corpus = folder.path + "/corpus"
    _ = try Simulator.run(
      SimulatorConfiguration(notifications: 600, seed: seed, days: 4, lostDeviceEvents: 0.05),
      to: corpus)
    provider = try Self.read(corpus + "/provider.ndjson")
    device = try Self.read(corpus + "/device.ndjson")
    // One key for all databases, or digests could not be compared.
    try Data((0..<16).map { UInt8($0) }).write(to: URL(fileURLWithPath: folder.path + "/key"))
  }

  private static func read(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func write(_ name: String, _ lines: some Sequence<String>) throws -> String {
    let path = folder.path + "/" + name
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Ingests each list of files by a call of its own, and dumps.
  private func dump(
    _ name: String, _ calls: [[String]], batchBytes: Int64 = 1 << 30,
    identifiersAtOnce: Int = 1 << 20, textsAtOnce: Int = 1_000_000
  ) throws -> [String] {
    let path = folder.path + "/" + name + ".db"
    for inputs in calls {
      var options = IngestOptions(inputs: inputs, databasePath: path)
      options.keyPath = folder.path + "/key"
      options.batchBytes = batchBytes
      options.identifiersAtOnce = identifiersAtOnce
      options.textsAtOnce = textsAtOnce
      options.chunkBytes = 1 << 15
      _ = try IngestRun.run(options)
    }
    return try DatabaseDump.lines(path: path)
  }

  private func expectSame(_ found: [String], _ expected: [String], _ what: String) {
    guard found != expected else { return }
    let missing = Set(expected).subtracting(found).sorted()
    let added = Set(found).subtracting(expected).sorted()
    Issue.record(
      """
      \(what), seed \(seed): \(missing.count) rows missing, \(added.count) added; first missing
      \(missing.prefix(12).joined(separator: "\n"))
      first added
      \(added.prefix(12).joined(separator: "\n"))
      """)
  }

  @Test func theOrderOfFilesDoesNotMatter() throws {
    let sends = try write("p.ndjson", provider)
    let events = try write("d.ndjson", device)
    let expected = try dump("both", [[sends, events]])
    #expect(expected.count > 2000)
    expectSame(try dump("turned", [[events, sends]]), expected, "device file first")
    expectSame(try dump("two", [[sends], [events]]), expected, "two calls, sends first")
    expectSame(try dump("two-turned", [[events], [sends]]), expected, "two calls, events first")
  }

  /// Counted by the roll-up, of which parts were taken back and added anew, and from the rows.
  @Test func countsByInstallationAreThoseOfTheRows() throws {
    let events = try write("d.ndjson", device)
    let sends = try write("p.ndjson", provider)
    let counted = try dump("rows", [[sends], [events]]).filter {
      $0.hasPrefix("release_installation|")
    }
    let path = folder.path + "/rows.db"
    let database = try Database(path: path, mode: .write)
    let migration = try #require(
      QueryCatalogue.files.first { $0.path.hasPrefix("schema/v007") }?.text)
    let fill = try #require(migration.range(of: "INSERT INTO release_installation"))
    try database.execute("DELETE FROM release_installation;" + migration[fill.lowerBound...])
    let filled = try DatabaseDump.lines(path: path).filter {
      $0.hasPrefix("release_installation|")
    }
    #expect(counted.count > 200)
    expectSame(counted, filled, "counts by installation")
  }

  @Test func readingAgainAddsNothing() throws {
    let sends = try write("p.ndjson", provider)
    let events = try write("d.ndjson", device)
    let expected = try dump("once", [[sends, events]])
    expectSame(try dump("again", [[sends, events], [sends, events]]), expected, "known files")
    // The same lines under another name and in another order are no known file.
    let copy = try write("copy.ndjson", provider.reversed())
    let eventCopy = try write("copy-d.ndjson", device.reversed())
    expectSame(
      try dump("copies", [[sends, events], [copy, eventCopy]]), expected, "overlapping exports")
  }

  @Test func theOrderOfLinesDoesNotMatter() throws {
    let expected = try dump(
      "straight", [[try write("p.ndjson", provider), try write("d.ndjson", device)]])
    var generator = SeededGenerator(seed: seed)
    let shuffled = try dump(
      "shuffled",
      [
        [
          try write("ps.ndjson", provider.shuffled(using: &generator)),
          try write("ds.ndjson", device.shuffled(using: &generator)),
        ]
      ])
    expectSame(shuffled, expected, "shuffled lines")
  }

  @Test func cuttingFilesAnywhereDoesNotMatter() throws {
    let expected = try dump(
      "whole", [[try write("p.ndjson", provider), try write("d.ndjson", device)]])
    var generator = SeededGenerator(seed: seed)
    let p = Int.random(in: 0...provider.count, using: &generator)
    let d = Int.random(in: 0...device.count, using: &generator)
    let parts = try [
      write("p1.ndjson", provider[..<p]), write("d1.ndjson", device[..<d]),
      write("p2.ndjson", provider[p...]), write("d2.ndjson", device[d...]),
    ]
    expectSame(try dump("parts", [parts]), expected, "cut at \(p) and \(d), one call")
    expectSame(
      try dump("calls", parts.map { [$0] }), expected, "cut at \(p) and \(d), four calls")
  }

  /// An array as `jq -s .` writes it, one line of it, objects printed over lines, no line ends at all,
  /// old line ends, an object inside of another one, and lines of blanks.
  @Test func howObjectsStandInAFileDoesNotMatter() throws {
    let expected = try dump(
      "lines", [[try write("p.ndjson", provider), try write("d.ndjson", device)]])
    func pretty(_ line: String) -> String {
      line.replacing("{\"", with: "{\n  \"").replacing(",\"", with: ",\n  \"")
        .replacing("}", with: "\n}")
    }
    let forms: [(name: String, form: ([String]) -> String)] = [
      ("array", { "[" + $0.joined(separator: ",") + "]" }),
      ("array-lines", { "[\n" + $0.joined(separator: ",\n") + "\n]\n" }),
      ("pretty-array", { "[\n" + $0.map(pretty).joined(separator: ",\n") + "\n]\n" }),
      ("pretty", { $0.map(pretty).joined(separator: "\n") + "\n" }),
      ("joined", { $0.joined() }),
      ("old-line-ends", { $0.joined(separator: "\r") + "\r" }),
      ("wrapped", { "{\"records\":[" + $0.joined(separator: ",\n") + "]}\n" }),
      ("blanks", { $0.joined(separator: "\n  \t\n") + "\n \n" }),
      ("blanks-and-crlf", { "\r\n\t\r\n" + $0.joined(separator: "\r\n \r\n") + "\r\n" }),
    ]
    for (name, form) in forms {
      let files = try [("p", provider), ("d", device)].map { file, lines in
        let path = folder.path + "/\(file)-\(name).json"
        try form(lines).write(toFile: path, atomically: true, encoding: .utf8)
        return path
      }
      let database = folder.path + "/" + name + ".db"
      var options = IngestOptions(inputs: files, databasePath: database)
      options.keyPath = folder.path + "/key"
      options.chunkBytes = 1 << 15
      #expect(try IngestRun.run(options).noted == 0, "\(name)")
      expectSame(try DatabaseDump.lines(path: database), expected, name)
    }
  }

  @Test func howManyBatchesThereAreDoesNotMatter() throws {
    let files = [try write("p.ndjson", provider), try write("d.ndjson", device)]
    let expected = try dump("one", [files])
    expectSame(try dump("many", [files], batchBytes: 1 << 16), expected, "small batches")
    // Each chunk has more different texts than that, so that its batch ends and the tables begin anew.
    expectSame(try dump("texts", [files], textsAtOnce: 1), expected, "new tables of texts")
  }

  /// Sends that name a token only, which no phone registered: ids alone tie them to phones, and not
  /// all ids are looked up at once.
  @Test func howManyIDsAreLookedUpAtOnceDoesNotMatter() throws {
    let nameless = try provider.map { line in
      try line.replacing(Regex(#""(installation_id|device_id)":"[^"]*","#), with: "")
    }
    let silent = device.filter { !$0.contains("\"token\"") && !$0.contains("device_token") }
    let files = [try write("p.ndjson", nameless), try write("d.ndjson", silent)]
    let expected = try dump("all", [files])
    let learned = expected.filter { $0.hasPrefix("installation_token|") }.count
    #expect(learned > 10, "ids tie tokens")
    expectSame(try dump("few", [files], identifiersAtOnce: 50), expected, "fifty at once")
  }

  /// What is tied by time alone may be tied otherwise when more is known; no record may vanish on the
  /// way. Of this corpus five did: the days around what was read show less than all days.
  @Test func noRecordVanishesWhereTiesChange() throws {
    let corpus = folder.path + "/idless"
    _ = try Simulator.run(
      SimulatorConfiguration(
        notifications: 1500, seed: 7, days: 4, lostDeviceEvents: 0.05, idlessSends: 0.2),
      to: corpus)
    var parts: [String: String] = [:]
    for name in ["provider", "device"] {
      let lines = try Self.read(corpus + "/\(name).ndjson")
      for part in 0..<5 {
        parts["\(name) \(part)"] = try write(
          "\(name)\(part).ndjson",
          lines[(lines.count * part / 5)..<(lines.count * (part + 1) / 5)])
      }
    }
    let order = [
      "device 3", "provider 3", "provider 1", "provider 4", "device 2", "provider 0", "device 4",
      "device 1", "provider 2", "device 0",
    ]
    let files = order.compactMap { parts[$0] }
    let expected = try dump("whole", [[corpus + "/provider.ndjson", corpus + "/device.ndjson"]])
    expectSame(try dump("ten", files.map { [$0] }), expected, "ten calls")
  }

  /// Where all lines are kept, the lines of each notification are the same however its records came.
  @Test func theLinesOfNotificationsStayWithThem() throws {
    func lines(_ name: String, _ calls: [[String]]) throws -> [String] {
      let path = folder.path + "/" + name + ".db"
      for inputs in calls {
        var options = IngestOptions(inputs: inputs, databasePath: path)
        options.keyPath = folder.path + "/key"
        options.rawPolicy = .all
        _ = try IngestRun.run(options)
      }
      return try DatabaseDump.keptLines(path: path)
    }
    let half = device.count / 2
    let sends = try write("p.ndjson", provider)
    let early = try write("d1.ndjson", device[..<half])
    let late = try write("d2.ndjson", device[half...])
    let expected = try lines("one", [[sends, early, late]])
    #expect(expected.count > 2000)
    expectSame(try lines("three", [[sends], [early], [late]]), expected, "sends first")
    expectSame(try lines("turned", [[late], [early], [sends]]), expected, "sends last")
  }

  @Test func aLongerVersionOfAFileContinuesWhereItEnded() throws {
    let sends = try write("p.ndjson", provider)
    let expected = try dump("full", [[sends, try write("d.ndjson", device)]])
    let growing = try write("g.ndjson", device[..<(device.count / 2)])
    var first = IngestOptions(inputs: [sends, growing], databasePath: folder.path + "/grow.db")
    first.keyPath = folder.path + "/key"
    _ = try IngestRun.run(first)
    _ = try write("g.ndjson", device)
    let summary = try IngestRun.run(first)
    #expect(summary.linesRead == Int64(device.count - device.count / 2))
    expectSame(
      try DatabaseDump.lines(path: folder.path + "/grow.db"), expected, "a file that grew")
  }

  @Test func everyLineIsAccountedFor() throws {
    var lines = provider
    lines.insert("{\"ts\":\"no time\",\"status\":200}", at: 3)
    lines.insert("", at: 7)
    lines.insert("{not json", at: 11)
    lines.append(lines[0])
    var options = IngestOptions(
      inputs: [try write("bad.ndjson", lines)], databasePath: folder.path + "/bad.db")
    options.keyPath = folder.path + "/key"
    let summary = try IngestRun.run(options)
    #expect(summary.linesRead == Int64(lines.count))
    #expect(summary.noted == 2)
    #expect(summary.skipped == 1)
    #expect(
      summary.kept + summary.duplicate + summary.noted + summary.skipped == summary.linesRead)
    // The planted duplicate, beside those that the simulator plants.
    #expect(summary.duplicate >= 1)
    let database = try Database(path: folder.path + "/bad.db", mode: .read)
    let notes = try database.prepare(
      "SELECT line, field FROM ingest_note WHERE is_line = 1 ORDER BY 1")
    var found: [String] = []
    while try notes.step() { found.append("\(notes.integer(0)) \(notes.text(1))") }
    #expect(found == ["4 ts", "12 line"])
  }

  @Test func nothingPrivateIsStored() throws {
    let sends = try write("p.ndjson", provider)
    let events = try write("d.ndjson", device)
    var options = IngestOptions(inputs: [sends, events], databasePath: folder.path + "/private.db")
    options.keyPath = folder.path + "/key"
    options.rawPolicy = .all
    _ = try IngestRun.run(options)
    let database = try Database(path: folder.path + "/private.db", mode: .read)
    // Stored lines are compressed: they are looked at as text.
    var text = ""
    let blocks = try database.prepare("SELECT id FROM raw_block")
    var ids: [Int64] = []
    while try blocks.step() { ids.append(blocks.integer(0)) }
    for id in ids { for line in try StoredLines(database).lines(block: id) { text += line.text } }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/private.db"))
    var checked = 0
    for line in provider.prefix(200) {
      guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      else { continue }
      var secrets: [String] = []
      if let token = object["device_token"] as? String, token.count >= 32 { secrets.append(token) }
      if let payload = object["payload"] as? [String: Any] {
        if let aps = payload["aps"] as? [String: Any], let alert = aps["alert"] as? [String: Any] {
          for key in ["title", "body"] {
            if let value = alert[key] as? String, value.count > 8 { secrets.append(value) }
          }
        }
        if let url = payload["media-url"] as? String { secrets.append(url) }
      }
      for secret in secrets {
        checked += 1
        #expect(!text.contains(secret), "\(secret) stands in the stored lines")
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) stands in the database")
      }
    }
    #expect(checked > 200)
  }
}
