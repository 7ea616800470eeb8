import PushStore
import Testing

/// Durations that records give, in milliseconds, as rows and histograms keep them, in microseconds.
@Suite struct DurationTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  @Test(
    "a duration that no run of an extension can have is not kept",
    arguments: [
      ("0", 0), ("448", 448_000), ("37000", 37_000_000), ("3600000", 3_600_000_000),
      ("3600001", nil), ("-1", nil),
      // A thousand times this is 2^64 and 384: as microseconds it would begin anew at 384.
      ("18446744073709552", nil), ("9223372036854775807", nil),
    ] as [(String, Int64?)])
  func durations(milliseconds: String, microseconds: Int64?) throws {
    func event(_ second: Int, _ name: String, _ attributes: String) -> String {
      logs.event(
        "2026-11-20T10:00:0\(second)Z", second, name, attributes: attributes,
        bundle: "com.example.courier.service")
    }
    try logs.ingest([
      "sends.ndjson": [logs.send("2026-11-20T10:00:00Z")],
      "device.ndjson": [
        event(1, "nse.did_receive", #""attempt":1,"mutable_content":1"#),
        event(2, "nse.download.started", #""url":"media.example.com""#),
        event(
          3, "nse.download.finished",
          #""status":200,"bytes":9000,"duration_ms":\#(milliseconds)"#),
        event(
          4, "nse.handler.called",
          #""elapsed_ms":\#(milliseconds),"fallback":false,"attachments":1,"count":1"#),
      ],
    ])
    let database = try Database(path: logs.databasePath, mode: .read)
    let row = try database.prepare(
      "SELECT download_us, handler_us FROM notification WHERE notification_id = 'n-1'")
    #expect(try row.step())
    for column in 0..<2 {
      #expect((row.isNull(column) ? nil : row.integer(column)) == microseconds)
    }
    let timings = try database.prepare("SELECT count(*) FROM day_timing")
    #expect(try timings.step())
    #expect(timings.integer(0) == (microseconds == nil ? 0 : 2))
  }
}
