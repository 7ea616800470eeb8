import PushStore
import Testing

/// Sends without an id of the sender's: which of them are attempts at one notification.
@Suite struct RetryTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  private func attempt(
    _ at: String, _ apns: Int, status: Int = 429, token: String = HandWrittenLogs.token,
    title: String = "t"
  ) -> String {
    let apnsID = "9f1c0000-0000-4000-8000-0000000000\(10 + apns)"
    return """
      {"ts":"2026-11-20T\(at)Z","status":\(status),"apns_id":"\(apnsID)","device_token":"\(token)",\
      "topic":"com.example.courier","payload":{"aps":{"alert":{"title":"\(title)"}}}}
      """
  }

  /// How many sends each notification has, in order of their times.
  private func sends() throws -> [Int64] {
    let database = try Database(path: logs.databasePath, mode: .read)
    let rows = try database.prepare("SELECT sends FROM notification ORDER BY sent_at, id")
    var found: [Int64] = []
    while try rows.step() { found.append(rows.integer(0)) }
    return found
  }

  @Test func aSendAfterARefusalIsARetry() throws {
    try logs.ingest(
      "sends.ndjson",
      [
        attempt("10:00:00", 0), attempt("10:05:00", 1), attempt("10:20:00", 2, status: 200),
        // It went through: what comes now is another one.
        attempt("10:21:00", 3),
      ])
    #expect(try sends() == [3, 1])
  }

  @Test func aQuarterOfAnHourLaterItIsAnotherOne() throws {
    try logs.ingest("sends.ndjson", [attempt("10:00:00", 0), attempt("10:15:01", 1, status: 200)])
    #expect(try sends() == [1, 1])
  }

  @Test func anotherTokenOrPayloadIsAnotherOne() throws {
    try logs.ingest(
      "sends.ndjson",
      [
        attempt("10:00:00", 0),
        attempt("10:01:00", 1, token: HandWrittenLogs.otherToken),
        attempt("10:02:00", 2, title: String(repeating: "long ", count: 40)),
        // The payload of the first one.
        attempt("10:03:00", 3, status: 200),
      ])
    #expect(try sends() == [2, 1, 1])
  }

  /// Nothing ties them, so each is by itself; the same line again is the same send.
  @Test func sendsThatNameNothingAreApart() throws {
    let lines = [
      #"{"ts":"2026-11-20T10:00:00Z","status":400}"#,
      #"{"ts":"2026-11-20T10:00:01Z","status":400}"#,
    ]
    try logs.ingest("sends.ndjson", lines)
    try logs.ingest("again.ndjson", lines.reversed())
    #expect(try sends() == [1, 1])
  }
}
