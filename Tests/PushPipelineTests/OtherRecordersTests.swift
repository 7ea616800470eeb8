import PushStore
import Testing

/// What recorders other than the reference one write: they name their release once, leave out what
/// they do not know, and use other words for the same thing. Each test plants one fault by hand.
@Suite struct OtherRecordersTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  /// A record of a recorder that names its release on registrations alone.
  private func terse(
    _ at: String, _ seq: Int, _ name: String, _ attributes: String = "",
    process: String = ".service"
  ) -> String {
    """
    {"ts":"\(at)","event":"\(name)","seq":\(seq),"device_id":"\(HandWrittenLogs.device)",\
    "notification_id":"n-1","bundle_id":"com.example.courier\(process)","attrs":{\(attributes)}}
    """
  }

  /// A run without an attachment whose handler says that all went as planned, with what came before.
  private func run(_ middle: (name: String, attributes: String)...) -> [String] {
    var lines = [terse("2026-11-20T10:00:01Z", 2, "nse.did_receive")]
    for (place, record) in middle.enumerated() {
      lines.append(terse("2026-11-20T10:00:02Z", 3 + place, record.name, record.attributes))
    }
    lines.append(
      terse(
        "2026-11-20T10:00:03Z", 3 + middle.count, "nse.handler.called",
        #""elapsed_ms":2000,"fallback":false,"attachments":0"#))
    return lines
  }

  private func verdict(sends: [String], device: [String], of id: String = "n-1") throws -> [String]
  {
    try logs.ingest("sends.ndjson", sends)
    if !device.isEmpty { try logs.ingest("device.ndjson", device) }
    return Array(try logs.verdict(id).prefix(3))
  }

  private func send(_ id: String = "n-1") -> String { logs.send("2026-11-20T10:00:00Z", id: id) }

  /// What the crash of an extension names is the extension, not the app.
  @Test func aCrashDoesNotNameTheApp() throws {
    try logs.ingest("sends.ndjson", [send()])
    try logs.ingest(
      "device.ndjson",
      [
        terse("2026-11-20T10:00:01Z", 2, "nse.did_receive"),
        terse("2026-11-20T10:00:02Z", 3, "nse.crashed"),
      ])
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare("SELECT app FROM notification")
    #expect(try rows.step() && rows.text(0) == "com.example.courier")
  }

  @Test func theReleaseIsNamedOnce() throws {
    try logs.ingest(
      "facts.json",
      [
        """
        {"version":1,"releases":[{"bundle_id":"com.example.courier","version":"5.3.0","build":"5300",\
        "entitlements":{"aps-environment":"production",\
        "com.apple.developer.usernotifications.communication":null}}]}
        """
      ])
    let sent = logs.send("2026-11-20T10:00:00Z", rest: "", expects: #"["communication"]"#)
    let found = try verdict(
      sends: [sent],
      device: [
        logs.registered("2026-11-18T08:00:00Z", 1, HandWrittenLogs.token),
        terse("2026-11-20T10:00:01Z", 2, "nse.did_receive"),
        terse(
          "2026-11-20T10:00:02Z", 3, "intent.donated",
          #""image_parameter":"sender","recipients":null,"is_me":false,"group":false"#),
        terse("2026-11-20T10:00:03Z", 4, "nse.content.updated", #""modified_after":false"#),
        terse("2026-11-20T10:00:04Z", 5, "nse.handler.called", #""elapsed_ms":3000"#),
      ])
    #expect(found == ["communication-intent", "communication_entitlement", "1"])
  }

  @Test func theHandlerWasCalledAfterARefusedDownload() throws {
    let found = try verdict(
      sends: [send()],
      device: run(("nse.download.finished", #""status":404,"mime":"text/plain","bytes":9"#)))
    #expect(found == ["media-download", "media_http_status", "1"])
  }

  @Test func theHandlerWasCalledAfterARefusedAttachment() throws {
    let found = try verdict(
      sends: [send()],
      device: run(
        ("nse.download.finished", #""status":200,"mime":"image/jpeg","bytes":9000"#),
        ("nse.attachment.failed", #""error_domain":"UNErrorDomain","error_code":100"#)))
    #expect(found == ["media-file", "attachment_url_invalid", "1"])
  }

  @Test func aDownloadOfSomethingElseIsNoFault() throws {
    let found = try verdict(
      sends: [send()],
      device: run(("nse.download.finished", #""status":200,"mime":"application/json","bytes":9"#)))
    #expect(found[2] == "0", "the key is only guessed to be a picture's: \(found)")
  }

  @Test func theMediaTypeHasParameters() throws {
    let found = try verdict(
      sends: [send()],
      device: run(
        ("nse.download.finished", #""status":200,"mime":"Text/HTML; charset=utf-8","bytes":5200"#)))
    #expect(found == ["media-download", "media_http_status", "1"])
  }

  @Test(arguments: ["UNTimeIntervalNotificationTrigger", "time-interval", "local"])
  func theCopyNamesItsTrigger(_ trigger: String) throws {
    let found = try verdict(
      sends: [
        logs.send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")
      ],
      device: [
        terse(
          "2026-11-20T10:00:05Z", 2, "app.presented",
          #""by":"delivered_list","trigger":"UNPushNotificationTrigger""#, process: ""),
        terse(
          "2026-11-20T10:00:06Z", 3, "app.presented",
          #""by":"delivered_list","trigger":"\#(trigger)""#, process: ""),
      ])
    #expect(found == ["presentation", "duplicate_local_copy", "1"])
  }

  @Test func theViewKeptTheAction() throws {
    let found = try verdict(
      sends: [
        logs.send(
          "2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"},"category":"ORDER""#,
          rest: "", expects: #"["actions"]"#)
      ],
      device: [
        terse(
          "2026-11-20T10:01:00Z", 2, "content_ext.action", #""action":"YES","answer":"dismiss""#,
          process: ".preview")
      ])
    #expect(found == ["response-routed", "response_kept_by_content_extension", "1"])
  }

  @Test(arguments: [("2026-11-18T10:00:00Z", false), ("2026-11-20T09:50:00Z", true)])
  func aFocusIsKnownForAnHour(_ recorded: (at: String, counts: Bool)) throws {
    let found = try verdict(
      sends: [
        logs.send(
          "2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"},"sound":"default""#,
          rest: "", expects: #"["sound"]"#)
      ],
      device: [
        logs.event(
          recorded.at, 1, "app.settings", id: nil,
          attributes: #""authorization":"authorized","alerts":true,"focus":true"#)
      ])
    #expect((found[1] == "focus_or_summary") == recorded.counts, "\(found)")
  }

  // MARK: Silent and Live Activity

  private func typed(_ line: String, _ type: String, _ topic: String = "") -> String {
    line.replacing(
      #""push_type":"alert","priority":10"#, with: #""push_type":"\#(type)","priority":5"#
    )
    .replacing(#""topic":"com.example.courier""#, with: #""topic":"com.example.courier\#(topic)""#)
  }

  private func update(_ at: String, _ aps: String, id: String = "n-1") -> String {
    typed(
      logs.send(at, id: id, aps: aps, rest: ""), "liveactivity", ".push-type.liveactivity")
  }

  @Test func anEmptySoundIsASoundKey() throws {
    let line = logs.send(
      "2026-11-20T10:00:00Z", aps: #""content-available":1,"sound":"""#, rest: "")
    let found = try verdict(sends: [typed(line, "background")], device: [])
    #expect(found == ["background-payload", "alert_in_background_push", "1"])
  }

  @Test(arguments: [
    #""event":"update","content-state":{"eta":5}"#,
    #""timestamp":1795168800,"content-state":{"eta":5}"#,
    #""event":"update","timestamp":1795168800000,"content-state":{"eta":5}"#,
    #""event":"start","timestamp":1795168800,"content-state":{"eta":5},"alert":{"title":"t"}"#,
  ])
  func theUpdateLacksAKey(_ aps: String) throws {
    let found = try verdict(sends: [update("2026-11-20T10:00:00Z", aps)], device: [])
    #expect(found == ["la-payload", "la_payload_incomplete", "1"])
  }

  @Test func whatBecameOfAnUpdateIsOpen() throws {
    let found = try verdict(
      sends: [
        update(
          "2026-11-20T10:00:00Z",
          #""event":"update","timestamp":1795168800,"content-state":{"eta":5}"#)
      ], device: [])
    #expect(found[2] == "2", "APNs took it, and nothing says more: \(found)")
  }

  @Test func theActivityHadBeenEnded() throws {
    let end = #""event":"end","timestamp":1795168200"#
    let more = #""event":"update","timestamp":1795168800,"content-state":{"eta":5}"#
    try logs.ingest(
      "sends.ndjson",
      [
        update("2026-11-20T09:40:00Z", more, id: "n-3"),
        update("2026-11-20T09:50:00Z", end, id: "n-2"), update("2026-11-20T10:00:00Z", more),
      ])
    #expect(try logs.verdict().prefix(3) == ["la-state", "la_ended", "1"])
    #expect(try logs.verdict("n-2")[2] == "2")
    #expect(try logs.verdict("n-3")[2] == "2")
  }
}
