import Foundation
import PushStore
import Testing

/// What anybody reads with nothing but SQLite is what was logged.
@Suite struct ReadableTimelineTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  /// Each line of attributes: values of all kinds, in sets, in holes and in lists, long and short.
  private static let attributes = [
    #""attempt":1,"process_uptime_ms":62,"locked":false,"mutable_content":1,"category":null,"keys":["aps","media-url","link","notification_id"],"has_media":true"#,
    #""attempt":12,"process_uptime_ms":9007199254740993,"locked":true,"mutable_content":0,"category":"RIDE","keys":["aps"],"has_media":false"#,
    #""attempt":2,"process_uptime_ms":0.5,"locked":false,"category":"order-482133","keys":[]"#,
    "",
  ]

  @Test func attributesComeBackAsTheyWereLogged() throws {
    var lines: [String] = []
    for (number, attributes) in Self.attributes.enumerated() {
      lines.append(
        logs.event(
          "2026-11-20T10:00:0\(number)Z", number + 1, "nse.did_receive", attributes: attributes))
    }
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T09:59:59Z")])
    try logs.ingest("device.ndjson", lines)
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare("SELECT attrs, seq, line FROM device_event ORDER BY place")
    var found: [String] = []
    while try rows.step() {
      found.append(rows.text(0))
      #expect(rows.integer(1) == Int64(found.count) && rows.integer(2) == Int64(found.count))
    }
    // Keys keep their order; SQLite writes JSON without spaces. A list of one is kept as its element.
    let expected = Self.attributes.map {
      "{\($0)}".replacing(#""keys":["aps"]"#, with: #""keys":"aps""#)
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    "6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    "6f9619FF-8B86-D011-B42D-00C04FC964FF", "order-48213", "it's \u{201e}so\u{201c}",
  ])
  func idsAndWordsComeBackAsTheyWereLogged(_ id: String) throws {
    try logs.ingest(
      "sends.ndjson", [logs.send("2026-11-20T09:59:59Z", id: id, status: 400, reason: "BadTopic")])
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare(
      """
      SELECT notification_id, status, reason, environment, topic, token_ends, length(token), campaign
      FROM notification
      """)
    #expect(try rows.step())
    #expect(rows.text(0) == id)
    #expect(rows.integer(1) == 400)
    #expect(
      [rows.text(2), rows.text(3), rows.text(4), rows.text(5)]
        == ["BadTopic", "production", "com.example.courier", "a1a1…a1a1"])
    #expect(rows.integer(6) == 16)
    #expect(rows.isNull(7))
  }
}
