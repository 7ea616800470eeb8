import Foundation
import PushIngest
import PushPipeline
import PushStore
import TestSupport
import Testing

/// Files that end within a line or a record when they are read, and are longer the next time.
@Suite struct GrowingFileTests {
  static let files =
    Repository.files(below: "Tests/Formats") + Repository.files(below: "Tests/PhoneFormats")
  private var formats: FormatFiles

  init() throws {
    formats = try FormatFiles()
    formats.hints.assumedYear = 2026
    formats.hints.assumedTime = SourceHints.time("2026-03-01T11:00:00Z")
  }

  /// All rows, and for each source what was counted of it.
  private func content(_ name: String) throws -> [String] {
    let database = try Database(path: formats.database(name), mode: .read)
    let counts = try database.sources().map { source in
      "\(source.adapter): \(source.linesRead) lines, \(source.kept) kept, \(source.duplicate) "
        + "duplicate, \(source.noted) noted, \(source.skipped) skipped"
    }
    // An origin that no row refers to any more stays when a file comes in two parts.
    return try DatabaseDump.lines(path: formats.database(name)).filter { !$0.hasPrefix("origin|") }
      + counts.sorted()
  }

  private func ingest(_ name: String, _ path: String) throws -> IngestSummary {
    try IngestRun.run(formats.options([path], name))
  }

  private func write(_ bytes: Data, _ path: String) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// Nothing that was read of the half may be left: no record of half a line, no note, no line twice.
  @Test("a file that was cut anywhere when it was read first gives what the whole file gives")
  func cutAnywhere() throws {
    var generator = SeededGenerator(seed: 4)
    for (number, file) in Self.files.enumerated() {
      let content = try Data(contentsOf: URL(fileURLWithPath: FormatFiles.path(file)))
      let name = file.split(separator: "/").last.map(String.init) ?? file
      let folder = formats.folder.path + "/\(number)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/" + name
      try write(content, path)
      _ = try ingest("whole\(number)", path)
      let expected = try self.content("whole\(number)")
      for round in 0..<4 {
        let cut = Int.random(in: 1..<content.count, using: &generator)
        try write(content.prefix(cut), path)
        _ = try ingest("cut\(number)-\(round)", path)
        try write(content, path)
        _ = try ingest("cut\(number)-\(round)", path)
        let found = try self.content("cut\(number)-\(round)")
        #expect(
          found == expected,
          "\(name) cut at \(cut): \(Set(found).symmetricDifference(expected).sorted().prefix(6))")
      }
    }
  }

  @Test("a line without its end waits, and is told of again as long as it does")
  func waits() throws {
    let path = formats.folder.path + "/gorush.log"
    let content = try Data(
      contentsOf: URL(fileURLWithPath: FormatFiles.path("Tests/Formats/gorush-string.log")))
    let lines = content.split(separator: 0x0A).count
    try write(content.dropLast(30), path)
    let first = try ingest("waits", path)
    #expect(first.waiting.map(\.source) == [path])
    #expect(first.waiting.map(\.lines) == [1])
    #expect(Int(first.linesRead) == lines - 1)
    let again = try ingest("waits", path)
    #expect(again.knownSources == 1)
    #expect(again.waiting.map(\.lines) == [1])
    try write(content, path)
    let rest = try ingest("waits", path)
    #expect(rest.waiting.isEmpty)
    #expect(rest.linesRead == 1)
    #expect(rest.kept + first.kept == Int64(lines))
  }

  @Test("what is read although it has no line end: whole JSON, and what will not grow any more")
  func complete() throws {
    let send = try Data(
      contentsOf: URL(fileURLWithPath: FormatFiles.path("Tests/Formats/send-log.ndjson")))
    let path = formats.folder.path + "/send.ndjson"
    try write(send.prefix(while: { $0 != 0x0A }), path)
    let plain = try ingest("json", path)
    #expect(plain.kept == 1)
    #expect(plain.waiting.isEmpty)
    // The same line, with its end and another one: it is not counted twice.
    try write(send.prefix(while: { $0 != 0x0A }) + Data("\n\n".utf8), path)
    _ = try ingest("json", path)
    let stored = try Database(path: formats.database("json"), mode: .read).sources()
    #expect(stored.map(\.linesRead) == [2])
    #expect(stored.map(\.kept) == [1])
    #expect(stored.map(\.duplicate) == [0])
    #expect(stored.map(\.skipped) == [1])

    let text = formats.folder.path + "/gorush.log"
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: FormatFiles.path("Tests/Formats/gorush-string.log")))
    try write(whole.dropLast(1), text)
    let lines = whole.split(separator: 0x0A).count
    #expect(try Int(ingest("plain", text).kept) == lines - 1)
    #expect(system("gzip -k '\(text)'") == 0)
    let packed = try ingest("packed", text + ".gz")
    #expect(Int(packed.kept) == lines)
    #expect(packed.waiting.isEmpty)
  }
}
