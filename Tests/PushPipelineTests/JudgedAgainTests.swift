import PushModel
import PushStore
import Testing

/// Whatever changes a verdict has it judged again: one test for each thing that can. Every log here
/// is written by hand; the second file always comes in a later call.
@Suite struct JudgedAgainTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  @Test func newFactsOfARelease() throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    try logs.ingest(
      "device.ndjson",
      [
        logs.event("2026-11-20T09:00:00Z", 1, "device.heartbeat", id: nil),
        logs.event("2026-11-20T12:00:00Z", 2, "device.heartbeat", id: nil),
      ])
    #expect(try logs.verdict()[2] == "2")
    try logs.ingest(
      "facts.json",
      [
        """
        {"version":1,"releases":[{"bundle_id":"com.example.courier","version":"5.3.0","build":"5300",\
        "plugins":["Service.appex"],"extensions":[\
        {"file":"Service.appex","kind":"service","bundle_id":"com.example.courier.service",\
        "info":{"NSExtension":{\
        "NSExtensionPointIdentifier":"com.apple.usernotifications.content-extension"}}}]}]}
        """
      ])
    #expect(try logs.verdict().prefix(3) == ["extension-point", "wrong_extension_point", "1"])
  }

  @Test func aTokenThatWasRegisteredBefore() throws {
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")])
    try logs.ingest(
      "old.ndjson", [logs.registered("2026-11-18T08:00:00Z", 1, HandWrittenLogs.token)])
    #expect(try logs.verdict()[1] == "")
    try logs.ingest(
      "new.ndjson", [logs.registered("2026-11-19T08:00:00Z", 2, HandWrittenLogs.otherToken)])
    #expect(try logs.verdict().prefix(3) == ["token-current", "stale_token_200", "1"])
  }

  @Test func settingsThatWereInForce() throws {
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")])
    try logs.ingest(
      "first.ndjson", [logs.registered("2026-11-18T08:00:00Z", 1, HandWrittenLogs.token)])
    #expect(try logs.verdict()[1] == "")
    try logs.ingest(
      "settings.ndjson",
      [
        logs.event(
          "2026-11-19T08:00:00Z", 2, "app.settings", id: nil,
          attributes: #""authorization":"denied","alerts":false"#)
      ])
    #expect(
      try logs.verdict().prefix(3) == ["notification-settings", "notifications_denied", "1"])
  }

  /// A heartbeat between that says nothing of settings does not end them.
  @Test func settingsThatNothingHasReplacedForDays() throws {
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")])
    try logs.ingest(
      "heartbeats.ndjson",
      [
        logs.registered("2026-11-15T08:00:00Z", 1, HandWrittenLogs.token),
        logs.event("2026-11-17T08:00:00Z", 3, "device.heartbeat", id: nil),
        logs.event("2026-11-19T08:00:00Z", 4, "device.heartbeat", id: nil),
      ])
    #expect(try logs.verdict()[1] == "")
    try logs.ingest("settings.ndjson", [denied("2026-11-16T08:00:00Z", 2)])
    #expect(
      try logs.verdict().prefix(3) == ["notification-settings", "notifications_denied", "1"])
  }

  /// Settings that are recorded when they change, and heartbeats every day that say nothing of them.
  @Test func settingsOfWeeksBefore() throws {
    let heartbeats = (4...17).map {
      logs.event(
        "2026-11-\($0 < 10 ? "0" : "")\($0)T08:00:00Z", $0, "device.heartbeat", id: nil)
    }
    try logs.ingest(
      "device.ndjson",
      [
        logs.registered("2026-11-02T08:00:00Z", 2, HandWrittenLogs.token),
        denied("2026-11-03T08:00:00Z", 3),
      ]
        + heartbeats)
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")])
    #expect(
      try logs.verdict().prefix(3) == ["notification-settings", "notifications_denied", "1"])
  }

  /// New records of two days far apart: what was in force on the later one was said between them.
  @Test func settingsBetweenTheDaysThatComeNew() throws {
    try logs.ingest(
      "device.ndjson",
      [
        logs.registered("2026-11-05T08:00:00Z", 2, HandWrittenLogs.token),
        denied("2026-11-10T08:00:00Z", 3),
      ])
    try logs.ingest(
      "new.ndjson",
      [
        logs.send(
          "2026-11-01T10:00:00Z", id: "n-2", aps: #""alert":{"title":"t","body":"b"}"#, rest: ""),
        logs.send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: ""),
      ])
    #expect(
      try logs.verdict().prefix(3) == ["notification-settings", "notifications_denied", "1"])
  }

  /// A recorder that names its release once, days before, and not on every line.
  @Test func theReleaseThatWasNamedDaysBefore() throws {
    func release() throws -> String {
      let database = try Database(path: logs.databasePath, mode: .read)
      let rows = try database.prepare("SELECT coalesce(app_version, '') FROM notification")
      return try rows.step() ? rows.text(0) : ""
    }
    func unnamed(_ line: String) -> String {
      line.replacing(#""app_version":"5.3.0","build":"5300","os_version":"18.1","#, with: "")
    }
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    try logs.ingest(
      "device.ndjson",
      [
        unnamed(logs.event("2026-11-18T08:00:00Z", 2, "device.heartbeat", id: nil)),
        unnamed(logs.event("2026-11-20T10:00:01Z", 3, "nse.did_receive")),
      ])
    #expect(try release() == "")
    try logs.ingest(
      "first.ndjson", [logs.event("2026-11-15T08:00:00Z", 1, "device.heartbeat", id: nil)])
    #expect(try release() == "5.3.0")
  }

  /// Own ids of notifications that the phone has a record of.
  private func arrived() throws -> [String] {
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare(
      "SELECT notification_id FROM notification WHERE events > 0 ORDER BY 1")
    var found: [String] = []
    while try rows.step() { found.append(rows.text(0)) }
    return found
  }

  /// What tells of the phone's clock counts for a day and a half behind it, in one call as in two.
  @Test(arguments: [1, 2]) func aClockThatIsKnownOfDaysBefore(_ calls: Int) throws {
    func collapsing(_ at: String, _ id: String) -> String {
      logs.send(at, id: id)
        .replacing(#""expects":null"#, with: #""expects":null,"collapse_id":"score""#)
    }
    // An hour ahead, as an own id of a day and a half before shows: by that clock it was the first send
    // that came, by the phone's own the second.
    let sends = [
      collapsing("2026-11-20T10:00:00Z", "n-1"), collapsing("2026-11-20T10:30:00Z", "n-2"),
    ]
    let came = logs.event("2026-11-20T11:05:00Z", 9, "app.will_present", id: nil)
      .replacing(#""seq":9"#, with: #""seq":9,"request_id":"score""#)
    let before = logs.send("2026-11-18T22:30:00Z", id: "n-3")
    let cameBefore = logs.event("2026-11-18T23:30:00Z", 3, "nse.did_receive", id: "n-3")
    if calls == 1 {
      try logs.ingest(["sends.ndjson": sends + [before], "device.ndjson": [came, cameBefore]])
    } else {
      try logs.ingest(["sends.ndjson": sends, "device.ndjson": [came]])
      try logs.ingest(["more.ndjson": [before], "earlier.ndjson": [cameBefore]])
    }
    #expect(try arrived() == ["n-1", "n-3"])
  }

  /// The same from a send whose token is known for the phone's only days later.
  @Test(arguments: [1, 2]) func aClockThatASendTellsOnceItsTokenIsKnown(_ calls: Int) throws {
    func collapsing(_ at: String, _ id: String) -> String {
      logs.send(at, id: id)
        .replacing(#""expects":null"#, with: #""expects":null,"collapse_id":"score""#)
    }
    func unnamed(_ token: String) -> String {
      logs.send("2026-11-18T22:30:00Z", id: "n-3", token: token)
        .replacing("\"installation_id\":\"\(HandWrittenLogs.device)\",", with: "")
    }
    // A counter would have the days since its last record judged again.
    func uncounted(_ line: String) -> String {
      line.replacing(/"seq":[0-9]+,/, with: "")
    }
    // A campaign's id, which ties neither token.
    let sends = [
      collapsing("2026-11-20T10:00:00Z", "n-1"), collapsing("2026-11-20T10:30:00Z", "n-2"),
      unnamed(HandWrittenLogs.token), unnamed(HandWrittenLogs.otherToken),
    ].map {
      $0.replacing(
        HandWrittenLogs.token + #"","installation"#,
        with: String(repeating: "c3", count: 32) + #"","installation"#)
    }
    let device = [
      logs.event("2026-11-18T23:30:00Z", 3, "nse.did_receive", id: "n-3"),
      logs.event("2026-11-20T11:05:00Z", 9, "app.will_present", id: nil)
        .replacing(#""seq":9"#, with: #""seq":9,"request_id":"score""#),
    ]
    .map(uncounted)
    let registered = [
      uncounted(logs.registered("2026-11-25T08:00:00Z", 10, HandWrittenLogs.token))
    ]
    if calls == 1 {
      try logs.ingest(["sends.ndjson": sends, "device.ndjson": device + registered])
    } else {
      try logs.ingest(["sends.ndjson": sends, "device.ndjson": device])
      try logs.ingest(["later.ndjson": registered])
    }
    #expect(try arrived() == ["n-1", "n-3"])
  }

  /// A heartbeat that names the token and not its kind, read before the registration that does.
  @Test func theKindOfATokenThatIsReadLater() throws {
    let heartbeat = logs.event(
      "2026-11-20T08:00:00Z", 2, "device.heartbeat", id: nil,
      attributes: #""device_token":"\#(HandWrittenLogs.token)""#)
    try logs.ingest("heartbeat.ndjson", [heartbeat])
    try logs.ingest(
      "first.ndjson", [logs.registered("2026-11-15T08:00:00Z", 1, HandWrittenLogs.token)])
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare(
      "SELECT coalesce(kind, ''), coalesce(environment, '') FROM installation_token")
    #expect(try rows.step())
    #expect([rows.text(0), rows.text(1)] == ["alert", "production"])
  }

  private func denied(_ at: String, _ seq: Int) -> String {
    logs.event(
      at, seq, "app.settings", id: nil, attributes: #""authorization":"denied","alerts":false"#)
  }

  /// A run of the extension whose download the server answers with 404.
  private var failedDownload: [String] {
    [
      logs.event(
        "2026-11-20T10:00:01Z", 1, "nse.did_receive",
        attributes: #""attempt":1,"mutable_content":1"#),
      logs.event(
        "2026-11-20T10:00:02Z", 2, "nse.download.finished",
        attributes: #""status":404,"bytes":120,"duration_ms":300"#),
      logs.event(
        "2026-11-20T10:00:03Z", 3, "nse.handler.called",
        attributes: #""elapsed_ms":2000,"fallback":true,"attachments":0,"count":1"#),
    ]
  }

  /// The clock was set back by days between two records of one log; then that log turns out to hold
  /// records of the extension too, so that all of its days are judged again.
  @Test func aLogWhoseClockWasSetBack() throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    try logs.ingest(
      "app.ndjson",
      [
        logs.event("2026-11-25T09:00:00Z", 1, "device.heartbeat", id: nil),
        logs.event("2026-11-20T09:00:00Z", 2, "device.heartbeat", id: nil),
      ])
    try logs.ingest(
      "extension.ndjson",
      [
        logs.event(
          "2026-11-20T10:00:01Z", 3, "nse.did_receive",
          attributes: #""attempt":1,"mutable_content":1"#)
      ])
    #expect(try logs.verdict()[3] == "4")
  }

  @Test func deviceEventsThatComeDaysLater() throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    #expect(try logs.verdict()[3] == "2")
    try logs.ingest("device.ndjson", failedDownload)
    #expect(try logs.verdict() == ["media-download", "media_http_status", "1", "5"])
  }

  /// The report of the newest day tells what a late file changed, also where that file has no send.
  @Test func lateFilesBelongToTheNewestDayThereIs() throws {
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z"), logs.send("2026-11-21T10:00:00Z", id: "n-2")])
    #expect(try lateChanges() == [])
    try logs.ingest("device.ndjson", failedDownload)
    let change = LateChangeRow(date: "2026-11-20", from: .cannotTell, to: .broken, count: 1)
    #expect(try lateChanges() == [change])
    // The next day's logs come: the change belongs to the report before.
    try logs.ingest("next.ndjson", [logs.send("2026-11-22T10:00:00Z", id: "n-4")])
    #expect(try lateChanges("2026-11-21") == [change])
    #expect(try lateChanges("2026-11-22") == [])
  }

  private func lateChanges(_ date: String = "2026-11-21") throws -> [LateChangeRow] {
    let loader = DailyLoader(
      database: try Database(path: logs.databasePath, mode: .read), concerns: StepConcerns(),
      side: { _ in .other }, absence: { _ in nil })
    return try loader.load(utcDay: try #require(CivilDay.number(of: date))).lateChanges
  }

  /// Counted wherever judgements are: by meaning, by the values of the breakdowns, and from the rows
  /// of a day of another zone.
  @Test func whatALaterSendReplacedIsCounted() throws {
    func collapsing(_ line: String) -> String {
      line.replacing(#""push_type""#, with: #""collapse_id":"c","push_type""#)
    }
    let plain = #""alert":{"title":"t","body":"b"}"#
    try logs.ingest(
      "sends.ndjson", [collapsing(logs.send("2026-11-20T10:00:00Z", aps: plain, rest: ""))])
    let loader = DailyLoader(
      database: try Database(path: logs.databasePath, mode: .read), concerns: StepConcerns(),
      side: { _ in .other }, absence: { _ in nil })
    let day = DaySpan(utcDay: try #require(CivilDay.number(of: "2026-11-20")))
    // One that ends a microsecond earlier is counted from rows.
    let other = DaySpan(
      date: day.date, microseconds: day.microseconds.lowerBound..<day.microseconds.upperBound - 1)
    func expect(_ counts: JudgementCounts) throws {
      for span in [day, other] {
        let tables = try loader.load(span, before: [], zone: "UTC")
        #expect(tables.judgements == [MeantJudgements(group: .plain, counts: counts)])
        for breakdown in tables.breakdowns {
          #expect(breakdown.rows.map(\.counts) == [counts], "\(breakdown.dimension)")
        }
      }
    }
    try expect(JudgementCounts(asMeant: 1, onlyAccepted: 1))
    try logs.ingest(
      "later.ndjson",
      [collapsing(logs.send("2026-11-20T10:05:00Z", id: "n-2", aps: plain, rest: ""))])
    try expect(JudgementCounts(asMeant: 2, replaced: 1, onlyAccepted: 1))
  }

  @Test func aGapInTheCounterThatIsClosed() throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    let run = [
      logs.event("2026-11-20T09:59:00Z", 1, "device.heartbeat", id: nil),
      logs.event(
        "2026-11-20T10:00:01Z", 2, "nse.did_receive",
        attributes: #""attempt":1,"mutable_content":1"#),
      logs.event("2026-11-20T10:00:30Z", 5, "nse.will_expire", attributes: #""elapsed_ms":29000"#),
      logs.event("2026-11-20T10:05:00Z", 6, "device.heartbeat", id: nil),
    ]
    try logs.ingest("device.ndjson", run)
    #expect(try logs.verdict()[1] == "")
    // What was missing: the download had come and the picture was attached. Nothing was left to wait
    // for, and the handler was never called.
    try logs.ingest(
      "late.ndjson",
      [
        logs.event(
          "2026-11-20T10:00:02Z", 3, "nse.download.finished",
          attributes: #""status":200,"bytes":52000,"duration_ms":300"#),
        logs.event(
          "2026-11-20T10:00:03Z", 4, "nse.attachment.created",
          attributes: #""bytes":52000,"uti":"public.jpeg""#),
      ])
    #expect(try logs.verdict().prefix(3) == ["handler-timing", "content_handler_never", "1"])
  }

  @Test func aCategoryThatWasNotRegistered() throws {
    let aps = #""alert":{"title":"t","body":"b"},"category":"RIDE""#
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z", aps: aps, rest: "", expects: #"["actions"]"#)])
    try logs.ingest(
      "first.ndjson", [logs.registered("2026-11-18T08:00:00Z", 1, HandWrittenLogs.token)])
    let before = try logs.verdict()
    try logs.ingest(
      "categories.ndjson",
      [
        logs.event(
          "2026-11-19T08:00:00Z", 2, "app.categories", id: nil,
          attributes: #""identifiers":["OTHER"],"since_launch_ms":200"#)
      ])
    #expect(try logs.verdict() != before)
    #expect(try logs.verdict()[0] == "category")
  }

  /// Registered weeks before, and settings every day since that say nothing of categories.
  @Test func categoriesOfWeeksBefore() throws {
    let settings = (4...17).map {
      logs.event(
        "2026-11-\($0 < 10 ? "0" : "")\($0)T08:00:00Z", $0, "app.settings", id: nil,
        attributes: #""authorization":"authorized","alerts":true"#)
    }
    try logs.ingest(
      "device.ndjson", [categories("2026-11-03T08:00:00Z", 3, "5.3.0")] + settings)
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z", aps: Self.ride, rest: "", expects: #"["actions"]"#)])
    #expect(try logs.verdict().prefix(2) == ["category", "category_not_registered"])
  }

  /// An update lies around the send. Buttons that are only guessed are missed if no content extension of
  /// either release claims the category, which may be there for a view alone.
  @Test(arguments: [
    ("OTHER", "OTHER", "category_not_registered"), ("OTHER", "RIDE", ""), ("RIDE", "OTHER", ""),
  ])
  func twoReleasesAroundTheSend(before: String, behind: String, wanted: String) throws {
    func release(_ version: String, _ claimed: String) -> String {
      """
      {"bundle_id":"com.example.courier","version":"\(version)","build":"5300",\
      "plugins":["View.appex"],"extensions":[{"file":"View.appex","kind":"content",\
      "bundle_id":"com.example.courier.view","info":{"NSExtension":{\
      "NSExtensionPointIdentifier":"com.apple.usernotifications.content-extension",\
      "NSExtensionAttributes":{"UNNotificationExtensionCategory":["\(claimed)"]}}}}]}
      """
    }
    try logs.ingest([
      "facts.json": [
        #"{"version":1,"releases":[\#(release("5.3.0", before)),\#(release("5.4.0", behind))]}"#
      ],
      "sends.ndjson": [logs.send("2026-11-20T10:00:00Z", aps: Self.ride, rest: "")],
      "device.ndjson": [
        categories("2026-11-20T08:00:00Z", 1, "5.3.0"),
        categories("2026-11-20T12:00:00Z", 2, "5.4.0"),
      ],
    ])
    #expect(try logs.verdict()[1] == wanted)
  }

  /// Neither side has an id. What a phone lists soon after a send is that send's if no other of the day
  /// before is left.
  @Test(arguments: [
    (["10:00"], 1), (["08:00", "10:00"], 0), (["08:00"], 0),
  ])
  func whatWasListedWithoutAnID(sent: [String], tied: Int) throws {
    try logs.ingest([
      "sends.ndjson": sent.map { minute in
        logs.send("2026-11-20T\(minute):00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")
          .replacing(#""notification_id":"n-1","#, with: "")
          .replacing(#""apns_id":"9f1c0000-0000-4000-8000-000000000010","#, with: "")
      },
      "device.ndjson": [
        logs.registered("2026-11-19T08:00:00Z", 1, HandWrittenLogs.token),
        logs.event(
          "2026-11-20T10:05:00Z", 2, "app.presented", id: nil,
          attributes: #""by":"delivered_list","style":"banner","trigger":"push""#),
      ],
    ])
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare(
      "SELECT count(*) FROM notification WHERE sends > 0 AND events > 0")
    #expect(try rows.step())
    #expect(rows.integer(0) == Int64(tied))
  }

  private static let ride = #""alert":{"title":"t","body":"b"},"category":"RIDE""#

  private func categories(_ at: String, _ seq: Int, _ version: String) -> String {
    logs.event(
      at, seq, "app.categories", id: nil,
      attributes: #""identifiers":["OTHER"],"since_launch_ms":200"#, version: version)
  }

  @Test func whatAnOlderChecklistJudged() throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z", status: 400)])
    let right = try logs.verdict()
    // As an older version may have left it.
    do {
      let database = try Database(path: logs.databasePath, mode: .write)
      try database.execute(
        "UPDATE notification_row SET judgement = 0, step = NULL, cause = NULL")
      try database.set("judged_with", "checklist 0")
    }
    #expect(try logs.verdict() != right)
    // Any ingest after that, of whatever file.
    try logs.ingest(
      "more.ndjson",
      [logs.send("2026-11-21T10:00:00Z", id: "n-2", token: HandWrittenLogs.otherToken)])
    #expect(try logs.verdict() == right)
  }

  @Test func aSendAfterItsDeviceEvents() throws {
    try logs.ingest(
      "device.ndjson",
      [
        logs.event(
          "2026-11-20T10:00:01Z", 1, "nse.did_receive",
          attributes: #""attempt":1,"mutable_content":1"#)
      ])
    #expect(try logs.verdict()[3] == "4")
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare("SELECT count(*), max(sends), max(events) FROM notification")
    _ = try rows.step()
    #expect([rows.integer(0), rows.integer(1), rows.integer(2)] == [1, 1, 1])
  }
}
