import PushModel
import PushPipeline
import PushStore
import TestSupport
import Testing

/// Where the rows and the kept lines of notifications lie, when notifications move or meet.
@Suite struct StoredPlaceTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  private func texts(_ sql: String, of path: String) throws -> [String] {
    let database = try Database(path: path, mode: .read)
    let rows = try database.prepare(sql)
    var found: [String] = []
    while try rows.step() { found.append(rows.text(0)) }
    return found
  }

  // MARK: Ids of rows

  /// Two phones whose ids have the 20 bits in common that stand for a phone in the ids of its rows.
  private static let first = "d6f557c8-bf3f-3c44-b32f-a26beee85eee"
  private static let second = "d247e646-a17c-2a8c-99ff-d86adc0de309"

  private func send(to phone: String, _ id: String, token: String) -> String {
    logs.send("2026-11-20T10:00:00Z", id: id, token: token)
      .replacing(HandWrittenLogs.device, with: phone)
  }

  /// The other 28 bits of a row's id may be the same too; then the later one takes the next id. It was
  /// written over the other phone's.
  @Test func aRowNeverTakesAnotherPhonesPlace() throws {
    let later = send(to: Self.second, "n-2", token: HandWrittenLogs.otherToken)
    try logs.ingest("alone.ndjson", [later])
    let place = try #require(
      try texts("SELECT id FROM notification", of: logs.databasePath).first)
    let other = try HandWrittenLogs()
    try other.ingest("first.ndjson", [send(to: Self.first, "n-1", token: HandWrittenLogs.token)])
    do {
      let database = try Database(path: other.databasePath, mode: .write)
      try database.execute("UPDATE notification_row SET id = \(place)")
    }
    #expect(
      try texts("SELECT count(DISTINCT id >> 43) FROM installation", of: other.databasePath) == [
        "1"
      ])
    try other.ingest("second.ndjson", [later])
    let expected = ["n-1 \(place)", "n-2 \((Int64(place) ?? 0) + 1)"]
    let rows = "SELECT notification_id || ' ' || id FROM notification ORDER BY 1"
    #expect(try texts(rows, of: other.databasePath) == expected)
    // What comes later of the second one finds it there.
    let event = logs.event("2026-11-20T10:00:01Z", 2, "nse.did_receive", id: "n-2")
      .replacing(HandWrittenLogs.device, with: Self.second)
    try other.ingest("event.ndjson", [event])
    #expect(try texts(rows, of: other.databasePath) == expected)
    #expect(
      try texts("SELECT events FROM notification ORDER BY notification_id", of: other.databasePath)
        == ["0", "1"])
  }

  // MARK: Numbers that stand for something else

  /// A timeline whose numbers mean nothing is told, not read beyond the tables that they lead to.
  @Test(
    arguments: [
      ("$.e[0][0]", "70000000"), ("$.e[0][0]", "-1"), ("$.e[0][4]", #"json('{"70000000":1}')"#),
      ("$.e[0][4]", "123456789"), ("$.l[0]", "123456789"),
    ])
  func aTimelineThatIsDamagedIsTold(_ path: String, _ value: String) throws {
    try logs.ingest(
      "event.ndjson",
      [logs.event("2026-11-20T10:00:01Z", 2, "nse.did_receive", attributes: #""attempt":1"#)])
    do {
      let database = try Database(path: logs.databasePath, mode: .write)
      try database.execute(
        "UPDATE notification_row SET timeline = json_set(timeline, '\(path)', \(value))")
    }
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = StoredRows(database: database, pool: TextPool())
    let id = try #require(Int64(try texts("SELECT id FROM notification", of: logs.databasePath)[0]))
    let error = #expect(throws: StoreError.self) {
      _ = try rows.notification(id, into: RecordSet())
    }
    #expect(error?.kind == .damaged)
  }

  // MARK: Kept lines

  private func keptLines(_ id: String = "n-1") throws -> [String] {
    let database = try Database(path: logs.databasePath, mode: .read)
    let block = try texts(
      "SELECT coalesce(raw_block, 0) FROM notification WHERE notification_id = '\(id)'",
      of: logs.databasePath)
    return try StoredLines(database).lines(block: Int64(block.first ?? "") ?? 0).map(\.text)
  }

  /// What was sent to a token only moves to the phone when that registers the token. Its lines were kept
  /// for the row that is gone then.
  @Test func aNotificationThatMovesKeepsItsLines() throws {
    let refused = logs.send(
      "2026-11-20T10:00:00Z", status: 410, reason: "Unregistered")
    try logs.ingest(
      "sends.ndjson",
      [refused.replacing("\"installation_id\":\"\(HandWrittenLogs.device)\",", with: "")])
    let before = try keptLines()
    #expect(before.count == 1)
    #expect(before.first?.contains("Unregistered") == true)
    try logs.ingest(
      "device.ndjson", [logs.registered("2026-11-19T10:00:00Z", 1, HandWrittenLogs.token)])
    #expect(
      try texts("SELECT device_id FROM installation", of: logs.databasePath)
        == [HandWrittenLogs.device])
    #expect(try keptLines() == before)
  }

  /// Records of both sides, each kept before, come together by an id: both sides' lines stay.
  @Test func aNotificationOfTwoKeepsTheLinesOfBoth() throws {
    var options = IngestOptions(inputs: [], databasePath: logs.databasePath)
    options.rawPolicy = .all
    func ingest(_ name: String, _ line: String) throws {
      options.inputs = [try logs.write(name, [line])]
      _ = try IngestRun.run(options)
    }
    try ingest("event.ndjson", logs.event("2026-11-20T10:00:01Z", 2, "nse.did_receive"))
    try ingest("send.ndjson", logs.send("2026-11-20T10:00:00Z"))
    try ingest("late.ndjson", logs.event("2026-11-20T10:00:02Z", 3, "nse.will_expire"))
    let lines = try keptLines()
    #expect(lines.map { $0.contains("\"status\"") } == [true, false, false])
    #expect(lines.filter { $0.contains("nse.did_receive") }.count == 1)
    #expect(lines.filter { $0.contains("nse.will_expire") }.count == 1)
  }
}
