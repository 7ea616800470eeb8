import Foundation
import PushPipeline
import PushStore
import TestSupport
import Testing

/// Hand-offs through the whole pipeline: what only the other hand-offs of a phone, or the facts of
/// its release, show of one. The logs are written by hand.
@Suite struct HandoffIngestTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let app = "com.example.courier"

  private func ingest(_ name: String, _ lines: [String]) throws {
    let path = folder.path + "/" + name
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    _ = try IngestRun.run(
      IngestOptions(inputs: [path], databasePath: folder.path + "/push.db"))
  }

  /// Step and cause of a job.
  private func verdict(_ job: String) throws -> [String] {
    let database = try Database(path: folder.path + "/push.db", mode: .read)
    let rows = try database.prepare(
      """
      SELECT coalesce(step, ''), coalesce(cause, '') FROM notification
      WHERE notification_id = '\(job)'
      """)
    guard try rows.step() else { return [] }
    return [rows.text(0), rows.text(1)]
  }

  private static let dayLater = 24 * 3600

  /// Events with their second after ten o'clock of the first day, their name and attributes.
  private func log(_ events: [(at: Int, name: String, attributes: String)], until end: Int = 900)
    -> [String]
  {
    let all =
      [(0, "device.heartbeat", "")] + events.map { ($0.at, $0.name, $0.attributes) }
      + [(end, "device.heartbeat", "")]
    return all.enumerated().map { place, event in
      let (at, name, attributes) = event
      let isOfExtension = name.hasPrefix("handoff.") && !Self.ofApp.contains(name)
      let day = 20 + at / Self.dayLater
      let minute = String(100 + at % Self.dayLater / 60).suffix(2)
      let second = String(100 + at % 60).suffix(2)
      return """
        {"ts":"2026-11-\(day)T10:\(minute):\(second)Z","event":"\(name)","seq":\(place + 1),\
        "log_id":"log1","device_id":"5d2f7c1e-0001-4a7b-9c3d-000000000001",\
        "bundle_id":"\(Self.app)\(isOfExtension ? ".share" : "")","app_version":"5.3.0",\
        "build":"5300","os_version":"18.1","device_model":"iPhone15,2","attrs":{\(attributes)}}
        """
    }
  }

  private static let ofApp = ["handoff.url_received", "handoff.mailbox_read", "handoff.drained"]

  /// What the extension records of a job until its mailbox is written.
  private func staging(
    _ job: String, at: Int
  ) -> [(at: Int, name: String, attributes: String)] {
    let id = #""job_id":"\#(job)","items":1"#
    return [
      (at, "handoff.activated", id), (at + 1, "handoff.items_loaded", id),
      (at + 2, "handoff.staged", id + #","in_group":true"#),
      (at + 3, "handoff.mailbox_written", id + #","entry":"share""#),
    ]
  }

  private func of(_ job: String) -> String { #""job_id":"\#(job)""# }

  @Test("a second job takes the place of the first before the app has looked")
  func overwritten() throws {
    try ingest(
      "device.ndjson",
      log(
        staging("j-1", at: 60) + [(64, "handoff.completed", of("j-1"))]
          + staging("j-2", at: 120)
          + [
            (124, "handoff.completed", of("j-2")), (130, "handoff.url_received", of("j-1")),
            (131, "handoff.mailbox_read", of("j-2")), (132, "handoff.drained", of("j-2")),
          ]))
    #expect(try verdict("j-1") == ["mailbox-written", "single_slot_mailbox_overwritten"])
    #expect(try verdict("j-2")[1] == "")
  }

  @Test("each job has been drained before the next one is written")
  func oneAfterTheOther() throws {
    var events: [(at: Int, name: String, attributes: String)] = []
    for (job, at) in [("j-1", 60), ("j-2", 240)] {
      events += staging(job, at: at)
      events += [
        (at + 4, "handoff.completed", of(job)), (at + 10, "handoff.url_received", of(job)),
        (at + 11, "handoff.mailbox_read", of(job)), (at + 12, "handoff.drained", of(job)),
      ]
    }
    try ingest("device.ndjson", log(events))
    #expect(try verdict("j-1")[1] == "")
    #expect(try verdict("j-2")[1] == "")
  }

  /// A job that was completed before iOS had answered, and one that got through or did not.
  private func completedEarly(_ other: Bool) throws -> [String] {
    var events = staging("j-1", at: 60)
    events += [
      (64, "handoff.open_requested", of("j-1")), (65, "handoff.completed", of("j-1")),
    ]
    if other {
      events += staging("j-2", at: 240)
      events += [
        (244, "handoff.open_requested", of("j-2")),
        (245, "handoff.open_result", of("j-2") + #","opened":true"#),
        (246, "handoff.completed", of("j-2")), (247, "handoff.url_received", of("j-2")),
        (248, "handoff.mailbox_read", of("j-2")), (249, "handoff.drained", of("j-2")),
      ]
    }
    try ingest("device.ndjson", log(events))
    return try verdict("j-1")
  }

  @Test("other jobs reach the app, so opening works, and this one was completed too early")
  func othersGetThrough() throws {
    #expect(try completedEarly(true) == ["host-opened", "completed_before_open"])
  }

  /// Only jobs within a day count: further than that a later call does not look back, and what one job
  /// is judged by must not depend on how the log was cut.
  @Test("a job days later says nothing of this one", arguments: [1, 2])
  func anotherOneDaysLater(_ calls: Int) throws {
    let later = 3 * Self.dayLater
    var events = staging("j-1", at: 60)
    events += [(64, "handoff.open_requested", of("j-1")), (65, "handoff.completed", of("j-1"))]
    let count = events.count + 1
    events += [(900, "device.heartbeat", "")] + staging("j-2", at: later + 60)
    events += [
      (later + 64, "handoff.open_requested", of("j-2")),
      (later + 65, "handoff.open_result", of("j-2") + #","opened":true"#),
      (later + 66, "handoff.completed", of("j-2")),
      (later + 67, "handoff.url_received", of("j-2")),
    ]
    let lines = log(events, until: later + 900)
    if calls == 1 {
      try ingest("device.ndjson", lines)
    } else {
      try ingest("first.ndjson", Array(lines[..<(count + 1)]))
      try ingest("second.ndjson", Array(lines[(count + 1)...]))
    }
    #expect(try verdict("j-1") == ["host-opened", ""])
  }

  /// A whole log shows that no other job took its place, whether one is known of days later or not.
  @Test("a job that the app looked for while it was starting", arguments: [false, true])
  func lookedForInVain(_ hasOther: Bool) throws {
    let later = 3 * Self.dayLater
    var events = staging("j-1", at: 60)
    events += [
      (64, "handoff.completed", of("j-1")),
      (70, "handoff.url_received", of("j-1") + #","state":"cold""#),
      (71, "handoff.mailbox_read", of("j-1") + #","items":1"#), (900, "device.heartbeat", ""),
    ]
    if hasOther { events += staging("j-2", at: later + 60) }
    try ingest("device.ndjson", log(events, until: later + 900))
    #expect(try verdict("j-1") == ["mailbox-drained", "url_before_ready"])
  }

  @Test("alone, a job that was completed too early may as well not be supported")
  func alone() throws { #expect(try completedEarly(false)[1] == "") }

  @Test("a completion before the request may be the record that is lost", arguments: [false, true])
  func completionLost(_ isLost: Bool) throws {
    var events = staging("j-1", at: 60)
    if isLost { events.append((64, "handoff.completed", of("j-1"))) }
    events.append((65, "handoff.open_requested", of("j-1")))
    try ingest("device.ndjson", log(events).filter { !$0.contains("handoff.completed") })
    #expect(
      try verdict("j-1")
        == (isLost ? ["host-opened", ""] : ["host-opened", "host_open_not_supported"])
    )
  }

  @Test("the facts of the release say that the app does not register the scheme")
  func scheme() throws {
    var events = staging("j-1", at: 60)
    events += [
      (64, "handoff.open_requested", of("j-1")),
      (65, "handoff.open_result", of("j-1") + #","opened":false"#),
      (66, "handoff.completed", of("j-1")),
    ]
    try ingest("device.ndjson", log(events))
    try ingest(
      "facts.json",
      [
        """
        {"version":1,"releases":[{"bundle_id":"\(Self.app)","version":"5.3.0","build":"5300",\
        "extensions":[{"file":"Share.appex","kind":"share","bundle_id":"\(Self.app).share",\
        "unregistered_schemes":["courier"]}]}]}
        """
      ])
    #expect(try verdict("j-1") == ["host-opened", "host_open_not_supported"])
  }
}
