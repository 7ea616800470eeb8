import PushModel

/// What a pruning removed, or would remove.
public struct PruneSummary: Equatable, Sendable {
  /// Rows of days before this one went; days since 1970.
  public var before: Int64
  /// Oldest and newest day of the notifications that went; nil if none did.
  public var days: ClosedRange<Int64>?
  /// Notifications that went.
  public var notifications = 0
  /// Notifications of these days that stay, because they have records of later days.
  public var staying = 0
  /// Broken steps of the notifications.
  public var brokenSteps = 0
  /// Days of phones' own records (settings, registrations, heartbeats).
  public var installationDays = 0
  /// Phones of which nothing newer is known, with their tokens and coverage.
  public var installations = 0
  /// Blocks of stored lines that went.
  public var blocks = 0
  /// Blocks of stored lines that lost some of them.
  public var shortenedBlocks = 0
  /// Bytes in the file that later ingests can use again.
  public var freedBytes: Int64 = 0

  /// Whether nothing was old enough.
  public var isEmpty: Bool {
    notifications == 0 && installationDays == 0 && installations == 0 && blocks == 0
  }
}

/// Removes notifications and records of old days, and keeps the counts of those days.
///
/// All of it is one transaction. What stays of a day: its roll-ups, the sources with what tells
/// whether they were read, the notes on lines that were not understood, and what notifications share
/// (payload shapes, origins, sets of attributes). The day is kept as a setting, so that an ingest
/// leaves out what it reads of the days before.
public struct Pruning {
  private let database: Database

  /// A pruning of a database that was opened for writing.
  public init(database: Database) { self.database = database }

  /// How long before the day a notification may have been sent to stay for its later records,
  /// days. APNs keeps a notification for 30 days at most (F1.14).
  private static let reachDays: Int64 = 30

  /// Removes what is older than a day.
  ///
  /// - Parameters:
  ///   - day: first day that stays, days since 1970, UTC.
  ///   - isDryRun: whether the transaction is undone at its end, so that nothing changes.
  public func run(before day: Int64, isDryRun: Bool = false) throws(StoreError) -> PruneSummary {
    var summary = PruneSummary(before: day)
    let pageSize = try database.scalar("PRAGMA page_size") ?? 0
    try database.execute("BEGIN IMMEDIATE")
    do {
      let free = try database.scalar("PRAGMA freelist_count") ?? 0
      try collectStaying(day)
      try removeNotifications(day, &summary)
      try removeInstallations(day, &summary)
      try shortenIdentifiers(day)
      try removeLines(&summary)
      let known = try database.prunedBefore() ?? 0
      if !summary.isEmpty, day > known {
        try database.set(Database.prunedSetting, String(day))
      }
      summary.freedBytes = ((try database.scalar("PRAGMA freelist_count") ?? 0) - free) * pageSize
      for table in [
        "staying_notification", "staying_day", "touched_block", "going_app", "going_installation",
      ] {
        try database.execute("DROP TABLE temp.\(table)")
      }
      try database.execute(isDryRun ? "ROLLBACK" : "COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
    return summary
  }

  /// Writes the file anew, without the room that is free in it.
  public func shrink() throws(StoreError) {
    try database.execute("VACUUM")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  // MARK: Notifications

  /// Notifications with records of the day or later stay whole: a part of them would come back with
  /// an overlapping export, as notifications of their own.
  private func collectStaying(_ day: Int64) throws(StoreError) {
    try database.execute(
      """
      CREATE TEMP TABLE staying_notification (id INTEGER NOT NULL PRIMARY KEY);
      CREATE TEMP TABLE staying_day (id INTEGER NOT NULL PRIMARY KEY);
      CREATE TEMP TABLE touched_block (id INTEGER NOT NULL PRIMARY KEY);
      CREATE TEMP TABLE going_installation (id INTEGER NOT NULL PRIMARY KEY, number INTEGER NOT NULL);
      CREATE TEMP TABLE going_app (id INTEGER NOT NULL PRIMARY KEY, notifications INTEGER NOT NULL);
      """)
    try run(
      """
      INSERT INTO staying_notification
      SELECT n.id
      FROM notification_row AS n
      WHERE n.id >= ?1 AND n.id < ?2 AND (
        n.sent_at + coalesce(
          (SELECT max(json_extract(s.value, '$[0]')) FROM json_each(n.timeline, '$.s') AS s), 0)
          >= ?3
        OR n.sent_at + coalesce(json_extract(n.timeline, '$.u'), 1) * coalesce(
          (SELECT sum(json_extract(e.value, '$[1]')) FROM json_each(n.timeline, '$.e') AS e), 0)
          >= ?3)
      """, max(0, day - Self.reachDays) << 48, day << 48, day * RowID.microsecondsOfDay)
  }

  /// The condition that a notification is older than `?1` and does not stay.
  private func isOld(_ id: String) -> String {
    "\(id) < ?1 AND \(id) NOT IN (SELECT id FROM staying_notification)"
  }

  private func removeNotifications(
    _ day: Int64, _ summary: inout PruneSummary
  ) throws(StoreError) {
    let limit = day << 48
    summary.staying = Int(try database.scalar("SELECT count(*) FROM staying_notification") ?? 0)
    let oldest = try number(
      "SELECT id >> 48 FROM notification_row AS n WHERE \(isOld("n.id")) ORDER BY id LIMIT 1",
      limit)
    let newest = try number(
      """
      SELECT id >> 48 FROM notification_row AS n WHERE \(isOld("n.id")) \
      ORDER BY id DESC LIMIT 1
      """, limit)
    if let oldest, let newest { summary.days = oldest...max(oldest, newest) }
    try run(
      """
      INSERT OR IGNORE INTO touched_block SELECT raw_block FROM notification_row AS n
      WHERE \(isOld("n.id")) AND raw_block IS NOT NULL
      """, limit)
    try run(
      """
      INSERT INTO going_app SELECT n.app_id, count(*) FROM notification_row AS n
      WHERE \(isOld("n.id")) GROUP BY n.app_id
      """, limit)
    try database.execute(
      """
      UPDATE installed_app AS a SET notifications = notifications -
        (SELECT g.notifications FROM going_app AS g WHERE g.id = a.id)
      WHERE a.id IN (SELECT id FROM going_app)
      """)
    try database.execute(BulkWriter.removeUnusedApps)
    summary.notifications = try run(
      "DELETE FROM notification_row AS n WHERE \(isOld("n.id"))", limit)
    summary.brokenSteps = try run(
      """
      DELETE FROM step_outcome AS o
      WHERE \(isOld("o.notification_id"))
      """, limit)
    try run(
      """
      DELETE FROM waiting_identifier AS w
      WHERE \(isOld("w.notification_id"))
      """, limit)
  }

  // MARK: Installations

  private func removeInstallations(
    _ day: Int64, _ summary: inout PruneSummary
  ) throws(StoreError) {
    let start = day * RowID.microsecondsOfDay
    try nameAnew(start)
    for table in ["installation_token", "coverage"] {
      try run(
        """
        DELETE FROM \(table) WHERE installation_id IN
          (SELECT id FROM installation WHERE last_at < ?1)
        """, start)
    }
    summary.installations = try run("DELETE FROM installation WHERE last_at < ?1", start)
    try shortenDays(day)
    summary.installationDays = try run(
      """
      DELETE FROM installation_day AS d
      WHERE d.id < ?1 AND d.id NOT IN (SELECT id FROM staying_day)
      """, day << 48)
  }

  /// Counts by release keep their phones apart, but not by the ids of phones that go.
  private func nameAnew(_ start: Int64) throws(StoreError) {
    try run(
      """
      INSERT INTO going_installation
      SELECT i.id, (SELECT min(0, coalesce(min(r.installation_id), 0)) FROM release_installation AS r)
        - row_number() OVER (ORDER BY i.id)
      FROM installation AS i
      WHERE i.last_at < ?1 AND i.id NOT IN
        (SELECT n.installation_id FROM staying_notification AS s JOIN notification_row AS n ON n.id = s.id)
      """, start)
    try database.execute(
      """
      UPDATE release_installation SET installation_id =
        (SELECT g.number FROM going_installation AS g WHERE g.id = installation_id)
      WHERE installation_id IN (SELECT g.id FROM going_installation AS g)
      """)
  }

  /// Of each phone that lives on, the last days of its own records stay: settings hold until the
  /// phone says otherwise.
  private func shortenDays(_ limit: Int64) throws(StoreError) {
    let stored = StoredRows(database: database, pool: TextPool())
    let all = try database.prepare("SELECT id FROM installation WHERE days <> '[]'")
    let stays = try database.prepare("INSERT OR IGNORE INTO staying_day VALUES (?1)")
    let update = try database.prepare("UPDATE installation SET days = ?2 WHERE id = ?1")
    var ids: [Int64] = []
    while try all.step() { ids.append(all.integer(0)) }
    all.reset()
    for id in ids {
      let days = try stored.installation(id)?.days.sorted() ?? []
      let old = days.filter { Int64($0) < limit }
      let kept = old.suffix(StoredRows.daysInForce)
      for day in kept {
        stays.bind(1, StoredRows.installationDayID(day: Int64(day), installation: id))
        try stays.run()
      }
      guard kept.count < old.count else { continue }
      update.bind(1, id)
      update.bind(2, StoredRows.text(ofDays: kept + days.dropFirst(old.count)))
      try update.run()
    }
  }

  // MARK: Ids

  private func shortenIdentifiers(_ day: Int64) throws(StoreError) {
    var staying: Set<Int64> = []
    let kept = try database.prepare("SELECT id FROM staying_notification")
    while try kept.step() { staying.insert(kept.integer(0)) }
    kept.reset()
    let limit = day << 48
    let next = try database.prepare(
      """
      SELECT run, first_hash, entries FROM identifier_block
      WHERE (run, first_hash) > (?1, ?2) ORDER BY run, first_hash LIMIT 1
      """)
    let update = try database.prepare(
      "UPDATE identifier_block SET entries = ?3 WHERE run = ?1 AND first_hash = ?2")
    let delete = try database.prepare(
      "DELETE FROM identifier_block WHERE run = ?1 AND first_hash = ?2")
    var place = (run: Int64.min, hash: Int64.min)
    while true {
      next.bind(1, place.run)
      next.bind(2, place.hash)
      guard try next.step() else { break }
      place = (next.integer(0), next.integer(1))
      let entries = next.blob(2)
      next.reset()
      let left = IdentifierIndex.filter(entries) { $0 >= limit || staying.contains($0) }
      guard left.count < entries.count else { continue }
      let statement = left.isEmpty ? delete : update
      statement.bind(1, place.run)
      statement.bind(2, place.hash)
      if !left.isEmpty { statement.bind(3, blob: left) }
      try statement.run()
    }
    next.reset()
    // What is left of a run's filter says yes too often, never no wrongly; gone runs take theirs along.
    try run(
      "DELETE FROM identifier_filter WHERE run NOT IN (SELECT run FROM identifier_block)")
  }

  // MARK: Stored lines

  /// Removes blocks of stored lines that nothing points to any more, and of those that hold lines
  /// of both what went and what stays, the former.
  private func removeLines(_ summary: inout PruneSummary) throws(StoreError) {
    summary.blocks = try run(
      """
      DELETE FROM raw_block
      WHERE id NOT IN (SELECT raw_block FROM notification_row WHERE raw_block IS NOT NULL)
      """)
    let users = try database.prepare(
      """
      SELECT n.raw_block, n.id FROM notification_row AS n
      WHERE n.raw_block IN (SELECT id FROM touched_block) ORDER BY n.raw_block, n.id
      """)
    var rows: [(block: Int64, notification: Int64)] = []
    while try users.step() { rows.append((users.integer(0), users.integer(1))) }
    users.reset()
    let stored = StoredRows(database: database, pool: TextPool())
    let lines = StoredLines(database)
    var place = 0
    while place < rows.count {
      let block = rows[place].block
      var wanted: Set<RecordReference> = []
      let records = RecordSet()
      while place < rows.count, rows[place].block == block {
        if let row = try stored.notification(rows[place].notification, into: records) {
          for send in row.sends { wanted.insert(records.sends[Int(send)].reference) }
          for event in row.events { wanted.insert(records.events[Int(event)].reference) }
        }
        place += 1
      }
      let all = try lines.lines(block: block)
      let left = all.filter { wanted.contains($0.reference) }
      guard left.count < all.count else { continue }
      try lines.replace(block: block, with: left)
      summary.shortenedBlocks += 1
    }
  }

  // MARK: Statements

  /// Runs a statement; returns how many rows it changed.
  @discardableResult
  private func run(_ sql: String, _ values: Int64...) throws(StoreError) -> Int {
    let statement = try database.prepare(sql)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value) }
    try statement.run()
    return Int(try database.scalar("SELECT changes()") ?? 0)
  }

  private func number(_ sql: String, _ value: Int64) throws(StoreError) -> Int64? {
    let statement = try database.prepare(sql)
    statement.bind(1, value)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }
}

extension Database {
  static let prunedSetting = "pruned_before"

  /// The first day that no pruning removed, days since 1970; nil if there was none.
  public func prunedBefore() throws(StoreError) -> Int64? {
    try setting(Database.prunedSetting).flatMap { Int64($0) }
  }
}
