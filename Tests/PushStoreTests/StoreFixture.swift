import Foundation
import PushModel
import TestSupport

@testable import PushStore

/// A small database whose rows tests write by hand.
final class StoreFixture {
  let folder: ScratchFolder
  let database: Database
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.url.appending(path: "push.db").path
    database = try Database(path: path, mode: .write)
  }

  /// 2026-11-29 in days since 1970.
  static let day: Int64 = 20_786
  /// Its first moment, UTC microseconds.
  static let midnight = day * 86_400_000_000

  /// A row of `notification`; what is not named is as for an accepted plain alert.
  struct Row {
    var key: Int64
    var at: Int64
    var installation: Int64 = 1
    var kind = 0
    var meant = 1
    var judgement = 0
    var step: String?
    var cause: String?
    var confidence = 2
    var stage = 2
    var seen = 0
    var needs: Int64 = 0
    var link = 8
    var covered = 0
    var sends = 1
    var events = 0
    var status: Int? = 200
    var reason: String?
    var topic: String? = "com.example.app"
    var campaign: String?
    var app: String? = "com.example.app"
    var version: String? = "5.1.0"
    var build: String? = "5101"
    var os: String? = "18.1"
    var notificationID: String?
    var apnsID: String?
    var collapseID: String?
    var requestID: String?
    var download: Int64?
    var handler: Int64?
    var rawBlock: Int64?
    var timeline = "{}"

    var id: Int64 { RowID.day(of: at) << 48 | installation << 28 | key }
  }

  static func quoted(_ text: String?) -> String {
    text.map { "'\($0.replacingOccurrences(of: "'", with: "''"))'" } ?? "NULL"
  }

  static func number(_ value: (some BinaryInteger)?) -> String { value.map { "\($0)" } ?? "NULL" }

  /// The number of a row with these values, which is added if there is none yet.
  private func number(in table: String, _ columns: String, _ values: String) throws -> Int64 {
    let find = "SELECT id FROM \(table) WHERE (\(columns)) = (\(values))"
    if let known = try database.scalar(find) { return known }
    try database.execute(
      """
      INSERT INTO \(table) (id, \(columns)) \
      SELECT coalesce(max(id), 0) + 1, \(values) FROM \(table)
      """)
    return try database.scalar(find) ?? 0
  }

  /// Writes a row, and nothing else: no roll-up, no id.
  func insert(_ row: Row) throws {
    let q = StoreFixture.quoted
    func n(_ value: Int64?) -> String { StoreFixture.number(value) }
    func n(_ value: Int?) -> String { StoreFixture.number(value) }
    let profile = try number(
      in: "send_profile", "profile",
      "json_object('status', \(n(row.status)), 'reason', \(q(row.reason)), 'environment', "
        + "'production', 'topic', \(q(row.topic)))")
    let campaign =
      try row.campaign.map { try number(in: "name", "text", q($0)) }
    let app = try number(
      in: "installed_app", "app, app_version, build, os_version, device_model, notifications",
      "\(q(row.app ?? "")), \(q(row.version ?? "")), \(q(row.build ?? "")), \(q(row.os ?? "")), '', 1"
    )
    try database.execute(
      """
      INSERT INTO notification_row (id, installation_id, sent_at, kind, meant, meant_by, \
      judgement, step, cause, confidence, stage, seen, needs, link, replaced, covered, sends, \
      events, profile_id, campaign_id, app_id, notification_id, apns_id, collapse_id, \
      request_id, download_us, handler_us, raw_block, timeline) VALUES (\(row.id), \
      \(row.installation), \(row.at), \(row.kind), \(row.meant), 4, \(row.judgement), \
      \(q(row.step)), \(q(row.cause)), \(row.confidence), \(row.stage), \(row.seen), \
      \(row.needs), \(row.link), 0, \(row.covered), \(row.sends), \(row.events), \(profile), \
      \(n(campaign)), \(app), \(q(row.notificationID)), \(q(row.apnsID)), \
      \(q(row.collapseID)), \(q(row.requestID)), \(n(row.download)), \(n(row.handler)), \
      \(n(row.rawBlock)), \(q(row.timeline)))
      """)
    if row.judgement != 0, let step = row.step {
      try database.execute(
        """
        INSERT INTO step_outcome (notification_id, place, step, cause, confidence, sent_at) \
        VALUES (\(row.id), \(row.judgement == 1 ? 0 : 1), '\(step)', '\(row.cause ?? "")', \(row.confidence), \(row.at))
        """)
    }
  }

  func installation(_ id: Int64, device: String?, logs: Bool) throws {
    try database.execute(
      """
      INSERT INTO installation (id, device_id, first_at, last_at, has_events, days) \
      VALUES (\(id), \(StoreFixture.quoted(device)), 0, 0, \(logs ? 1 : 0), '[]')
      """)
  }

  /// A row of `day_rollup` for all notifications together.
  func count(
    _ count: Int, day: Int64 = StoreFixture.day, app: String = "com.example.app",
    group: MeantGroup = .plain, _ judgement: Judgement = .asMeant, _ step: StepID? = nil,
    _ cause: CauseID? = nil, _ confidence: Confidence = .certain, stage: Int = 2
  ) throws {
    try rollUp(
      count, "\(day), '\(app)', 'all', '', \(group.rawValue)", judgement, step, cause, confidence,
      stage)
  }

  /// A row of `day_rollup` for one value of a dimension.
  func count(
    _ count: Int, day: Int64 = StoreFixture.day, app: String = "com.example.app",
    of dimension: String, _ value: String, group: MeantGroup = .plain,
    _ judgement: Judgement = .asMeant, _ step: StepID? = nil, _ cause: CauseID? = nil,
    _ confidence: Confidence = .certain
  ) throws {
    try rollUp(
      count, "\(day), '\(app)', '\(dimension)', '\(value)', \(group.rawValue)", judgement, step,
      cause, confidence, -1)
  }

  /// Rows of `day_phone`: a release on one kind of phone, and of `day_rollup` for the release.
  func phones(
    _ count: Int, day: Int64 = StoreFixture.day, of release: String, os: String, model: String,
    _ judgement: Judgement = .asMeant, _ step: StepID? = nil, _ cause: CauseID? = nil
  ) throws {
    try database.execute(
      """
      INSERT INTO day_phone VALUES (\(day), 'com.example.app', '\(release)', '\(os)', '\(model)', \
      0, \(judgement.rawValue), '\(step?.rawValue ?? "")', '\(cause?.rawValue ?? "")', 2, \(count));
      INSERT INTO day_rollup VALUES (\(day), 'com.example.app', 'release', '\(release)', \
      0, \(judgement.rawValue), '\(step?.rawValue ?? "")', '\(cause?.rawValue ?? "")', 2, -1, \
      \(count)) ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
  }

  private func rollUp(
    _ count: Int, _ key: String, _ judgement: Judgement, _ step: StepID?, _ cause: CauseID?,
    _ confidence: Confidence, _ stage: Int
  ) throws {
    try database.execute(
      """
      INSERT INTO day_rollup (day, app, dimension, value, class, judgement, step, cause, \
      confidence, stage, notifications) VALUES (\(key), \(judgement.rawValue), \
      '\(step?.rawValue ?? "")', '\(cause?.rawValue ?? "")', \(confidence.rawValue), \(stage), \
      \(count))
      """)
  }

  func installations(
    day: Int64 = StoreFixture.day, seen: Int, logging: Int = 0, gapless: Int = 0
  ) throws {
    try database.execute(
      "INSERT INTO day_installation VALUES (\(day), \(seen), \(logging), \(gapless))")
  }

  func answer(
    _ count: Int, day: Int64 = StoreFixture.day, status: Int, reason: String = "", link: Int = 0
  ) throws {
    try database.execute(
      """
      INSERT INTO day_answer (day, app, status, reason, link, notifications) \
      VALUES (\(day), 'com.example.app', \(status), '\(reason)', \(link), \(count))
      """)
  }

  func source(
    _ id: Int, _ name: String, adapter: String = "device-log", from: Int64? = nil,
    to: Int64? = nil, noted: Int = 0, chunks: [(offset: Int64, line: Int64)] = []
  ) throws {
    let statement = try database.prepare(
      """
      INSERT INTO source (id, name, adapter, state, first_at, last_at, lines_read, kept, \
      duplicate, noted, skipped, chunks) VALUES (\(id), '\(name)', '\(adapter)', x'', \
      \(StoreFixture.number(from)), \(StoreFixture.number(to)), 10, \(10 - noted), 0, \(noted), \
      0, ?1)
      """)
    var bytes: [UInt8] = []
    for chunk in chunks {
      for value in [chunk.offset, chunk.line] {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    statement.bind(1, blob: bytes)
    try statement.step()
    statement.reset()
  }

  /// Puts ids of rows into the index, as one batch does.
  func index(_ entries: [(id: String, row: Int64)], run: Int = 1) throws {
    var bytes: [UInt8] = []
    let sorted = entries.map { (IdentifierIndex.stored(StableHash.ofIdentifier($0.id)), $0.row) }
      .sorted { $0 < $1 }
    for (hash, row) in sorted { IdentifierIndex.append(hash, row, to: &bytes) }
    let statement = try database.prepare(
      "INSERT INTO identifier_block (run, first_hash, entries) VALUES (\(run), ?1, ?2)")
    statement.bind(1, Int64(sorted.first?.0 ?? 0))
    statement.bind(2, blob: bytes)
    try statement.step()
    statement.reset()
  }
}
