import Foundation
import PushIngest
import PushPipeline
import PushStore
import TestSupport
import Testing

/// What becomes of a file that was read before, when what is said of it changes.
@Suite struct KnownInputsTests {
  private let formats: FormatFiles

  init() throws { formats = try FormatFiles() }

  private func ingest(
    _ database: String, _ path: String, _ change: (inout IngestOptions) -> Void = { _ in }
  ) throws -> IngestSummary {
    var options = formats.options([path], database)
    change(&options)
    return try IngestRun.run(options)
  }

  private func sources(_ database: String) throws -> [SourceRecord] {
    try Database(path: formats.database(database), mode: .read).sources()
  }

  private func notes(_ database: String) throws -> [String] {
    try DatabaseDump.lines(path: formats.database(database)).filter {
      $0.hasPrefix("ingest_note")
    }
  }

  private static let phoneLog = FormatFiles.path("Tests/PhoneFormats/idevicesyslog.txt")
  private static let sends = FormatFiles.path("Tests/Formats/send-log.ndjson")

  @Test("a log without years is read again once a year is said, and its notes go")
  func year() throws {
    let first = try ingest("year", Self.phoneLog)
    #expect(first.kept == 0)
    #expect(first.noted > 0)
    let then = try ingest("year", Self.phoneLog) { $0.hints.assumedYear = 2026 }
    let alone = try ingest("alone", Self.phoneLog) { $0.hints.assumedYear = 2026 }
    #expect(then.kept == alone.kept)
    #expect(try notes("year") == [])
    #expect(try sources("year").map(\.linesRead) == sources("alone").map(\.linesRead))
    #expect(try sources("year").map(\.noted) == [0])
    #expect(
      try DatabaseDump.lines(path: formats.database("year"))
        == DatabaseDump.lines(path: formats.database("alone")))
    let again = try ingest("year", Self.phoneLog) { $0.hints.assumedYear = 2026 }
    #expect(again.sources == 0)
    #expect(again.knownSources == 1)
  }

  @Test("records that are kept with another year, or in another zone, stay, which is told")
  func contradictions() throws {
    _ = try ingest("kept", Self.phoneLog) { $0.hints.assumedYear = 2026 }
    let before = try DatabaseDump.lines(path: formats.database("kept"))
    let year = try ingest("kept", Self.phoneLog) { $0.hints.assumedYear = 2025 }
    #expect(year.keptOtherwise.map(\.what) == [.year(2026)])
    let zone = try ingest("kept", Self.phoneLog) { $0.hints.assumedZoneSeconds = 7200 }
    #expect(zone.keptOtherwise.map(\.what) == [.zone("UTC")])
    let payloads = try ingest("kept", Self.phoneLog) { $0.keepsPayloads = true }
    #expect(payloads.keptOtherwise.map(\.what) == [.payloads])
    #expect([year, zone, payloads].allSatisfy { $0.linesRead == 0 })
    #expect(try DatabaseDump.lines(path: formats.database("kept")) == before)
    // What is said as it was before, or not said again, is no contradiction.
    let same = try ingest("kept", Self.phoneLog) {
      $0.hints.assumedYear = 2026
      $0.hints.assumedZoneSeconds = 0
    }
    #expect(same.keptOtherwise.isEmpty)
    #expect(try ingest("kept", Self.phoneLog).keptOtherwise.isEmpty)
  }

  @Test("what was said of a log's beginning holds for lines that were added since")
  func saidBefore() throws {
    let content = try Data(contentsOf: URL(fileURLWithPath: Self.phoneLog))
    let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
    let path = formats.folder.path + "/phone.txt"
    try Data(lines.dropLast(4).joined(separator: [0x0A]) + [0x0A]).write(
      to: URL(fileURLWithPath: path))
    _ = try ingest("said", path) {
      $0.hints.assumedYear = 2026
      $0.hints.assumedZoneSeconds = 3600
    }
    try content.write(to: URL(fileURLWithPath: path))
    let rest = try ingest("said", path)
    #expect(rest.kept > 0)
    #expect(rest.noted == 0)
    #expect(try sources("said").map(\.assumedZone) == ["+01:00"])
    #expect(try sources("said").map(\.assumedYear) == [2026])
  }

  @Test("after a format that was wrong, or none, the file is read as it is said now")
  func format() throws {
    let wrong = try ingest("wrong", Self.sends) { $0.adapter = "device-log" }
    #expect(wrong.kept == 0)
    #expect(wrong.noted > 0)
    let right = try ingest("wrong", Self.sends)
    #expect(right.kept == 1)
    #expect(try sources("wrong").map(\.adapter) == ["send-log"])
    #expect(try notes("wrong") == [])

    let words = formats.folder.path + "/words.txt"
    let text = "some words that no format knows, over and over again\n"
    try (text + text + text).write(toFile: words, atomically: true, encoding: .utf8)
    #expect(try ingest("words", words).unrecognised == [words])
    #expect(try ingest("words", words).unrecognised == [words], "as long as nothing else is said")
    let named = try ingest("words", words) { $0.adapter = "send-log" }
    #expect(named.noted == 3)
    #expect(try sources("words").map(\.linesRead) == [3])
  }

  /// Of the sample, two records keep their content under the other name and one does not.
  @Test("other attributes make other records; those that stay the same are duplicates")
  func attributes() throws {
    let path = FormatFiles.path("Tests/Formats/otlp-logs.ndjson")
    let first = try ingest("attributes", path)
    let then = try ingest("attributes", path) {
      $0.hints.attributeNames = ["attempt": "request_id"]
    }
    #expect(first.kept == 3)
    #expect(then.kept == 1)
    #expect(then.duplicate == 2)
    #expect(then.keptOtherwise.map(\.what) == [.attributes])
    #expect(try sources("attributes").map { $0.kept + $0.duplicate + $0.noted } == [4])
  }

  @Test("a packed file is opened again for what failed in it, and not for what was fine")
  func packed() throws {
    let folder = formats.folder.path + "/packed"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in [Self.phoneLog, Self.sends] {
      let name = (path as NSString).lastPathComponent
      try FileManager.default.copyItem(atPath: path, toPath: folder + "/" + name)
    }
    let archive = formats.folder.path + "/logs.tar.gz"
    #expect(system("tar czf '\(archive)' -C '\(folder)' .") == 0)
    let first = try ingest("packed", archive)
    #expect(first.kept == 1)
    #expect(first.noted > 0)
    let same = try ingest("packed", archive)
    #expect(same.knownSources == 1)
    #expect(same.sources == 0)
    let said = try ingest("packed", archive) { $0.hints.assumedYear = 2026 }
    #expect(said.sources == 1)
    #expect(said.knownSources == 1)
    #expect(said.kept > 0)
    #expect(try notes("packed") == [])
  }

  @Test("copies of a file of which nothing was understood stay sources of their own")
  func copies() throws {
    let text = "some words that no format knows, over and over again\n"
    let paths = ["a", "b", "c"].map { formats.folder.path + "/\($0).txt" }
    for path in paths {
      try (text + text).write(toFile: path, atomically: true, encoding: .utf8)
    }
    for _ in 0..<3 { _ = try IngestRun.run(formats.options(paths, "copies")) }
    #expect(try sources("copies").map(\.name) == paths)
    #expect(try sources("copies").map(\.linesRead) == [2, 2, 2])
  }
}
