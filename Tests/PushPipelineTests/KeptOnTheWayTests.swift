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
  @Test(arguments: [
    (10, "20", ["overwritten_in_storage", "1"]), (10, "35", ["overwritten_in_storage", "1"]),
    (10, "50", ["", "2"]), (5, "20", ["", "2"]),
  ])
  func theLaterOneWaitedLessThanAMinute(priority: Int, second: String, wanted: [String]) throws {
    let sends = [
      logs.send("2026-11-20T08:30:00Z", id: "n-0"),
      logs.send("2026-11-20T10:00:00Z", id: "n-1"),
      logs.send("2026-11-20T10:59:\(second)Z", id: "n-2").replacing(
        #""priority":10"#, with: #""priority":\#(priority)"#),
    ]
    try logs.ingest("sends.ndjson", sends)
    try logs.ingest("device.ndjson", phone(arrivalOfB: "11:00"))
    let verdict = try logs.verdict()
    #expect(Array(verdict[1...2]) == wanted, "\(verdict)")
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
    try changeToken(sentAt: "2026-11-14T10:00:00Z", otherSentAt: "2026-11-20T08:30:00Z") {
      "2001-03-0\($0)"
    }
    let verdict = try logs.verdict()
    #expect(verdict[2] == "2", "\(verdict)")
  }

  /// One that APNs kept for two days says nothing against the clock: the later token was there before.
  @Test func oneThatWaitedForDaysIsNoWrongClock() throws {
    try changeToken(sentAt: "2026-11-28T10:00:00Z", otherSentAt: "2026-11-18T08:30:00Z") {
      "2026-11-2\($0 - 4)"
    }
    #expect(try logs.verdict().prefix(2) == ["token-current", "stale_token_200"])
  }

  /// The phone registers a token, gets the other send and registers another token, on the fourth and the
  /// sixth day as `day` writes them.
  private func changeToken(sentAt: String, otherSentAt: String, _ day: (Int) -> String) throws {
    try logs.ingest(
      "sends.ndjson",
      [logs.send(sentAt, id: "n-1"), logs.send(otherSentAt, id: "n-0")])
    try logs.ingest(
      "device.ndjson",
      [logs.registered("\(day(4))T08:00:00Z", 1, HandWrittenLogs.token)]
        + run("n-0", at: "08:30", 2).map { $0.replacing("2026-11-20T", with: "\(day(4))T") }
        + [logs.registered("\(day(6))T08:00:00Z", 6, HandWrittenLogs.otherToken)])
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
    var sends = sends()
    sends[2] = logs.send("2026-11-20T10:20:00Z", id: "n-2", token: HandWrittenLogs.otherToken)
    try logs.ingest("sends.ndjson", sends)
    try logs.ingest(
      "old.ndjson", [logs.registered("2026-11-20T08:00:00Z", 0, HandWrittenLogs.token)])
    try logs.ingest(
      "device.ndjson",
      phone(arrivalOfB: "11:00")
        + [logs.registered("2026-11-20T12:00:30Z", 12, HandWrittenLogs.otherToken)])
    let verdict = try logs.verdict()
    #expect(verdict[2] == "2", "the token may have been the old one already: \(verdict)")
  }

  /// B was sent to the same token after A, and came: A's token was the phone's.
  @Test func theTokenWasReplacedAfterTheReturn() throws {
    try logs.ingest("sends.ndjson", sends())
    try logs.ingest(
      "old.ndjson", [logs.registered("2026-11-20T08:00:00Z", 0, HandWrittenLogs.token)])
    try logs.ingest(
      "device.ndjson",
      phone(arrivalOfB: "11:00")
        + [logs.registered("2026-11-20T12:00:30Z", 12, HandWrittenLogs.otherToken)])
    #expect(
      try logs.verdict().prefix(3) == ["path-to-device", "overwritten_in_storage", "1"])
  }

  /// The only arrival of that day is B's, which was late; two of other days tell what the clock was worth,
  /// also where they are read later, or the other way about.
  @Test(
    arguments: ["2026-11-16", "2026-11-24"],
    [[0, 0, 0], [0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]]
  )
  func theClockIsToldByAnotherDay(day: String, calls: [Int]) throws {
    try expectOnOtherDays(
      [(day, "00:01"), (day, "00:02")], calls, ["overwritten_in_storage", "1"])
  }

  /// One alone may have come late, and B may have come at once by a clock that was an hour ahead.
  @Test func oneOfAnotherDayIsNotEnough() throws {
    try expectOnOtherDays([("2026-11-24", "00:01")], [0, 1, 2], ["", "2"])
  }

  /// Before, the clock was right; later it is forty minutes ahead, by which B came at once.
  @Test func theClockWasSetBetweenTheOtherDays() throws {
    try expectOnOtherDays(
      [
        ("2026-11-16", "00:01"), ("2026-11-16", "00:02"), ("2026-11-24", "40:01"),
        ("2026-11-24", "40:02"),
      ], [0, 0, 0], ["", "2"])
  }

  /// Six days away nothing counts.
  @Test func daysThatAreTooFarAway() throws {
    try expectOnOtherDays(
      [("2026-11-27", "00:01"), ("2026-11-27", "00:02")], [0, 1, 2], ["", "2"])
  }

  /// Sends of every hour of other days that come a time after they were sent, A and B of the 20th, and the
  /// phone of the 20th: three files that are read in three calls, or some of them in one.
  private func expectOnOtherDays(
    _ days: [(day: String, after: String)], _ calls: [Int], _ wanted: [String]
  ) throws {
    var other: [String] = []
    for (place, entry) in days.enumerated() {
      let id = "n-\(place + 3)"
      other.append(logs.send("\(entry.day)T0\(place):00:00Z", id: id))
      other += run(id, at: "XX", 20 + 4 * place).map {
        $0.replacing("2026-11-20TXX:01Z", with: "\(entry.day)T0\(place):\(entry.after)Z")
          .replacing("2026-11-20TXX", with: "\(entry.day)T0\(place):41")
      }
    }
    // It is heard of again before the later days, which are not next to the 20th then.
    let phone =
      phone(arrivalOfB: "11:00").filter { !$0.contains("n-0") }
      + [logs.event("2026-11-22T08:00:00Z", 12, "device.heartbeat", id: nil)]
    let files = [Array(sends().dropFirst()), phone, other]
    for call in Set(calls).sorted() {
      var lines: [String: [String]] = [:]
      for (place, file) in files.enumerated() where calls[place] == call {
        let sends = file.filter { $0.contains(#""status":200,"apns_id""#) }
        let events = file.filter { !$0.contains(#""status":200,"apns_id""#) }
        lines["sends-\(place).ndjson"] = sends
        lines["events-\(place).ndjson"] = events
      }
      try logs.ingest(lines.filter { !$0.value.isEmpty })
    }
    let verdict = try logs.verdict()
    #expect(Array(verdict[1...2]) == wanted, "\(verdict)")
  }

  /// A background push without ids woke the app at 11:00; none was sent near that time, so one had waited,
  /// whichever it was. Without such a send, or with one at that time, nothing had.
  @Test(arguments: [
    (["10:20", "10:40"], ["overwritten_in_storage", "1"]),
    (["10:40"], ["overwritten_in_storage", "1"]),
    (["10:20", "10:59"], ["", "2"]), ([], ["", "2"]),
  ])
  func oneThatWaitedWithoutAnID(silent: [String], wanted: [String]) throws {
    let sends = Array(sends().dropLast())
    let others = silent.map { minute in
      logs.send(
        "2026-11-20T\(minute):30Z", id: "none", aps: #""content-available":1"#, rest: ""
      ).replacing(#""notification_id":"none","#, with: "")
        .replacing(
          #""push_type":"alert","priority":10"#, with: #""push_type":"background","priority":5"#
        )
        .replacing(
          "9f1c0000-0000-4000-8000-0000000000e0",
          with: "9f1c0000-0000-4000-8000-0000000\(minute.filter { $0 != ":" })0")
    }
    try logs.ingest("sends.ndjson", sends + others)
    let phone =
      phone(arrivalOfB: "11:00").filter { !$0.contains("n-2") }
      .map { $0.replacing(#""seq":11,"#, with: #""seq":8,"#) }
      + [
        logs.event(
          "2026-11-20T11:00:01Z", 7, "app.background_launch", id: nil,
          attributes: #""elapsed_ms":200"#)
      ]
    try logs.ingest("device.ndjson", phone)
    let verdict = try logs.verdict()
    #expect(Array(verdict[1...2]) == wanted, "\(verdict)")
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
