import PushChecklist
import PushIngest
import PushModel
import Testing

@Suite struct LogSplitTests {
  /// Three notifications of one app on one phone: one that went well, one whose extension (the same
  /// process) was killed, and one without the flag. `0319-FF7A` is `order-4711` (F11.6).
  static let log = """
    default 2026-01-10 10:00:00.000000+0000 SpringBoard Received incoming message on topic com.example.courier at priority 10
    default 2026-01-10 10:00:00.000000+0000 SpringBoard [com.example.courier] Received remote notification request 0319-FF7A [ waking: 0, hasAlertContent: 1, hasSound: 1 hasBadge: 0 hasContentAvailable: 0 hasMutableContent: 1 pushType: Alert]
    default 2026-01-10 10:00:00.100000+0000 SpringBoard [com.example.courier] Remote notification request 0319-FF7A can be modified: 1
    default 2026-01-10 10:00:00.200000+0000 Push[812:1a] [3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11] Request replacement content for notification request 0319-FF7A
    default 2026-01-10 10:00:01.200000+0000 SpringBoard [com.example.courier] Will deliver mutated notification content; notificationRequest=0319-FF7A, attachmentCount=1, runtime: 1.204
    default 2026-01-10 10:05:00.000000+0000 SpringBoard Received incoming message on topic com.example.courier at priority 10
    default 2026-01-10 10:05:00.000000+0000 SpringBoard [com.example.courier] Received remote notification request DC15-EBDB [ waking: 0, hasAlertContent: 1, hasSound: 1 hasBadge: 0 hasContentAvailable: 0 hasMutableContent: 1 pushType: Alert]
    default 2026-01-10 10:05:00.100000+0000 SpringBoard [com.example.courier] Remote notification request DC15-EBDB can be modified: 1
    default 2026-01-10 10:05:00.200000+0000 Push[812:1a] [3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C12] Request replacement content for notification request DC15-EBDB
    default 2026-01-10 10:05:02.000000+0000 kernel EXC_RESOURCE -> Push[812] exceeded mem limit: ActiveHard 24 MB (fatal)
    default 2026-01-10 10:05:02.200000+0000 SpringBoard [com.example.courier] Did not mutate content for notification request, will deliver original content; notificationRequest=DC15-EBDB, error=Error Domain=NSCocoaErrorDomain Code=4097 "connection", runtime: 1.9
    default 2026-01-10 10:07:00.000000+0000 SpringBoard [com.example.courier] Received remote notification request AAAA-EBDB [ waking: 0, hasAlertContent: 1, hasSound: 1 hasBadge: 0 hasContentAvailable: 0 hasMutableContent: 0 pushType: Alert]
    default 2026-01-10 10:07:01.000000+0000 SpringBoard [com.example.courier] Delivered user visible push notification AAAA-EBDB
    """

  private func split(_ texts: String...) -> LogSplit {
    var split = LogSplit()
    for text in texts { _ = split.add(Array(text.utf8)) }
    return split
  }

  private func texts(_ part: LogSplit.Part) -> [String] {
    part.lines.compactMap { $0["message"]?.text } + part.events.compactMap { $0["event"]?.text }
  }

  @Test("a log is taken apart by short ids, runs and process numbers")
  func shortIDs() {
    let parts = split(LogSplitTests.log).parts
    #expect(parts.map(\.shortID) == ["0319-FF7A", "DC15-EBDB", "AAAA-EBDB"])
    #expect(parts.map { $0.lines.count } == [5, 6, 2])
    #expect(parts.map(\.firstLine) == [1, 6, 12])
    // The kernel names a process that had worked on the first one too.
    #expect(texts(parts[1]).contains { $0.contains("EXC_RESOURCE") })
    #expect(texts(parts[1]).contains { $0.contains("Received incoming message") })
  }

  @Test("an id in clear, a short id and one in other letter case name a part")
  func names() {
    let parts = split(LogSplitTests.log).parts
    #expect(LogSplit.part("order-4711", of: parts) == 0)
    #expect(LogSplit.part("dc15-ebdb", of: parts) == 1)
    #expect(LogSplit.part("order-4712", of: parts) == nil)
  }

  @Test("the own log and the system's are joined by the short id of the request")
  func bothLogs() {
    let own = """
      {"ts":"2026-01-10T10:00:00Z","event":"app.settings","attrs":{"authorization":"authorized"}}
      {"ts":"2026-01-10T10:00:00Z","event":"nse.did_receive","request_id":"order-4711"}
      {"ts":"2026-01-10T10:05:00Z","event":"nse.did_receive","request_id":"order-4712"}
      """
    let parts = split(own, LogSplitTests.log).parts
    // order-4712 is of none of the short ids, so it is a fourth one.
    #expect(parts.count == 4)
    #expect(parts[0].ids == ["order-4711"])
    #expect(parts[0].lines.count == 5)
    // What the app says of itself holds for all of them.
    for part in parts { #expect(texts(part).contains("app.settings")) }
    #expect(texts(parts[1]).filter { $0 == "nse.did_receive" }.count == 1)
  }

  @Test("one notification of each kind of log is taken for the same one")
  func onlyTwo() {
    let own = #"{"ts":"2026-01-10T10:00:00Z","event":"nse.did_receive","notification_id":"n-1"}"#
    let lines = LogSplitTests.log.split(separator: "\n").prefix(5).joined(separator: "\n")
    let parts = split(own, lines).parts
    #expect(parts.count == 1)
    #expect(parts.first?.ids == ["n-1"])
    #expect(parts.first?.lines.count == 5)
  }

  @Test("a push that ends before it has a short id is one of its own")
  func refused() {
    let parts = split(
      LogSplitTests.log,
      """
      SpringBoard Received incoming message on topic com.example.other at priority 10
      SpringBoard [com.example.other] Received incoming message for uninstalled app
      """
    ).parts
    #expect(parts.count == 4)
    #expect(parts[3].app == "com.example.other")
    #expect(parts[3].lines.count == 2)
  }

  @Test("each part shows its own cause: a memory kill is not that of its neighbour")
  func causes() throws {
    var found: [CauseID?] = []
    for part in split(LogSplitTests.log).parts {
      var inputs = CheckInputs()
      inputs.add(part)
      inputs.add(symptom: .plainInsteadOfRich)
      found.append(try answer(inputs.evidence).cause)
    }
    // F4.26, F4.27: the second one alone.
    #expect(found == [nil, .extMemory, nil])
  }

  @Test("hand-offs are looked at together, and without any id all is one")
  func wholes() {
    let jobs = """
      {"ts":"2026-01-10T10:00:00Z","event":"handoff.mailbox_written","attrs":{"job_id":"1"}}
      {"ts":"2026-01-10T10:00:01Z","event":"handoff.mailbox_written","attrs":{"job_id":"2"}}
      {"ts":"2026-01-10T10:00:02Z","event":"handoff.drained","attrs":{"job_id":"2"}}
      """
    #expect(split(jobs).parts.map(\.events.count) == [3])
    let loose = split("Push[5]: SecItemCopyMatching -25308\nPush[5]: something else\n")
    #expect(loose.parts.isEmpty)
    #expect(loose.whole.lines.count == 1)
  }

  @Test("events of no notification go to those of their phone, and a campaign's id to each phone")
  func severalPhones() {
    let log = """
      {"ts":"2026-01-10T09:00:00Z","event":"app.settings","device_id":"a","attrs":{"alerts":true}}
      {"ts":"2026-01-10T09:00:00Z","event":"app.settings","device_id":"b","attrs":{"alerts":false}}
      {"ts":"2026-01-10T10:00:00Z","event":"nse.did_receive","device_id":"a","notification_id":"sale"}
      {"ts":"2026-01-10T10:00:00Z","event":"app.presented","device_id":"b","notification_id":"sale"}
      {"ts":"2026-01-10T10:00:01Z","event":"nse.handler.called","device_id":"a","notification_id":"sale"}
      {"ts":"2026-01-10T11:00:00Z","event":"nse.did_receive","device_id":"b","notification_id":"n-2"}
      """
    let parts = split(log).parts
    #expect(
      parts.map(texts) == [
        ["app.settings", "nse.did_receive", "nse.handler.called"],
        ["app.settings", "app.presented"], ["app.settings", "nse.did_receive"],
      ])
    let alerts = parts.map { $0.events[0].value(at: "attrs.alerts") }
    #expect(alerts == [.bool(true), .bool(false), .bool(false)])
  }
}
