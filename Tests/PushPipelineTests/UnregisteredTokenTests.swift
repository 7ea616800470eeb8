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

  private static let collapse = "0B7E41D2-5C3A-4F7B-9D16-2E8A90C4F135"

  /// A send that has a collapse id and none of its own.
  private func collapsing(
    _ at: String, _ collapse: String = Self.collapse, token: String = HandWrittenLogs.token
  ) -> String {
    send(at, token: token)
      .replacing(
        #""apns_id":"9f1c0000-0000-4000-8000-000000000010","notification_id":"n-1""#,
        with: "\"collapse_id\":\"\(collapse)\"")
  }

  /// The phone's records of that: they carry the identifier of the request only.
  private func requested(_ collapse: String = Self.collapse) -> [String] {
    device.map {
      $0.replacing(#""notification_id":"n-1""#, with: "\"request_id\":\"\(collapse)\"")
    }
  }

  /// Ingests named files one after another, `all` as one call.
  private func ingest(_ order: [String], _ files: [String: [String]]) throws {
    for name in order { try logs.ingest(files[name].map { [name: $0] } ?? files) }
  }

  /// Sends, events and phone of each row, in order; of the id alone if there is one.
  private func rows(_ id: String? = "n-1") throws -> [String] {
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare(
      """
      SELECT n.sends || ' ' || n.events || ' ' || coalesce(i.device_id, 'token only')
      FROM notification AS n JOIN installation AS i ON i.id = n.installation_id
      \(id.map { "WHERE n.notification_id = '\($0)'" } ?? "") ORDER BY 1
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

  /// A collapse id that is a UUID is one message's own (F11.7): like an own id it ties both sides, the
  /// token's other sends included.
  @Test(arguments: [["device", "sends"], ["sends", "device"], ["all"]])
  func aUUIDAsCollapseIDTiesThem(_ order: [String]) throws {
    try ingest(
      order,
      [
        "device": requested(),
        "sends": [
          collapsing("2026-11-20T10:00:00Z"),
          collapsing("2026-11-20T11:00:00Z", "0B7E41D2-5C3A-4F7B-9D16-2E8A90C4F136"),
        ],
      ])
    #expect(
      try rows(nil) == ["1 0 \(HandWrittenLogs.device)", "1 2 \(HandWrittenLogs.device)"])
  }

  @Test(arguments: [["device", "sends"], ["sends", "device"], ["all"]])
  func itTiesThemAlsoIfItCameTwice(_ order: [String]) throws {
    try ingest(
      order,
      [
        "device": requested(),
        "sends": [collapsing("2026-11-20T09:00:00Z"), collapsing("2026-11-20T10:00:00Z")],
      ])
    #expect(
      try rows(nil) == ["1 0 \(HandWrittenLogs.device)", "1 2 \(HandWrittenLogs.device)"])
  }

  /// Any other collapse id repeats by design.
  @Test(arguments: [["device", "sends"], ["sends", "device"], ["all"]])
  func anotherCollapseIDTiesNeither(_ order: [String]) throws {
    try ingest(
      order,
      ["device": requested("score"), "sends": [collapsing("2026-11-20T10:00:00Z", "score")]])
    #expect(try rows(nil) == ["0 2 \(HandWrittenLogs.device)", "1 0 token only"])
  }

  /// An id of a campaign says nothing of a token; another id of the same token may.
  @Test(arguments: [["device", "sends"], ["sends", "device"], ["all"]])
  func anIDOfACampaignDoesNotHideAnotherOne(_ order: [String]) throws {
    try ingest(
      order,
      [
        "device": device + requested(),
        "sends": [
          collapsing("2026-11-20T10:00:00Z"), send("2026-11-20T11:00:00Z"),
          send("2026-11-20T11:00:00Z", token: HandWrittenLogs.otherToken),
        ],
      ])
    #expect(
      try rows(nil) == [
        "1 0 token only", "1 2 \(HandWrittenLogs.device)", "1 2 \(HandWrittenLogs.device)",
      ])
  }
}
