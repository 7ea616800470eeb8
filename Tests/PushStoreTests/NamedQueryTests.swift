import Foundation
import PushModel
import Queries
import TestSupport
import Testing

@testable import PushStore

private func written(
  _ name: String, _ parameters: [(name: String, value: String)] = [], on database: Database,
  as format: QueryWriter.Format
) throws -> String {
  var bytes: [UInt8] = []
  let query = try NamedQuery(name)
  try QueryWriter { bytes.append(contentsOf: $0) }
    .write(query.rows(on: database, parameters), format: format)
  return String(decoding: bytes, as: UTF8.self)
}

/// Two notifications: one with everything, one of which only device records are known.
private func twoNotifications() throws -> StoreFixture {
  let fixture = try StoreFixture()
  try fixture.installation(1, device: "phone-1", logs: true)
  var broken = StoreFixture.Row(key: 1, at: StoreFixture.midnight + 29_702_000_123)
  broken.meant = 2 | 4 | 64
  broken.judgement = 1
  broken.step = "media-download"
  broken.cause = "media_http_status"
  broken.confidence = 1
  broken.stage = 4
  broken.events = 3
  broken.notificationID = "say \"hi\", \u{e9}"
  broken.apnsID = "5B0F4C1E-7A39-4D58-9A60-2F1D6C0BE1AA"
  broken.collapseID = "chat-1"
  try fixture.insert(broken)
  var unclear = StoreFixture.Row(key: 2, at: StoreFixture.midnight + 1, installation: 2)
  unclear.judgement = 2
  unclear.step = "path-to-device"
  unclear.sends = 0
  unclear.status = nil
  unclear.events = 1
  unclear.stage = 0
  unclear.needs = 1 | 1 << 29
  unclear.version = nil
  unclear.build = nil
  unclear.requestID = "R-1"
  try fixture.insert(unclear)
  return fixture
}

@Test func verdictsAreOneObjectALineWithTheAgreedKeysInOrder() throws {
  let fixture = try twoNotifications()
  let lines = try written("verdicts", on: fixture.database, as: .ndjson)
  #expect(
    lines == """
      {"notification_id":"say \\"hi\\", \u{e9}",\
      "apns_id":"5B0F4C1E-7A39-4D58-9A60-2F1D6C0BE1AA","collapse_id":"chat-1",\
      "request_id":"chat-1","device_id":"phone-1","sent_at":"2026-11-29T08:15:02.000123Z",\
      "app_version":"5.1.0","build":"5101","expects":["modified","media","sound"],\
      "step":"media-download","cause":"media_http_status","confidence":"likely",\
      "undetermined":false,"needs":[],"stage":"extension-ran"}
      {"notification_id":null,"apns_id":null,"collapse_id":null,"request_id":"R-1",\
      "device_id":null,"sent_at":null,"app_version":null,"build":null,"expects":["plain"],\
      "step":null,"cause":null,"confidence":null,"undetermined":true,\
      "needs":["send.response","events.extension"],"stage":"none"}

      """)
}

@Test func verdictsNameEveryMeaningNeedAndStage() throws {
  struct Verdict: Decodable {
    var expects: [String]
    var needs: [String]
    var stage: String
  }
  let fixture = try StoreFixture()
  var texts: [(expects: [String], needs: [String], stage: String)] = []
  func add(meant: Meaning, needs: Needs, stage: Stage) throws {
    var row = StoreFixture.Row(key: Int64(texts.count), at: StoreFixture.midnight)
    row.meant = Int(meant.rawValue)
    row.needs = Int64(needs.rawValue)
    row.stage = Int(stage.rawValue)
    try fixture.insert(row)
    texts.append((meant.texts, needs.all.map(\.text), stage.text))
  }
  for need in Need.allCases { try add(meant: .plain, needs: Needs(need), stage: .sent) }
  for (meaning, _) in Meaning.words { try add(meant: meaning, needs: [], stage: .sent) }
  for stage in Stage.allCases { try add(meant: .plain, needs: [], stage: stage) }
  let all = Meaning.words.reduce(into: Meaning()) { $0.insert($1.meaning) }
  try add(
    meant: all, needs: Need.allCases.reduce(into: Needs()) { $0.insert(Needs($1)) }, stage: .acted)
  let lines = try written("verdicts", on: fixture.database, as: .ndjson).split(separator: "\n")
  let found = try lines.map { try JSONDecoder().decode(Verdict.self, from: Data($0.utf8)) }
  #expect(found.map(\.expects) == texts.map(\.expects))
  #expect(found.map(\.needs) == texts.map(\.needs))
  #expect(found.map(\.stage) == texts.map(\.stage))
}

@Test func missingEvidenceIsNamed() throws {
  struct Row: Decodable, Equatable {
    var needs: [String]
    var step: String?
    var stage: String
    var notifications: Int
  }
  let fixture = try StoreFixture()
  var expected: [Row] = []
  func add(_ needs: Needs, _ stage: Stage, count: Int = 1) throws {
    for _ in 0..<count {
      var row = StoreFixture.Row(key: Int64(expected.count), at: StoreFixture.midnight)
      row.judgement = 2
      row.needs = Int64(needs.rawValue)
      row.stage = Int(stage.rawValue)
      row.key = try fixture.database.scalar("SELECT count(*) FROM notification") ?? 0
      try fixture.insert(row)
    }
    expected.append(
      Row(needs: needs.all.map(\.text), step: nil, stage: stage.text, notifications: count))
  }
  // Most wanted first, then by the bits.
  try add([Needs(.eventsExtension), Needs(.sendResponse)], .received, count: 3)
  for stage in Stage.allCases { try add([], stage) }
  for need in Need.allCases { try add(Needs(need), .sent) }
  try add(Need.allCases.reduce(into: Needs()) { $0.insert(Needs($1)) }, .acted)
  let text = try written(
    "missing_evidence", [("day", "2026-11-29")], on: fixture.database, as: .ndjson)
  let found = try text.split(separator: "\n").map {
    try JSONDecoder().decode(Row.self, from: Data($0.utf8))
  }
  #expect(found == expected)
}

@Test func jsonHoldsVersionColumnsAndRows() throws {
  struct Result: Decodable {
    struct Column: Decodable {
      var name: String
      var type: String
    }
    struct Row: Decodable {
      var sent_at: String?
      var undetermined: Bool
    }
    var version: Int
    var query: String
    var columns: [Column]
    var rows: [Row]
  }
  let text = try written("verdicts", on: twoNotifications().database, as: .json)
  let result = try JSONDecoder().decode(Result.self, from: Data(text.utf8))
  #expect(result.version == 1)
  #expect(result.query == "verdicts")
  #expect(result.columns.count == 15)
  #expect(result.columns.first { $0.name == "sent_at" }?.type == "time")
  #expect(result.rows.map(\.sent_at) == ["2026-11-29T08:15:02.000123Z", nil])
  #expect(result.rows.map(\.undetermined) == [false, true])
}

@Test func csvQuotesWhatNeedsQuotes() throws {
  let text = try written("verdicts", on: twoNotifications().database, as: .csv)
  let lines = text.split(separator: "\n")
  #expect(lines.count == 3)
  #expect(lines[0].hasPrefix("notification_id,apns_id,collapse_id,"))
  #expect(lines[1].hasPrefix("\"say \"\"hi\"\", \u{e9}\",5B0F4C1E-"))
  #expect(lines[1].contains(",\"[\"\"modified\"\",\"\"media\"\",\"\"sound\"\"]\",media-download,"))
  #expect(lines[2].hasPrefix(",,,R-1,,,,,"))
}

@Test func textIsAlignedAndLetsNothingMoveTheCursor() throws {
  let fixture = try StoreFixture()
  try fixture.source(1, "logs/a\u{1b}[2J.ndjson", noted: 2)
  let text = try written("coverage_by_source", on: fixture.database, as: .text)
  #expect(!text.contains("\u{1b}"))
  #expect(text.contains("logs/a\u{fffd}[2J.ndjson"))
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  #expect(lines[0].hasPrefix("id  name "))
  #expect(lines[1].hasPrefix("--  ----"))
  #expect(lines[2].hasPrefix(" 1  logs/"))
  #expect(lines[2].contains(" 0.2"))
  #expect(text.hasSuffix("\n1 row\n"))
}

@Test func aResultTableHoldsValuesByColumn() throws {
  let fixture = try StoreFixture()
  try fixture.answer(3, status: 410, reason: "Unregistered")
  try fixture.answer(5, status: 200)
  try fixture.answer(2, status: -1, link: 3)
  let table = try NamedQuery("refusals-by-reason").table(
    on: fixture.database, [(name: "day", value: "2026-11-29")])
  #expect(table.rows.count == 1)
  #expect(table[0, "status"] == .integer(410))
  #expect(table[0, "reason"] == .text("Unregistered"))
  // 3 of the 8 that were sent.
  #expect(table[0, "refused_share"] == .real(0.375))
  #expect(table[0, "nothing"] == nil)
}

@Test func wrongNamesAndParametersAreTold() throws {
  let database = try StoreFixture().database
  #expect {
    try NamedQuery("verdict")
  } throws: { error in
    guard case QueryProblem.unknownQuery("verdict", let known) = error else { return false }
    return known.contains("verdicts")
  }
  let query = try NamedQuery("refusals_by_reason")
  #expect {
    try query.rows(on: database)
  } throws: { error in
    guard case QueryProblem.missingParameter(let parameter, _) = error else { return false }
    return parameter.name == "day"
  }
  #expect(throws: QueryProblem.unknownParameter("days", query: query.header.name, known: ["day"])) {
    try query.rows(on: database, [(name: "days", value: "2026-11-29")])
  }
  #expect {
    try query.rows(on: database, [(name: "day", value: "yesterday")])
  } throws: { error in
    guard case QueryProblem.illTypedParameter(_, "yesterday", _) = error else { return false }
    return true
  }
  #expect(throws: QueryProblem.repeatedParameter("day", query: query.header.name)) {
    try query.rows(
      on: database,
      [(name: "day", value: "2026-11-29"), (name: "day", value: "2026-11-28")])
  }
}

@Test func anOptionalParameterMayBeLeftOut() throws {
  let database = try StoreFixture().database
  let query = try NamedQuery("unlinked_records")
  #expect(try query.table(on: database).rows.isEmpty)
  #expect(try query.table(on: database, [(name: "day", value: "2026-11-29")]).rows.isEmpty)
}

@Test func aConnectionThatMayNotWriteDoesNot() throws {
  let fixture = try StoreFixture()
  try fixture.database.forbidWriting()
  #expect(throws: StoreError.self) {
    try fixture.database.execute("DELETE FROM notification_row")
  }
}
