import Testing

/// What becomes of a notification while its phone is off (F1.14, F1.19), and what else may look like
/// it. The phone writes a counter without gaps; A is sent at 10:00, B at 10:20, and the phone is back
/// at 11:00.
@Suite struct KeptOnTheWayTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  private func sends(expirationOfA: Int? = nil) -> [String] {
    [
      logs.send("2026-11-20T10:00:00Z", id: "n-1", expiration: expirationOfA),
      logs.send("2026-11-20T10:20:00Z", id: "n-2"),
    ]
  }

  /// A heartbeat before, and the arrival of B.
  private func phone(arrivalOfB at: String, firstSequence: Int = 2) -> [String] {
    let extensionBundle = "com.example.courier.service"
    return [
      logs.event("2026-11-20T09:00:00Z", 1, "device.heartbeat", id: nil),
      logs.event(
        "2026-11-20T\(at):01Z", firstSequence, "nse.did_receive", id: "n-2",
        attributes: #""attempt":1,"mutable_content":1"#, bundle: extensionBundle),
      logs.event(
        "2026-11-20T\(at):02Z", firstSequence + 1, "nse.download.finished", id: "n-2",
        attributes: #""status":200,"bytes":52000,"duration_ms":300"#, bundle: extensionBundle),
      logs.event(
        "2026-11-20T\(at):02.5Z", firstSequence + 2, "nse.attachment.created", id: "n-2",
        attributes: #""bytes":52000,"uti":"public.jpeg""#, bundle: extensionBundle),
      logs.event(
        "2026-11-20T\(at):03Z", firstSequence + 3, "nse.handler.called", id: "n-2",
        attributes: #""elapsed_ms":2000,"fallback":false,"attachments":1,"count":1"#,
        bundle: extensionBundle),
      logs.event("2026-11-20T12:00:00Z", firstSequence + 4, "device.heartbeat", id: nil),
    ]
  }

  @Test func theLaterOneTookItsPlace() throws {
    try logs.ingest("sends.ndjson", sends())
    try logs.ingest("device.ndjson", phone(arrivalOfB: "11:00"))
    #expect(
      try logs.verdict().prefix(3) == ["path-to-device", "overwritten_in_storage", "1"])
    #expect(try logs.verdict("n-2").prefix(3) == ["", "", "0"])
  }

  @Test func theLaterOneCameAtOnce() throws {
    try logs.ingest("sends.ndjson", sends())
    try logs.ingest("device.ndjson", phone(arrivalOfB: "10:20"))
    let verdict = try logs.verdict()
    #expect(verdict[2] == "2", "nothing shows that the phone was off: \(verdict)")
  }

  @Test func itHadExpiredBefore() throws {
    // 2026-11-20T10:10:00Z
    try logs.ingest("sends.ndjson", sends(expirationOfA: 1_795_169_400))
    try logs.ingest("device.ndjson", phone(arrivalOfB: "11:00"))
    #expect(
      try logs.verdict().prefix(3) == ["path-to-device", "expired_while_offline", "1"])
  }

  @Test func recordsOfThatTimeAreMissing() throws {
    try logs.ingest("sends.ndjson", sends())
    try logs.ingest("device.ndjson", phone(arrivalOfB: "11:00", firstSequence: 4))
    let verdict = try logs.verdict()
    #expect(verdict[2] == "2", "two records between may be A's: \(verdict)")
  }

  @Test func theTokenWasReplacedAboutThen() throws {
    try logs.ingest("sends.ndjson", sends())
    try logs.ingest(
      "old.ndjson", [logs.registered("2026-11-20T08:00:00Z", 0, HandWrittenLogs.token)])
    try logs.ingest(
      "device.ndjson",
      phone(arrivalOfB: "11:00")
        + [logs.registered("2026-11-20T12:00:30Z", 7, HandWrittenLogs.otherToken)])
    let verdict = try logs.verdict()
    #expect(verdict[2] == "2", "the token may have been the old one already: \(verdict)")
  }

  /// The same token was accepted for one topic a minute before: it is that app's, and the other topic
  /// is wrong (F1.16).
  @Test func theTopicOfAnotherApp() throws {
    try logs.ingest(
      "sends.ndjson",
      [
        logs.send("2026-11-20T10:00:00Z", id: "n-1"),
        logs.send(
          "2026-11-20T10:01:00Z", id: "n-2", status: 400, topic: "com.example.other",
          reason: "DeviceTokenNotForTopic"),
      ])
    #expect(try logs.verdict("n-2").prefix(3) == ["topic", "topic_wrong", "1"])
    #expect(try logs.verdict("n-1")[1] == "")
  }
}
