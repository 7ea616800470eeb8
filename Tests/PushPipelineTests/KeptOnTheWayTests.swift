import Testing

/// What becomes of a notification while its phone is off (F1.14, F1.19), and what else may look like
/// it. The phone writes a counter without gaps; A is sent at 10:00, B at 10:20, and the phone is back
/// at 11:00.
@Suite struct KeptOnTheWayTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  /// One that came at once shows what the phone's clock is worth.
  private func sends(expirationOfA: Int? = nil) -> [String] {
    [
      logs.send("2026-11-20T08:30:00Z", id: "n-0"),
      logs.send("2026-11-20T10:00:00Z", id: "n-1", expiration: expirationOfA),
      logs.send("2026-11-20T10:20:00Z", id: "n-2"),
    ]
  }

  /// A good run of the extension, four records.
  private func run(_ id: String, at minute: String, _ first: Int) -> [String] {
    let bundle = "com.example.courier.service"
    return [
      logs.event(
        "2026-11-20T\(minute):01Z", first, "nse.did_receive", id: id,
        attributes: #""attempt":1,"mutable_content":1"#, bundle: bundle),
      logs.event(
        "2026-11-20T\(minute):02Z", first + 1, "nse.download.finished", id: id,
        attributes: #""status":200,"bytes":52000,"duration_ms":300"#, bundle: bundle),
      logs.event(
        "2026-11-20T\(minute):02.5Z", first + 2, "nse.attachment.created", id: id,
        attributes: #""bytes":52000,"uti":"public.jpeg""#, bundle: bundle),
      logs.event(
        "2026-11-20T\(minute):03Z", first + 3, "nse.handler.called", id: id,
        attributes: #""elapsed_ms":2000,"fallback":false,"attachments":1,"count":1"#,
        bundle: bundle),
    ]
  }

  /// Heartbeats around the arrivals of the one at 08:30 and of B; A's would be between.
  private func phone(arrivalOfB at: String, firstOfB: Int = 7) -> [String] {
    [logs.event("2026-11-20T08:00:00Z", 1, "device.heartbeat", id: nil)]
      + run("n-0", at: "08:30", 2)
      + [logs.event("2026-11-20T09:00:00Z", 6, "device.heartbeat", id: nil)]
      + run("n-2", at: at, firstOfB)
      + [logs.event("2026-11-20T12:00:00Z", firstOfB + 4, "device.heartbeat", id: nil)]
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

  /// What is sent with priority 10 comes at once to a phone in reach (F1.15); what saves power may take
  /// its time.
  @Test(arguments: [(10, ["path-to-device", "overwritten_in_storage", "1"]), (5, ["", "", "2"])])
  func theLaterOneWaitedLessThanAMinute(priority: Int, wanted: [String]) throws {
    let sends = [
      logs.send("2026-11-20T08:30:00Z", id: "n-0"),
      logs.send("2026-11-20T10:00:00Z", id: "n-1"),
      logs.send("2026-11-20T10:59:20Z", id: "n-2").replacing(
        #""priority":10"#, with: #""priority":\#(priority)"#),
    ]
    try logs.ingest("sends.ndjson", sends)
    try logs.ingest("device.ndjson", phone(arrivalOfB: "11:00"))
    let verdict = try logs.verdict()
    #expect(verdict[1...2] == wanted[1...2], "\(verdict)")
  }

  /// The one at 08:30 and B say by how much the clock is off; A has no time of the phone's at all.
  @Test func theClockIsYearsOff() throws {
    try logs.ingest("sends.ndjson", sends())
    try logs.ingest(
      "device.ndjson",
      phone(arrivalOfB: "11:00").map { $0.replacing("2026-11-20T", with: "2001-03-04T") })
    #expect(
      try logs.verdict().prefix(3) == ["path-to-device", "overwritten_in_storage", "1"])
  }

  /// The clock was set between the two: how far it was off when A was sent is not known.
  @Test func theClockWasSetInBetween() throws {
    try logs.ingest("sends.ndjson", sends())
    try logs.ingest(
      "device.ndjson",
      phone(arrivalOfB: "11:00").map { line in
        line.contains("T11:") || line.contains("T12:")
          ? line.replacing("2026-11-20T", with: "2003-03-04T")
          : line.replacing("2026-11-20T", with: "2001-03-04T")
      })
    let verdict = try logs.verdict()
    #expect(verdict[2] == "2", "\(verdict)")
  }

  /// By its own clock the phone changed its token a quarter of a century before the send, to which no
  /// arrival near it compares that clock.
  @Test func theTokenOfAPhoneWhoseClockIsYearsOff() throws {
    try logs.ingest(
      "sends.ndjson",
      [
        logs.send("2026-11-14T10:00:00Z", id: "n-1"), logs.send("2026-11-20T08:30:00Z", id: "n-0"),
      ])
    try logs.ingest(
      "device.ndjson",
      [logs.registered("2001-03-04T08:00:00Z", 1, HandWrittenLogs.token)]
        + run("n-0", at: "08:30", 2).map { $0.replacing("2026-11-20T", with: "2001-03-04T") }
        + [logs.registered("2001-03-06T08:00:00Z", 6, HandWrittenLogs.otherToken)])
    let verdict = try logs.verdict()
    #expect(verdict[2] == "2", "\(verdict)")
  }

  /// One that APNs kept for two days says nothing against the clock: the later token was there before.
  @Test func oneThatWaitedForDaysIsNoWrongClock() throws {
    try logs.ingest(
      "sends.ndjson",
      [
        logs.send("2026-11-28T10:00:00Z", id: "n-1"), logs.send("2026-11-18T08:30:00Z", id: "n-0"),
      ])
    try logs.ingest(
      "device.ndjson",
      [logs.registered("2026-11-17T08:00:00Z", 1, HandWrittenLogs.token)]
        + run("n-0", at: "08:30", 2)
        + [logs.registered("2026-11-22T08:00:00Z", 6, HandWrittenLogs.otherToken)])
    #expect(try logs.verdict().prefix(2) == ["token-current", "stale_token_200"])
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
    try logs.ingest("device.ndjson", phone(arrivalOfB: "11:00", firstOfB: 9))
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
        + [logs.registered("2026-11-20T12:00:30Z", 12, HandWrittenLogs.otherToken)])
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
