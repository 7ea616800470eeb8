import Foundation
import PushPipeline
import PushStore
import TestSupport
import Testing

/// Whatever changes a verdict has it judged again: one test for each thing that can. Every log here
/// is written by hand; the second file always comes in a later call.
@Suite struct JudgedAgainTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let device = "5d2f7c1e-0001-4a7b-9c3d-000000000001"
  private static let token = String(repeating: "a1", count: 32)
  private static let otherToken = String(repeating: "b2", count: 32)

  /// Ingests one file with these lines.
  private func ingest(_ name: String, _ lines: [String]) throws {
    let path = folder.path + "/" + name
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    _ = try IngestRun.run(
      IngestOptions(inputs: [path], databasePath: folder.path + "/push.db"))
  }

  /// Judgement, step, cause and stage of the only notification with an own id.
  private func verdict(_ id: String = "n-1") throws -> [String] {
    let database = try Database(path: folder.path + "/push.db", mode: .read)
    let rows = try database.prepare(
      """
      SELECT judgement, coalesce(step, ''), coalesce(cause, ''), stage FROM notification
      WHERE notification_id = '\(id)'
      """)
    guard try rows.step() else { return [] }
    return [rows.text(1), rows.text(2), "\(rows.integer(0))", "\(rows.integer(3))"]
  }

  private func send(
    _ at: String, id: String = "n-1", token: String = JudgedAgainTests.token, status: Int = 200,
    aps: String = #""alert":{"title":"t","body":"b"},"mutable-content":1"#,
    rest: String = #","media-url":"https://media.example.com/a.jpg""#, expects: String = "null"
  ) -> String {
    """
    {"ts":"\(at)","status":\(status),"apns_id":"9f1c0000-0000-4000-8000-0000000000\(id.suffix(1))0",\
    "notification_id":"\(id)","device_token":"\(token)","installation_id":"\(Self.device)",\
    "environment":"production","topic":"com.example.courier","push_type":"alert","priority":10,\
    "expects":\(expects),"payload":{"aps":{\(aps)}\(rest)}}
    """
  }

  private func event(
    _ at: String, _ seq: Int, _ name: String, id: String? = "n-1", attributes: String = "",
    bundle: String = "com.example.courier", version: String = "5.3.0"
  ) -> String {
    let own = id.map { #""notification_id":"\#($0)","# } ?? ""
    return """
      {"ts":"\(at)","event":"\(name)","seq":\(seq),"log_id":"log1","device_id":"\(Self.device)",\
      \(own)"bundle_id":"\(bundle)","app_version":"\(version)","build":"5300",\
      "os_version":"18.1","device_model":"iPhone15,2","attrs":{\(attributes)}}
      """
  }

  private func registered(_ at: String, _ seq: Int, _ token: String) -> String {
    event(
      at, seq, "app.registered", id: nil,
      attributes: #""device_token":"\#(token)","aps_environment":"production","kind":"alert""#)
  }

  @Test func newFactsOfARelease() throws {
    try ingest("sends.ndjson", [send("2026-11-20T10:00:00Z")])
    try ingest(
      "device.ndjson",
      [
        event("2026-11-20T09:00:00Z", 1, "device.heartbeat", id: nil),
        event("2026-11-20T12:00:00Z", 2, "device.heartbeat", id: nil),
      ])
    #expect(try verdict()[2] == "2")
    try ingest(
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
    #expect(try verdict().prefix(3) == ["extension-point", "wrong_extension_point", "1"])
  }

  @Test func aTokenThatWasRegisteredBefore() throws {
    try ingest(
      "sends.ndjson",
      [send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")])
    try ingest("old.ndjson", [registered("2026-11-18T08:00:00Z", 1, Self.token)])
    #expect(try verdict()[1] == "")
    try ingest("new.ndjson", [registered("2026-11-19T08:00:00Z", 2, Self.otherToken)])
    #expect(try verdict().prefix(3) == ["token-current", "stale_token_200", "1"])
  }

  @Test func settingsThatWereInForce() throws {
    try ingest(
      "sends.ndjson",
      [send("2026-11-20T10:00:00Z", aps: #""alert":{"title":"t","body":"b"}"#, rest: "")])
    try ingest("first.ndjson", [registered("2026-11-18T08:00:00Z", 1, Self.token)])
    #expect(try verdict()[1] == "")
    try ingest(
      "settings.ndjson",
      [
        event(
          "2026-11-19T08:00:00Z", 2, "app.settings", id: nil,
          attributes: #""authorization":"denied","alerts":false"#)
      ])
    #expect(
      try verdict().prefix(3) == ["notification-settings", "notifications_denied", "1"])
  }

  @Test func deviceEventsThatComeDaysLater() throws {
    try ingest("sends.ndjson", [send("2026-11-20T10:00:00Z")])
    #expect(try verdict()[3] == "2")
    try ingest(
      "device.ndjson",
      [
        event(
          "2026-11-20T10:00:01Z", 1, "nse.did_receive",
          attributes: #""attempt":1,"mutable_content":1"#),
        event(
          "2026-11-20T10:00:02Z", 2, "nse.download.finished",
          attributes: #""status":404,"bytes":120,"duration_ms":300"#),
        event(
          "2026-11-20T10:00:03Z", 3, "nse.handler.called",
          attributes: #""elapsed_ms":2000,"fallback":true,"attachments":0,"count":1"#),
      ])
    #expect(try verdict() == ["media-download", "media_http_status", "1", "5"])
  }

  @Test func aGapInTheCounterThatIsClosed() throws {
    try ingest("sends.ndjson", [send("2026-11-20T10:00:00Z")])
    let run = [
      event("2026-11-20T09:59:00Z", 1, "device.heartbeat", id: nil),
      event(
        "2026-11-20T10:00:01Z", 2, "nse.did_receive",
        attributes: #""attempt":1,"mutable_content":1"#),
      event("2026-11-20T10:00:30Z", 5, "nse.will_expire", attributes: #""elapsed_ms":29000"#),
      event("2026-11-20T10:05:00Z", 6, "device.heartbeat", id: nil),
    ]
    try ingest("device.ndjson", run)
    #expect(try verdict()[1] == "")
    // What was missing: the download had come and the picture was attached. Nothing was left to wait
    // for, and the handler was never called.
    try ingest(
      "late.ndjson",
      [
        event(
          "2026-11-20T10:00:02Z", 3, "nse.download.finished",
          attributes: #""status":200,"bytes":52000,"duration_ms":300"#),
        event(
          "2026-11-20T10:00:03Z", 4, "nse.attachment.created",
          attributes: #""bytes":52000,"uti":"public.jpeg""#),
      ])
    #expect(try verdict().prefix(3) == ["handler-timing", "content_handler_never", "1"])
  }

  @Test func aCategoryThatWasNotRegistered() throws {
    let aps = #""alert":{"title":"t","body":"b"},"category":"RIDE""#
    try ingest(
      "sends.ndjson", [send("2026-11-20T10:00:00Z", aps: aps, rest: "", expects: #"["actions"]"#)])
    try ingest("first.ndjson", [registered("2026-11-18T08:00:00Z", 1, Self.token)])
    let before = try verdict()
    try ingest(
      "categories.ndjson",
      [
        event(
          "2026-11-19T08:00:00Z", 2, "app.categories", id: nil,
          attributes: #""identifiers":["OTHER"],"since_launch_ms":200"#)
      ])
    #expect(try verdict() != before)
    #expect(try verdict()[0] == "category")
  }

  @Test func whatAnOlderChecklistJudged() throws {
    try ingest("sends.ndjson", [send("2026-11-20T10:00:00Z", status: 400)])
    let right = try verdict()
    // As an older version may have left it.
    do {
      let database = try Database(path: folder.path + "/push.db", mode: .write)
      try database.execute(
        "UPDATE notification_row SET judgement = 0, step = NULL, cause = NULL")
      try database.set("judged_with", "checklist 0")
    }
    #expect(try verdict() != right)
    // Any ingest after that, of whatever file.
    try ingest("more.ndjson", [send("2026-11-21T10:00:00Z", id: "n-2", token: Self.otherToken)])
    #expect(try verdict() == right)
  }

  @Test func aSendAfterItsDeviceEvents() throws {
    try ingest(
      "device.ndjson",
      [
        event(
          "2026-11-20T10:00:01Z", 1, "nse.did_receive",
          attributes: #""attempt":1,"mutable_content":1"#)
      ])
    #expect(try verdict()[3] == "4")
    try ingest("sends.ndjson", [send("2026-11-20T10:00:00Z")])
    let database = try Database(path: folder.path + "/push.db", mode: .read)
    let rows = try database.prepare("SELECT count(*), max(sends), max(events) FROM notification")
    _ = try rows.step()
    #expect([rows.integer(0), rows.integer(1), rows.integer(2)] == [1, 1, 1])
  }
}
