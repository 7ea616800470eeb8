import CZstd
import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushStore

@Test func aNotificationIsFoundByEveryIdOfTheLadder() throws {
  let fixture = try StoreFixture()
  try fixture.installation(1, device: "phone-1", logs: true)
  var row = StoreFixture.Row(key: 1, at: StoreFixture.midnight)
  row.notificationID = "order-1"
  row.apnsID = "5B0F4C1E-7A39-4D58-9A60-2F1D6C0BE1AA"
  row.collapseID = "chat 'x'"
  row.requestID = "R-1"
  try fixture.insert(row)
  let ids = ["order-1", "5B0F4C1E-7A39-4D58-9A60-2F1D6C0BE1AA", "chat 'x'", "R-1"]
  try fixture.index(ids.map { ($0, row.id) })
  let finder = NotificationFinder(database: fixture.database)
  for id in ids + ["5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa", String(row.id)] {
    let found = try finder.find(id)
    #expect(found.map(\.row) == [row.id], "\(id)")
    #expect(found.first?.match.device == "phone-1", "\(id)")
  }
  for id in ["order-2", "ORDER-1", "", "17"] {
    #expect(try finder.find(id).isEmpty, "\(id)")
  }
}

@Test func aHashThatTwoIdsShareDoesNotMixThemUp() throws {
  let fixture = try StoreFixture()
  var row = StoreFixture.Row(key: 1, at: StoreFixture.midnight)
  row.notificationID = "order-1"
  try fixture.insert(row)
  // As if the hash of another id led here.
  try fixture.index([("order-2", row.id)])
  #expect(try NotificationFinder(database: fixture.database).find("order-2").isEmpty)
}

@Test func aCampaignIdFindsAllPhonesNewestFirst() throws {
  let fixture = try StoreFixture()
  var rows: [StoreFixture.Row] = []
  for key in 0..<3 {
    var row = StoreFixture.Row(
      key: Int64(key), at: StoreFixture.midnight + [20, 30, 10][key], installation: Int64(key + 1))
    row.notificationID = "campaign"
    // The oldest.
    if key == 2 { row.judgement = 1 }
    try fixture.insert(row)
    try fixture.installation(Int64(key + 1), device: "phone-\(key)", logs: false)
    rows.append(row)
  }
  // Two batches wrote them.
  try fixture.index([("campaign", rows[0].id)])
  try fixture.index([("campaign", rows[1].id), ("campaign", rows[2].id)], run: 2)
  let found = try NotificationFinder(database: fixture.database).find("campaign")
  #expect(found.map(\.match.device) == ["phone-1", "phone-0", "phone-2"])
  #expect(found.map(\.match.id) == [rows[1].id, rows[0].id, rows[2].id].map(String.init))
  // The index leads to a row of another id too, which is none of them but is counted where it is not read.
  var other = StoreFixture.Row(key: 9, at: StoreFixture.midnight + 40)
  other.notificationID = "another"
  try fixture.insert(other)
  try fixture.index([("campaign", other.id)], run: 3)
  let finder = NotificationFinder(database: fixture.database)
  let limits = [
    (1, JudgementCounts(asMeant: 1, broken: 1)), (2, JudgementCounts(broken: 1)),
    (3, JudgementCounts()), (4, JudgementCounts()),
  ]
  for (limit, further) in limits {
    let newest = try finder.find("campaign", newest: limit)
    #expect(newest.found == Array(found.prefix(limit)))
    #expect(newest.further == further, "\(limit)")
  }
}

@Test func aStoredLineIsShownBeforeTheSourceAndTheSourceBeforeTheRecord() throws {
  let fixture = try StoreFixture()
  let file = fixture.folder.url.appending(path: "log.ndjson")
  let lines = (1...500).map { "line \($0) " + String(repeating: "x", count: $0 % 7) }
  try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
  // Chunks begin at lines 1 and 301.
  let offset = lines[..<300].reduce(0) { $0 + $1.utf8.count + 1 }
  try fixture.source(3, file.path, chunks: [(0, 1), (Int64(offset), 301)])
  try store(["3\t7\tkept seven", "3\t310\tkept\ttab"], as: 5, in: fixture)

  let finder = try LineFinder(
    database: fixture.database, block: 5, redact: { line, _ in "<\(line)>" })
  func line(_ number: UInt32) throws -> StoredLine {
    try finder.line(RecordReference(source: 3, line: number)) { "record" }
  }
  #expect(
    try line(7) == StoredLine(file: "log.ndjson", line: 7, text: "kept seven", origin: .stored))
  #expect(try line(310).text == "kept\ttab")
  for number in [1, 8, 300, 301, 311, 500] {
    #expect(
      try line(UInt32(number))
        == StoredLine(
          file: "log.ndjson", line: number, text: "<\(lines[number - 1])>", origin: .source))
  }
  #expect(
    try line(501) == StoredLine(file: "log.ndjson", line: 501, text: "record", origin: .record))
  #expect(
    try finder.line(.none) { "a fact" }
      == StoredLine(file: nil, line: 0, text: "a fact", origin: .fact))
}

@Test func aSourceThatIsGoneOrAnotherOneOrPackedIsNotRead() throws {
  let fixture = try StoreFixture()
  let folder = fixture.folder.url
  let changed = folder.appending(path: "changed.ndjson")
  try Data("aaaa\nbbbb\n".utf8).write(to: changed)
  let packed = folder.appending(path: "packed.gz")
  try Data([0x1f, 0x8b, 8, 0, 0, 0, 0x0a, 0x41, 0x0a]).write(to: packed)
  try fixture.source(1, folder.appending(path: "gone.ndjson").path, chunks: [(0, 1)])
  // The second chunk began where no line begins now.
  try fixture.source(2, changed.path, chunks: [(0, 1), (7, 2)])
  try fixture.source(3, packed.path, chunks: [(0, 1)])
  try fixture.source(4, folder.path, chunks: [(0, 1)])
  let finder = try LineFinder(database: fixture.database, block: nil, redact: { line, _ in line })
  for source in 1...4 as ClosedRange<UInt32> {
    let line = try finder.line(RecordReference(source: source, line: 2)) { "record" }
    #expect(line.origin == .record, "source \(source)")
  }
}

@Test func aLineThatCannotBeRedactedIsNotShown() throws {
  let fixture = try StoreFixture()
  let file = fixture.folder.url.appending(path: "log.ndjson")
  try Data("private\n".utf8).write(to: file)
  try fixture.source(1, file.path, chunks: [(0, 1)])
  let finder = try LineFinder(database: fixture.database, block: nil, redact: { _, _ in nil })
  let line = try finder.line(RecordReference(source: 1, line: 1)) { nil }
  #expect(line.text == nil)
}

@Test func aDamagedBlockIsTold() throws {
  let fixture = try StoreFixture()
  try fixture.database.execute(
    "INSERT INTO raw_block (id, dictionary_id, size, lines) VALUES (1, NULL, 10, x'0102')")
  #expect {
    try LineFinder(database: fixture.database, block: 1, redact: { line, _ in line })
  } throws: { ($0 as? StoreError)?.kind == .damaged }
}

/// Stores lines as one compressed block.
private func store(_ lines: [String], as id: Int64, in fixture: StoreFixture) throws {
  let text = Array((lines.joined(separator: "\n") + "\n").utf8)
  var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(text.count))
  let size = ZSTD_compress(&packed, packed.count, text, text.count, 1)
  let statement = try fixture.database.prepare(
    "INSERT INTO raw_block (id, dictionary_id, size, lines) VALUES (\(id), NULL, ?1, ?2)")
  statement.bind(1, Int64(text.count))
  statement.bind(2, blob: Array(packed.prefix(size)))
  try statement.step()
  statement.reset()
}
