import PushStore
import Testing

/// A send that names no installation, to a token that no phone registered (a call's, a Live
/// Activity's): an id that went to one token only, and that one phone has a record of, ties both
/// sides (F11.10), whichever log is read first.
@Suite struct UnregisteredTokenTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  private func send(_ at: String, token: String = HandWrittenLogs.token) -> String {
    logs.send(at, token: token)
      .replacing("\"installation_id\":\"\(HandWrittenLogs.device)\",", with: "")
  }

  private var device: [String] {
    [
      logs.event("2026-11-20T10:00:01Z", 2, "nse.did_receive"),
      logs.event(
        "2026-11-20T10:00:02Z", 3, "nse.handler.called",
        attributes: #""elapsed_ms":900,"fallback":false,"attachments":1,"count":1"#),
    ]
  }

  /// Sends, events and phone of each row of the id, in order.
  private func rows() throws -> [String] {
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare(
      """
      SELECT n.sends || ' ' || n.events || ' ' || coalesce(i.device_id, 'token only')
      FROM notification AS n JOIN installation AS i ON i.id = n.installation_id
      WHERE n.notification_id = 'n-1' ORDER BY 1
      """)
    var found: [String] = []
    while try rows.step() { found.append(rows.text(0)) }
    return found
  }

  @Test(arguments: [["device", "sends"], ["sends", "device"]])
  func anIDTiesThemInEitherOrder(_ order: [String]) throws {
    for name in order {
      try logs.ingest(
        name + ".ndjson", name == "device" ? device : [send("2026-11-20T10:00:00Z")])
    }
    #expect(try rows() == ["1 2 \(HandWrittenLogs.device)"])
  }

  @Test func anIDThatWentToTwoTokensTiesNeither() throws {
    try logs.ingest("device.ndjson", device)
    try logs.ingest(
      "sends.ndjson",
      [
        send("2026-11-20T10:00:00Z"),
        send("2026-11-20T10:00:00.500Z", token: HandWrittenLogs.otherToken),
      ])
    #expect(
      try rows() == ["0 2 \(HandWrittenLogs.device)", "1 0 token only", "1 0 token only"])
  }

  @Test func anIDThatTwoPhonesHaveTiesNeither() throws {
    let other = "5d2f7c1e-0001-4a7b-9c3d-000000000002"
    try logs.ingest(
      "device.ndjson",
      device + device.map { $0.replacing(HandWrittenLogs.device, with: other) })
    try logs.ingest("sends.ndjson", [send("2026-11-20T10:00:00Z")])
    #expect(
      try rows() == [
        "0 2 \(HandWrittenLogs.device)", "0 2 \(other)", "1 0 token only",
      ])
  }
}
