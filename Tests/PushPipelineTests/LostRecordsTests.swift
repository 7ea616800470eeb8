import Testing

/// What a record that was lost may have been. The counter tells how many are missing, not of which
/// notification; every log here is written by hand.
@Suite struct LostRecordsTests {
  private let logs: HandWrittenLogs

  init() throws { logs = try HandWrittenLogs() }

  private static let extensionBundle = "com.example.courier.service"

  private func run(
    _ at: String, _ seq: Int, _ name: String, _ attributes: String, id: String = "n-1"
  )
    -> String
  {
    logs.event(
      "2026-11-20T10:\(at)Z", seq, name, id: id, attributes: attributes,
      bundle: Self.extensionBundle)
  }

  /// The run of a picture that takes 37 seconds, numbers 10 to 13, 16 and 17; what lies between is
  /// another notification's, or lost.
  private func lateRun(_ between: [String]) -> [String] {
    [
      logs.event("2026-11-20T09:00:00Z", 9, "device.heartbeat", id: nil),
      run("00:01", 10, "nse.did_receive", #""attempt":1,"mutable_content":1"#),
      run("00:02", 11, "nse.download.started", #""url":"media.example.com""#),
      run("00:03", 12, "nse.download.finished", #""status":200,"bytes":9000,"duration_ms":300"#),
      run("00:04", 13, "nse.attachment.created", #""bytes":9000,"uti":"public.png""#),
    ] + between + [
      run("00:30", 16, "nse.will_expire", #""elapsed_ms":29000"#),
      run(
        "00:38", 17, "nse.handler.called",
        #""elapsed_ms":37000,"fallback":false,"attachments":1,"count":1"#),
      logs.event("2026-11-20T12:00:00Z", 18, "device.heartbeat", id: nil),
    ]
  }

  /// One of the two numbers between is of another notification, and one is lost, as many as a good run
  /// may write there.
  @Test func numbersOfAnotherNotificationAreNotLost() throws {
    try logs.ingest(
      "sends.ndjson",
      [logs.send("2026-11-20T10:00:00Z"), logs.send("2026-11-20T10:00:05Z", id: "n-2")])
    try logs.ingest(
      "device.ndjson",
      lateRun([
        run("00:06", 14, "nse.did_receive", #""attempt":1,"mutable_content":1"#, id: "n-2")
      ]))
    let verdict = try logs.verdict()
    #expect(verdict.prefix(3) == ["handler-timing", "content_handler_late", "1"], "\(verdict)")
  }

  /// Both are lost: more than a good run writes there, so one of them may tell of an earlier fault.
  @Test func moreAreLostThanAGoodRunWrites() throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    try logs.ingest("device.ndjson", lateRun([]))
    #expect(try logs.verdict()[2] == "2")
  }

  /// Two were shown of one send, and nothing is left of the extension's run: a picture shows that it ended
  /// well (F5.9, F4.20), and without one it may have failed before.
  @Test(arguments: [
    (1, ["presentation", "duplicate_local_copy", "1"]), (0, ["presentation", "", "2"]),
  ])
  func whatWasShownTellsOfTheRun(pictures: Int, wanted: [String]) throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    func shown(_ seq: Int, _ trigger: String, _ attachments: Int) -> String {
      logs.event(
        "2026-11-20T11:00:00Z", seq, "app.presented",
        attributes: """
          "by":"delivered_list","style":"banner","sound":true,"attachments":\(attachments),\
          "trigger":"\(trigger)"
          """)
    }
    try logs.ingest(
      "device.ndjson",
      [
        logs.event("2026-11-20T09:00:00Z", 9, "device.heartbeat", id: nil),
        shown(20, "push", pictures), shown(21, "local", 0),
        logs.event("2026-11-20T12:00:00Z", 22, "device.heartbeat", id: nil),
      ])
    let verdict = try logs.verdict()
    #expect(Array(verdict[1...2]) == Array(wanted[1...2]), "\(verdict)")
  }

  /// A counter may hold any number, and so may the distance of two.
  @Test(arguments: [[Int.min + 1, -2, Int.max], [0, 1, Int.max], [Int.min + 1, Int.min + 3, 5]])
  func numbersFromTheEndsOfTheirRange(numbers: [Int]) throws {
    try logs.ingest("sends.ndjson", [logs.send("2026-11-20T10:00:00Z")])
    try logs.ingest(
      "device.ndjson",
      [
        run("00:01", numbers[0], "nse.did_receive", #""attempt":1,"mutable_content":1"#),
        run("00:02", numbers[1], "nse.download.started", #""url":"media.example.com""#),
        run(
          "00:38", numbers[2], "nse.handler.called",
          #""elapsed_ms":37000,"fallback":false,"attachments":1,"count":1"#),
      ])
    // A later file asks for the numbers next to those that are stored.
    try logs.ingest(
      "later.ndjson",
      [numbers[0] + 1, numbers[2]].map {
        logs.event("2026-11-20T11:00:00Z", $0, "device.heartbeat", id: nil)
      })
    // Far more numbers are missing than a good run writes.
    #expect(try logs.verdict()[2] == "2")
  }
}
