import Foundation
import PushModel
import PushPipeline
import PushSimulator
import PushStore
import TestSupport
import Testing

/// What is pruned is gone as a whole, its counts stay, and old files do not bring it back.
@Suite struct PruneTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/push.db" }

  init() throws { folder = try ScratchFolder() }

  private static let device = "5d2f7c1e-0001-4a7b-9c3d-000000000001"
  private static let token = String(repeating: "a1", count: 32)

  private func write(_ name: String, _ lines: some Sequence<String>) throws -> String {
    let path = folder.path + "/" + name
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @discardableResult
  private func ingest(_ name: String, _ lines: [String], raw: RawPolicy = .broken) throws
    -> IngestSummary
  {
    var options = IngestOptions(inputs: [try write(name, lines)], databasePath: path)
    options.rawPolicy = raw
    return try IngestRun.run(options)
  }

  private func day(_ text: String) throws -> Int64 { try #require(CivilDay.number(of: text)) }

  @discardableResult
  private func prune(_ before: String, isDryRun: Bool = false) throws -> PruneSummary {
    try Pruning(database: try Database(path: path, mode: .write)).run(
      before: try day(before), isDryRun: isDryRun)
  }

  private func dump(without tables: Set<String> = []) throws -> [String] {
    try DatabaseDump.lines(path: path).filter { line in
      !tables.contains(String(line.prefix { $0 != "|" }))
    }
  }

  private func texts(_ sql: String) throws -> [String] {
    let database = try Database(path: path, mode: .read)
    let rows = try database.prepare(sql)
    defer { rows.reset() }
    var texts: [String] = []
    while try rows.step() { texts.append(rows.text(0)) }
    return texts
  }

  private func ids() throws -> [String] {
    try texts(
      "SELECT coalesce(notification_id, apns_id) FROM notification ORDER BY sent_at")
  }

  private func send(_ at: String, _ id: Int, status: Int = 200) -> String {
    """
    {"ts":"\(at)","status":\(status),"apns_id":"9f1c0000-0000-4000-8000-00000000000\(id)",\
    "notification_id":"n-\(id)","device_token":"\(Self.token)","installation_id":"\(Self.device)",\
    "environment":"production","topic":"com.example.courier","push_type":"alert","priority":10,\
    "payload":{"aps":{"alert":{"title":"t","body":"b"}}}}
    """
  }

  private func event(
    _ at: String, _ seq: Int, _ name: String, _ id: Int? = nil, attributes: String = ""
  ) -> String {
    """
    {"ts":"\(at)","event":"\(name)","seq":\(seq),"log_id":"log1","device_id":"\(Self.device)",\
    \(id.map { #""notification_id":"n-\#($0)","# } ?? "")"bundle_id":"com.example.courier",\
    "app_version":"5.3.0","build":"5300","os_version":"18.1","device_model":"iPhone15,2",\
    "attrs":{\(attributes)}}
    """
  }

  private var sends: [String] {
    [
      send("2026-11-18T10:00:00Z", 1, status: 400), send("2026-11-19T23:58:00Z", 2),
      send("2026-11-20T10:00:00Z", 3),
    ]
  }
  private var events: [String] {
    [
      event("2026-11-18T10:00:05Z", 1, "app.opened", 1),
      event("2026-11-19T09:00:00Z", 2, "device.heartbeat"),
      event("2026-11-20T00:03:00Z", 3, "app.opened", 2),
      event("2026-11-20T10:00:05Z", 4, "app.opened", 3),
    ]
  }

  @Test func aNotificationGoesWholeOrStaysWhole() throws {
    try ingest("sends.ndjson", sends)
    try ingest("events.ndjson", events)
    #expect(try ids() == ["n-1", "n-2", "n-3"])
    let summary = try prune("2026-11-20")
    #expect(summary.notifications == 1)
    #expect(summary.staying == 1)
    #expect(summary.days == (try day("2026-11-18"))...(try day("2026-11-18")))
    // The second was opened on a day that stays.
    #expect(try ids() == ["n-2", "n-3"])
    #expect(try texts("SELECT DISTINCT notification_id FROM step_outcome").isEmpty)
    let database = try Database(path: path, mode: .read)
    let finder = NotificationFinder(database: database)
    #expect(try finder.find("n-1").isEmpty)
    #expect(try finder.find("n-2").count == 1)
    #expect(try finder.find("9f1c0000-0000-4000-8000-000000000003").count == 1)
    // With the next pruning it goes.
    #expect(try prune("2026-11-21").notifications == 2)
    #expect(try ids() == [])
    #expect(try texts("SELECT id FROM installation").isEmpty)
    #expect(try texts("SELECT day FROM day_installation").count == 3)
  }

  /// Three notifications of one phone: the first goes first, the phone with the other two.
  @Test func countsByInstallationStayWithoutTheInstallation() throws {
    try ingest("sends.ndjson", sends)
    try ingest("events.ndjson", events)
    let counts = "SELECT sum(notifications) || ' of ' || count(DISTINCT installation_id)"
    let installations = "SELECT DISTINCT installation_id FROM release_installation"
    let known = try texts("SELECT id FROM installation")
    try prune("2026-11-20")
    #expect(try texts("\(counts) FROM release_installation") == ["3 of 1"])
    #expect(try texts(installations) == known)
    try prune("2026-11-21")
    #expect(try texts("\(counts) FROM release_installation") == ["3 of 1"])
    #expect(try texts(installations) == ["-1"])
    #expect(
      try texts(
        """
        SELECT app_version FROM installed_app WHERE id IN (SELECT app_id FROM release_installation)
        """
      ).contains("5.3.0"))
  }

  @Test func settingsOfBeforeStayInForce() throws {
    try ingest("sends.ndjson", sends)
    try ingest(
      "events.ndjson",
      [
        event(
          "2026-11-18T08:00:00Z", 1, "app.settings",
          attributes: #""authorization":"denied","alerts":false"#)
      ])
    let verdict = "SELECT cause FROM notification WHERE notification_id = 'n-3'"
    #expect(try texts(verdict) == ["notifications_denied"])
    try prune("2026-11-20")
    // A sign of life has the day judged again, without what was pruned.
    try ingest("more.ndjson", [event("2026-11-20T12:00:00Z", 2, "device.heartbeat")])
    #expect(try texts(verdict) == ["notifications_denied"])
  }

  @Test func whatComesLateForAPrunedDayIsCountedAndLeftOut() throws {
    try ingest("sends.ndjson", sends)
    try ingest("events.ndjson", events)
    try prune("2026-11-20")
    let before = try dump()
    let late = try ingest(
      "late.ndjson",
      [
        send("2026-11-17T10:00:00Z", 4), send("2026-11-18T10:00:00Z", 1, status: 400),
        send("2026-11-20T10:00:00Z", 3),
      ])
    #expect(late.outdated == 2)
    #expect(late.skipped == 2)
    #expect(late.duplicate == 1)
    #expect(late.kept == 0)
    #expect(try dump() == before)
    // A clock that is years off says nothing about when it was.
    let wrong = try ingest(
      "wrong.ndjson", [event("2016-01-01T00:00:07Z", 5, "app.opened", 5)])
    #expect(wrong.kept == 1)
    #expect(try ids() == ["n-5", "n-2", "n-3"])
  }

  @Test func aDryRunSaysTheSameAndChangesNothing() throws {
    try ingest("sends.ndjson", sends)
    try ingest("events.ndjson", events)
    let before = try dump()
    let dry = try prune("2026-11-20", isDryRun: true)
    #expect(try dump() == before)
    #expect(try Database(path: path, mode: .read).prunedBefore() == nil)
    #expect(try prune("2026-11-20") == dry)
    #expect(try dump() != before)
    #expect(try prune("2026-11-20").isEmpty)
    #expect(try prune("2026-11-01").isEmpty)
  }

  @Test func aCorpusIsPrunedAndReadAgain() throws {
    let corpus = folder.path + "/corpus"
    _ = try Simulator.run(
      SimulatorConfiguration(notifications: 1500, seed: 9, days: 6, lostDeviceEvents: 0.05),
      to: corpus)
    let files = ["provider.ndjson", "device.ndjson"].map { corpus + "/" + $0 }
    func read(_ files: [String]) throws -> IngestSummary {
      var options = IngestOptions(inputs: files, databasePath: path)
      options.rawPolicy = .all
      return try IngestRun.run(options)
    }
    let first = try read(files)
    let rollups = try dump().filter { $0.hasPrefix("day_") }
    let ofReleases = "SELECT count(*) || ' ' || sum(notifications) FROM release_installation"
    let releases = try texts(ofReleases)
    let days = try texts("SELECT day FROM day_installation ORDER BY day").compactMap { Int64($0) }
    let limit = days[days.count - 3]
    let old = "SELECT count(*) FROM notification WHERE id < \(limit) << 48"
    let all = try #require(try texts(old).first.flatMap { Int($0) })
    let summary = try Pruning(database: try Database(path: path, mode: .write)).run(before: limit)
    #expect(summary.notifications > 500)
    #expect(try texts(old) == ["\(summary.staying)"])
    #expect(summary.notifications + summary.staying == all)
    #expect(summary.freedBytes > 0)
    #expect(summary.shortenedBlocks > 0)
    #expect(try dump().filter { $0.hasPrefix("day_") } == rollups)
    #expect(try texts(ofReleases) == releases)
    #expect(
      try texts("SELECT notification_id FROM step_outcome EXCEPT SELECT id FROM notification")
        .isEmpty)

    // Lines of what is gone are gone, those of what stays are there.
    let database = try Database(path: path, mode: .read)
    let wanted = try texts(
      """
      SELECT v.source_id || ':' || v.line
      FROM (SELECT notification, source_id, line FROM send
        UNION SELECT notification, source_id, line FROM device_event) AS v
      JOIN notification AS n ON n.id = v.notification
      WHERE n.raw_block IS NOT NULL
      """)
    var found: Set<String> = []
    for block in try texts("SELECT id FROM raw_block").compactMap({ Int64($0) }) {
      for line in try StoredLines(database).lines(block: block) {
        found.insert("\(line.reference.source):\(line.reference.line)")
      }
    }
    #expect(found == Set(wanted))

    // The same files are known; other files with the same lines bring nothing back.
    let before = try dump()
    #expect(try read(files).linesRead == 0)
    let lines = try files.map {
      try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n").map(String.init)
    }
    let again = try read([
      try write("p.ndjson", lines[0].reversed()), try write("d.ndjson", lines[1].reversed()),
    ])
    #expect(again.kept == 0)
    #expect(again.outdated > 0)
    #expect(again.linesRead == first.linesRead)
    #expect(
      again.linesRead == again.kept + again.duplicate + again.noted + again.skipped)
    let after = try dump()
    #expect(
      after == before,
      "\(Set(after).subtracting(before).sorted().prefix(8)) \(Set(before).subtracting(after).sorted().prefix(8))"
    )
  }
}
