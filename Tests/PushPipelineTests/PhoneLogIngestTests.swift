import Foundation
import PushIngest
import PushPipeline
import PushStore
import TestSupport
import Testing

/// Logs of a phone, which name no installation, find the notifications that a sender's log names.
@Suite struct PhoneLogIngestTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try Data((0..<16).map { UInt8($0) }).write(to: URL(fileURLWithPath: folder.path + "/key"))
  }

  private func write(_ name: String, _ text: String) throws -> String {
    let path = folder.path + "/" + name
    let parent = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func ingest(_ name: String, _ calls: [[String]]) throws -> Database {
    let path = folder.path + "/" + name + ".db"
    for inputs in calls {
      var options = IngestOptions(inputs: inputs, databasePath: path)
      options.keyPath = folder.path + "/key"
      _ = try IngestRun.run(options)
    }
    return try Database(path: path, mode: .read)
  }

  private func rows(_ database: Database, _ sql: String, _ columns: Int) throws -> [String] {
    let statement = try database.prepare(sql)
    var found: [String] = []
    while try statement.step() {
      found.append((0..<columns).map { statement.text($0) }.joined(separator: "|"))
    }
    return found
  }

  private static let token = String(repeating: "46509a03", count: 8)
  private static let otherToken = String(repeating: "51c435c3", count: 8)

  private var sender: String {
    """
    {"ts":"2026-03-01T10:00:00.104Z","status":200,"apns_id":"5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa","topic":"com.example.courier","collapse_id":"order-48213","device_token":"\(Self.token)","payload":{"aps":{"alert":{"title":"t"},"mutable-content":1}}}
    {"ts":"2026-03-01T10:00:00.204Z","status":200,"apns_id":"6c1a5d2f-8b40-4e69-8b71-301e7d1cf2bb","topic":"com.example.courier","collapse_id":"order-4711","device_token":"\(Self.otherToken)","payload":{"aps":{"alert":{"title":"t"},"mutable-content":1}}}

    """
  }

  private var phone: String {
    """
    Filtering the log data using "process == \\"SpringBoard\\""
    2026-03-01 11:00:02.401233+0100  localhost SpringBoard[57]: (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] Received incoming message on topic com.example.courier at priority 10
    2026-03-01 11:00:02.481233+0100  localhost SpringBoard[57]: (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] [com.example.courier] Received remote notification request DC15-EBDB [ waking: 0, hasAlertContent: 1, hasMutableContent: 1 pushType: Alert]
    2026-03-01 11:00:02.491233+0100  localhost SpringBoard[57]: (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] [com.example.courier] No extension available for bundle
    2026-03-01 11:00:02.521233+0100  localhost SpringBoard[57]: (UserNotificationsServer) [com.apple.UserNotifications:RemoteNotifications] [com.example.courier] Delivered user visible push notification DC15-EBDB

    """
  }

  private static let events = """
    SELECT n.collapse_id, e.event, e.recorded_at FROM device_event e
    JOIN notification n ON n.id = e.notification ORDER BY e.recorded_at, e.event
    """

  /// 2026-03-01 10:00:02.401233 UTC and the following lines.
  private static let expected = [
    "order-48213|system.incoming|1772359202401233",
    "order-48213|system.request_received|1772359202481233",
    "order-48213|system.no_extension|1772359202491233",
    "order-48213|system.presented|1772359202521233",
  ]

  @Test("in one call or two, in either order, the lines are with the notification they are about")
  func anyOrder() throws {
    let sends = try write("sender.ndjson", sender)
    let log = try write("phone.txt", phone)
    let calls: [[[String]]] = [
      [[sends, log]], [[log, sends]], [[sends], [log]], [[log], [sends]],
    ]
    for (place, call) in calls.enumerated() {
      let database = try ingest("order\(place)", call)
      #expect(try rows(database, Self.events, 3) == Self.expected, "calls \(place)")
      #expect(try rows(database, "SELECT count(*) FROM notification", 1) == ["2"])
      #expect(
        try rows(
          database,
          "SELECT w.text FROM notification n JOIN link_word w ON w.code = n.link WHERE n.events > 0",
          1) == ["digest"], "calls \(place)")
    }
  }

  @Test("a log that grows adds its new lines to the same phone")
  func grows() throws {
    let sends = try write("sender.ndjson", sender)
    let lines = phone.split(separator: "\n", omittingEmptySubsequences: false)
    let log = try write("phone.txt", lines.prefix(4).joined(separator: "\n") + "\n")
    _ = try ingest("grows", [[sends, log]])
    _ = try write("phone.txt", phone)
    let database = try ingest("grows", [[log]])
    #expect(try rows(database, Self.events, 3) == Self.expected)
  }

  @Test("short ids that fit two phones alike tie to none")
  func ambiguous() throws {
    let same = sender.replacing("order-4711", with: "order-48213")
    let database = try ingest(
      "two", [[try write("sender.ndjson", same), try write("phone.txt", phone)]])
    #expect(
      try rows(
        database, "SELECT count(*) FROM notification WHERE sends > 0 AND events > 0", 1) == ["0"])
    #expect(
      try rows(database, "SELECT count(*) FROM notification WHERE sends = 0", 1) == ["1"])
  }

  @Test("a crash report beside the log in one sysdiagnose joins by its process")
  func sysdiagnose() throws {
    let sends = try write("sender.ndjson", sender)
    let session = "3C1E9A52-7C1B-4B57-8B58-6E0D2E7E4C11"
    let run = """
      2026-03-01 11:00:02.601233+0100  localhost PushService[812]: (UserNotifications) [com.apple.UserNotifications:Ext] [\(session)] Request replacement content for notification request DC15-EBDB

      """
    let log = try write("sysdiagnose_1/logs/log.txt", phone + run)
    let crash = try write(
      "sysdiagnose_1/crashes_and_spins/PushService.ips",
      """
      {"app_name":"PushService","timestamp":"2026-03-01 11:00:09.00 +0100","app_version":"4.2.0","build_version":"991","bundleID":"com.example.courier.PushService","bug_type":"309","os_version":"iPhone OS 18.3 (22D63)"}
      {"captureTime":"2026-03-01 11:00:08.9310 +0100","procName":"PushService","procPath":"/x/Courier.app/PlugIns/PushService.appex/PushService","pid":812,"exception":{"type":"EXC_RESOURCE","subtype":"MEMORY","signal":"SIGKILL"}}
      """)
    let database = try ingest("sys", [[sends, log, crash]])
    let found = try rows(database, Self.events, 3)
    #expect(found.contains("order-48213|nse.crashed|1772359208931000"), "\(found)")
    #expect(found.contains("order-48213|system.replacement_requested|1772359202601233"))
  }
}
