import Foundation
import PushIngest
import PushModel
import PushPipeline
import PushStore
import TestSupport
import Testing

/// The formats of senders and gateways: what small files of each are read as, and that the story that
/// they all tell (one order, `Tests/Formats/`) comes out as one.
@Suite struct ProviderFormatTests {
  static let files = Repository.files(below: "Tests/Formats")
  private let formats: FormatFiles

  init() throws { formats = try FormatFiles() }

  private func expectSame(_ found: [String], _ expected: [String], _ what: String) {
    guard found != expected else { return }
    let missing = Set(expected).subtracting(found).sorted()
    let added = Set(found).subtracting(expected).sorted()
    Issue.record(
      """
      \(what): \(missing.count) rows missing, \(added.count) added
      \(missing.prefix(8).joined(separator: "\n"))
      added
      \(added.prefix(8).joined(separator: "\n"))
      """)
  }

  // MARK: Each format

  @Test(
    "a file that is broken off in its last record is still what it is, and loses that record alone")
  func brokenOff() throws {
    for (file, cut, records) in [
      ("fcm-bigquery-array.json", 7, 1), ("amazon-sns-insights.csv", 7, 1),
      ("amazon-sns.ndjson", 7, 4),
    ] {
      let text = try Repository.text(of: "Tests/Formats/" + file)
      let path = formats.folder.path + "/" + file
      let trimmed = Array(text.utf8).reversed().drop { $0 <= 0x20 }.reversed().dropLast(cut)
      try Data(trimmed).write(to: URL(fileURLWithPath: path))
      let source = try #require(try DryRun.run(formats.options([path], "none")).sources.first)
      let whole = try #require(
        try DryRun.run(formats.options([FormatFiles.path("Tests/Formats/" + file)], "none"))
          .sources.first)
      #expect(source.format == whole.format, "\(file)")
      #expect(source.records == records, "\(file)")
    }
  }

  @Test(arguments: files) func aSmallFileGivesTheseRecords(file: String) throws {
    try formats.expectGolden(file, in: "formats")
  }

  @Test func nothingPrivateIsInTheDatabase() throws {
    try formats.expectNone(
      of: [
        "46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78",
        "51c435c3a019fe20a9d5fc60012b9a81865c2228dc42ea9d62af58162667162b",
        "51C435C3A019FE20A9D5FC60012B9A81865C2228DC42EA9D62AF58162667162B",
        "RlCaAxK869nCTMAGVHvcGUaVGrGjCFFqtDOfyTFU73g=", "parcel", "!q:example.org", "u-77",
        "cart opened", "cYh2Qe9nT0uJ4pXw7ZsLkm", "c0ffee00-1111-4222-8333-444455556666",
      ], from: Self.files)
  }

  // MARK: Order and cuts

  @Test func neitherOrderNorChunksNorPackingMatter() throws {
    let inputs = Self.files.map(FormatFiles.path)
    let expected = try formats.dump("straight", [inputs])
    #expect(expected.count > 60)
    expectSame(try formats.dump("turned", [inputs.reversed()]), expected, "files in reverse order")
    expectSame(try formats.dump("again", [inputs, inputs]), expected, "read twice")
    for bytes in [64, 700, 4096] {
      expectSame(
        try formats.dump("chunks\(bytes)", [inputs], chunkBytes: bytes), expected,
        "chunks of \(bytes)")
    }
  }

  /// A file that is cut behind any of its lines, within a record or not, and grows to its whole
  /// length gives the records of the whole file. What it was not understood for meanwhile stays.
  @Test(arguments: files) func aFileThatGrewGivesWhatTheWholeFileGives(file: String) throws {
    let content = try Data(contentsOf: URL(fileURLWithPath: FormatFiles.path(file)))
    let name = file.split(separator: "/").last.map(String.init) ?? file
    func records(_ rows: [String]) -> [String] { rows.filter { !$0.hasPrefix("ingest_note") } }
    let expected = records(try formats.dump("whole", [[FormatFiles.path(file)]]))
    for (round, newline) in content.indices.filter({ content[$0] == 0x0A }).enumerated() {
      guard newline + 1 < content.count, round < 24 else { continue }
      let copy = formats.folder.path + "/grown\(round)"
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
      let grown = copy + "/" + name
      try content.prefix(newline + 1).write(to: URL(fileURLWithPath: grown))
      // Too short to be recognised, it is read as of no known format, and so are its first lines.
      guard try DryRun.run(formats.options([grown], "none")).sources.first?.format != nil else {
        continue
      }
      _ = try formats.dump("grown\(round)", [[grown]])
      try content.write(to: URL(fileURLWithPath: grown))
      expectSame(
        records(try formats.dump("grown\(round)", [[grown]])), expected,
        "\(name) cut behind \(newline)")
    }
  }

  // MARK: The story

  private struct Row: Equatable {
    var device: String
    var sends: Int64
    var events: Int64
    var isGuess: Bool
  }

  /// The phone's own log: it was registered with the token, ran the extension for the collapse id,
  /// and logged what each vendor's payload carries as its id.
  private static let phone: [String] = {
    func line(_ at: String, _ event: String, _ rest: String) -> String {
      "{\"ts\":\"2026-03-01T\(at)Z\",\"event\":\"\(event)\",\"device_id\":\"inst-1\","
        + "\"bundle_id\":\"com.example.courier\",\(rest)}"
    }
    let token = "46509a0312bcebd9c24cc006547bdc1946951ab1a308516ab4339fc93154ef78"
    var lines = [
      line("09:00:00", "app.registered", "\"attrs\":{\"device_token\":\"\(token)\"}"),
      line("10:00:02.6", "nse.did_receive", "\"request_id\":\"order-48213\""),
      line("10:00:02.9", "nse.handler.called", "\"request_id\":\"order-48213\""),
    ]
    for id in vendorIDs.keys.sorted() {
      lines.append(line("10:01:00", "app.opened", "\"notification_id\":\"\(id)\""))
    }
    return lines
  }()

  /// Ids of the story by vendor, and the least number of sends that tell of each.
  private static let vendorIDs = [
    "1772359200312044": 1, "d4c3b2a1-0f9e-4d8c-b7a6-5e4f3d2c1b0a": 1,
    "7c0de5a1-1b2c-4d3e-8f90-a1b2c3d4e5f6": 1, "c1/a1": 1, "912": 1,
    "9d2a6f0c-55b1-5f0e-8a37-3b1c0f7e2d44": 1, "order-48213": 1,
  ]

  @Test func theStoryOfOneOrderJoins() throws {
    let phone = formats.folder.path + "/phone.ndjson"
    try (Self.phone.joined(separator: "\n") + "\n").write(
      toFile: phone, atomically: true, encoding: .utf8)
    _ = try IngestRun.run(formats.options(Self.files.map(FormatFiles.path) + [phone], "story"))
    let database = try Database(path: formats.database("story"), mode: .read)
    func rows(_ condition: String) throws -> [Row] {
      let statement = try database.prepare(
        """
        SELECT i.device_id, n.sends, n.events, n.link IN (6, 7) FROM notification n \
        JOIN installation i ON i.id = n.installation_id WHERE i.device_id = 'inst-1' AND \
        \(condition)
        """)
      var rows: [Row] = []
      while try statement.step() {
        rows.append(
          Row(
            device: statement.text(0), sends: statement.integer(1), events: statement.integer(2),
            isGuess: statement.integer(3) != 0))
      }
      return rows
    }
    for (id, sends) in Self.vendorIDs {
      let found = try rows("n.notification_id = '\(id)'")
      #expect(found.count == 1, "\(id): \(found)")
      #expect((found.first?.sends ?? 0) >= sends, "\(id): \(found)")
      #expect((found.first?.events ?? 0) >= 1, "\(id): \(found)")
      #expect(found.first?.isGuess == false, "\(id): \(found)")
    }
    // The sender's own log, two libraries' results and sygnal tell of one request.
    let request = try rows("n.apns_id = '5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa' COLLATE NOCASE")
    #expect(request.count == 1, "\(request)")
    #expect((request.first?.sends ?? 0) >= 4, "\(request)")
    // The extension's two records, by the collapse id.
    #expect((request.first?.events ?? 0) >= 2, "\(request)")
    #expect(request.first?.isGuess == false, "\(request)")
  }

  /// What a gateway took is not what APNs took (F1.64).
  @Test func aGatewaysOwnAnswerIsNotThatOfAPNs() throws {
    _ = try IngestRun.run(formats.options(Self.files.map(FormatFiles.path), "answers"))
    let database = try Database(path: formats.database("answers"), mode: .read)
    func stages(_ id: String) throws -> Set<Int64> {
      let statement = try database.prepare(
        "SELECT stage FROM notification WHERE notification_id = '\(id)'")
      var stages: Set<Int64> = []
      while try statement.step() { stages.insert(statement.integer(0)) }
      return stages
    }
    // 1 sent, 2 accepted. SNS and gorush tell what APNs answered; Pinpoint's refusal never got there.
    #expect(try stages("order-48213") == [2])
    #expect(try stages("order-48214") == [1])
    #expect(try stages("9d2a6f0c-55b1-5f0e-8a37-3b1c0f7e2d44") == [1, 2])
    #expect(try stages("c1/a2") == [1])
    #expect(try stages("912") == [2])
    #expect(try stages("913") == [1])
  }
}
