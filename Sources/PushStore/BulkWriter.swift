import CZstd
import PushModel

/// Writes the rows of a batch; all of a batch is one transaction.
///
/// Rows come in order of their ids, so that they go in at a few places of the tree, each in
/// sequence. Ids are kept apart in sorted runs instead of an index (see ``IdentifierIndex``).
public final class BulkWriter {
  private let database: Database
  private let pool: TextPool
  private let notification: Statement
  private let step: Statement
  private let installationDay: Statement
  private let rawBlock: Statement
  private var nextRawBlock: Int64
  private var identifiers: ContiguousArray<(hash: UInt64, notification: Int64)> = []
  private var identifierRun = IdentifierRun()
  private var knownDefinitions: Set<Int64> = []
  private var knownSets: Set<Int64> = []
  private var scratch: [UInt8] = []
  /// Ids of the row that is being bound, packed: SQLite reads them where they are.
  private let packedIDs = UnsafeMutableRawPointer.allocate(byteCount: 4 * 24, alignment: 8)

  /// A writer on a database that was opened for writing.
  public init(database: Database, pool: TextPool) throws(StoreError) {
    self.database = database
    self.pool = pool
    notification = try database.prepare(
      """
      INSERT OR REPLACE INTO notification_row (id, installation_id, sent_at, kind, meant, \
      meant_by, judgement, step, cause, confidence, stage, seen, needs, link, replaced, covered, \
      sends, events, profile_id, payload_shape, campaign_id, app_id, log_id, notification_id, \
      apns_id, collapse_id, request_id, token, download_us, handler_us, raw_block, timeline) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
      ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32)
      """)
    step = try database.prepare(
      """
      INSERT OR REPLACE INTO step_outcome (notification_id, place, step, cause, confidence, \
      sent_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    installationDay = try database.prepare(
      """
      INSERT OR REPLACE INTO installation_day (id, installation_id, records, unlinked, timeline) \
      VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    rawBlock = try database.prepare(
      "INSERT INTO raw_block (id, dictionary_id, size, lines) VALUES (?1, NULL, ?2, ?3)")
    nextRawBlock = try database.scalar("SELECT coalesce(max(id), 0) + 1 FROM raw_block") ?? 1
  }

  deinit { packedIDs.deallocate() }

  // MARK: Transactions

  /// Begins a batch. Waits for another writer for five seconds, then says that it is locked.
  public func begin() throws(StoreError) { try database.execute("BEGIN IMMEDIATE") }

  /// Ends a batch: its ids, then the commit.
  public func commit() throws(StoreError) {
    try writeIdentifiers()
    try database.execute("COMMIT")
  }

  /// Undoes a batch.
  public func rollback() { try? database.execute("ROLLBACK") }

  // MARK: Rows

  /// Writes a part of the batch.
  public func write(_ rows: RowSet) throws(StoreError) {
    try write(rows.definitions)
    var blocks: [Int64] = []
    for range in rows.rawBlocks {
      blocks.append(try writeRawBlock(rows.rawTexts, range))
    }
    if !rows.goneNotifications.isEmpty {
      let delete = try database.prepare("DELETE FROM notification_row WHERE id = ?1")
      for id in rows.goneNotifications {
        delete.bind(1, id)
        try delete.run()
      }
    }
    if !rows.staleSteps.isEmpty {
      let delete = try database.prepare("DELETE FROM step_outcome WHERE notification_id = ?1")
      for id in rows.staleSteps {
        delete.bind(1, id)
        try delete.run()
      }
    }
    try rows.notifications.withUnsafeBufferPointer { notifications throws(StoreError) in
      for index in rows.order { try write(notifications[Int(index)], rows.texts, blocks) }
    }
    for row in rows.steps {
      step.bind(1, row.notification)
      step.bind(2, row.place)
      bind(step, 3, row.step)
      if let cause = row.cause { bind(step, 4, cause) } else { step.bind(4, "") }
      step.bind(5, Int64(row.confidence.rawValue))
      step.bind(6, row.sentAt)
      try step.run()
    }
    for row in rows.installationDays {
      guard row.timeline.length > 0 else {
        let delete = try database.prepare("DELETE FROM installation_day WHERE id = ?1")
        delete.bind(1, row.id)
        try delete.run()
        continue
      }
      installationDay.bind(1, row.id)
      installationDay.bind(2, row.installation)
      installationDay.bind(3, row.records)
      installationDay.bind(4, row.unlinked)
      installationDay.bindStatic(
        5, rows.texts.base + Int(row.timeline.offset), Int(row.timeline.length))
      try installationDay.run()
    }
    try writeInstallations(rows)
    if !rows.notWaiting.isEmpty {
      let delete = try database.prepare(
        "DELETE FROM waiting_identifier WHERE hash = ?1 AND notification_id = ?2")
      for (hash, id) in rows.notWaiting {
        delete.bind(1, Int64(hash))
        delete.bind(2, id)
        try delete.run()
      }
    }
    if !rows.waiting.isEmpty {
      let insert = try database.prepare(
        "INSERT OR IGNORE INTO waiting_identifier (hash, notification_id) VALUES (?1, ?2)")
      for (hash, id) in rows.waiting {
        insert.bind(1, Int64(hash))
        insert.bind(2, id)
        try insert.run()
      }
    }
    identifiers.append(contentsOf: rows.identifiers)
    database.startWriteback()
  }

  private func bind(_ statement: Statement, _ place: Int32, _ step: StepID) {
    let bytes = pool.bytes(stepSymbol(step))
    statement.bindStatic(place, bytes.base, bytes.count)
  }

  private func bind(_ statement: Statement, _ place: Int32, _ cause: CauseID) {
    let bytes = pool.bytes(causeSymbol(cause))
    statement.bindStatic(place, bytes.base, bytes.count)
  }

  private lazy var stepSymbols: [Symbol] = StepID.allCases.map { pool.intern($0.rawValue) }
  private lazy var causeSymbols: [Symbol] = CauseID.allCases.map { pool.intern($0.rawValue) }
  private func stepSymbol(_ step: StepID) -> Symbol {
    stepSymbols[Int(unsafeBitCast(step, to: UInt8.self))]
  }
  private func causeSymbol(_ cause: CauseID) -> Symbol {
    causeSymbols[Int(unsafeBitCast(cause, to: UInt8.self))]
  }

  /// Place of the first of the four ids.
  private static let firstIDPlace: Int32 = 24

  private func write(_ row: NotificationRow, _ texts: ByteOutput, _ blocks: [Int64])
    throws(StoreError)
  {
    let s = notification
    s.bind(1, row.id)
    s.bind(2, row.installation)
    s.bind(3, row.sentAt)
    s.bind(4, Int64(row.kind.rawValue))
    s.bind(5, Int64(row.meant.rawValue))
    s.bind(6, Int64(row.meantBy.rawValue))
    s.bind(7, Int64(row.verdict.judgement.rawValue))
    if let step = row.verdict.step { bind(s, 8, step) } else { s.bindNull(8) }
    if let cause = row.verdict.cause { bind(s, 9, cause) } else { s.bindNull(9) }
    s.bind(10, Int64(row.verdict.confidence.rawValue))
    s.bind(11, Int64(row.verdict.stage.rawValue))
    s.bind(12, Int64(row.seen))
    s.bind(13, Int64(bitPattern: row.verdict.needs.rawValue))
    s.bind(14, Int64(row.link.rawValue))
    s.bind(15, row.isReplaced ? 1 : 0)
    s.bind(16, row.isCovered ? 1 : 0)
    s.bind(17, Int64(row.sends))
    s.bind(18, Int64(row.events))
    number(s, 19, row.numbers.profile)
    // A payload's shape has no number that means "none": without a send there is no profile either.
    if row.numbers.profile == 0 { s.bindNull(20) } else { s.bind(20, row.numbers.shape) }
    number(s, 21, row.numbers.campaign)
    s.bind(22, row.numbers.app)
    number(s, 23, row.numbers.log)
    identifier(s, 24, row.notificationID, texts)
    identifier(s, 25, row.apnsID, texts)
    identifier(s, 26, row.collapseID, texts)
    identifier(s, 27, row.requestID, texts)
    if row.token.isPresent {
      var bytes = (
        row.token.high.bigEndian, row.token.low.bigEndian, row.token.head.bigEndian,
        row.token.tail.bigEndian
      )
      withUnsafeBytes(of: &bytes) { bytes in
        if let base = bytes.baseAddress { s.bindTransientBlob(28, base, 24) }
      }
    } else {
      s.bindNull(28)
    }
    if row.download < 0 { s.bindNull(29) } else { s.bind(29, row.download) }
    if row.handler < 0 { s.bindNull(30) } else { s.bind(30, row.handler) }
    if row.rawBlock >= 0 {
      s.bind(31, blocks[Int(row.rawBlock)])
    } else if row.storedRawBlock > 0 {
      s.bind(31, row.storedRawBlock)
    } else {
      s.bindNull(31)
    }
    s.bindStatic(32, texts.base + Int(row.timeline.offset), Int(row.timeline.length))
    try s.run()
  }

  @inline(__always)
  private func number(_ statement: Statement, _ place: Int32, _ number: Int64) {
    if number == 0 { statement.bindNull(place) } else { statement.bind(place, number) }
  }

  @inline(__always)
  private func text(_ statement: Statement, _ place: Int32, _ value: TextValue) {
    guard let symbol = value.symbol else { return statement.bindNull(place) }
    let bytes = pool.bytes(symbol)
    statement.bindStatic(place, bytes.base, bytes.count)
  }

  @inline(__always)
  private func identifier(
    _ statement: Statement, _ place: Int32, _ range: TextRange, _ texts: ByteOutput
  ) {
    guard range.length > 0 else { return statement.bindNull(place) }
    let base = UnsafeRawPointer(texts.base + Int(range.offset))
    if let stored = StoredIdentifier(base, Int(range.length)) {
      let bytes = packedIDs + Int(place - BulkWriter.firstIDPlace) * 24
      bytes.storeBytes(of: stored.high.bigEndian, as: UInt64.self)
      bytes.storeBytes(of: stored.low.bigEndian, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: 0, toByteOffset: 16, as: UInt8.self)
      statement.bindStaticBlob(place, bytes, stored.count)
    } else {
      statement.bindStatic(place, base, Int(range.length))
    }
  }

  private func write(_ definitions: TimelineWriter.Definitions) throws(StoreError) {
    if !definitions.origins.isEmpty {
      let insert = try database.prepare(
        """
        INSERT OR IGNORE INTO origin (id, bundle, version, build, os, model) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
      for (id, origin) in definitions.origins where knownDefinitions.insert(id).inserted {
        insert.bind(1, id)
        let parts = [origin.bundle, origin.version, origin.build, origin.os, origin.model]
        for (index, symbol) in parts.enumerated() { insert.bind(Int32(2 + index), pool[symbol]) }
        try insert.run()
      }
    }
    if !definitions.apps.isEmpty {
      let insert = try database.prepare(
        """
        INSERT OR IGNORE INTO installed_app \
        (id, app, app_version, build, os_version, device_model, notifications) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)
        """)
      for (id, origin) in definitions.apps {
        insert.bind(1, id)
        let parts = [origin.bundle, origin.version, origin.build, origin.os, origin.model]
        for (index, symbol) in parts.enumerated() { insert.bind(Int32(2 + index), pool[symbol]) }
        try insert.run()
      }
    }
    if !definitions.names.isEmpty {
      let insert = try database.prepare("INSERT OR IGNORE INTO name (id, text) VALUES (?1, ?2)")
      for (id, text) in definitions.names where knownDefinitions.insert(id).inserted {
        insert.bind(1, id)
        insert.bind(2, text)
        try insert.run()
      }
    }
    if !definitions.profiles.isEmpty {
      let insert = try database.prepare(
        "INSERT OR IGNORE INTO send_profile (id, profile) VALUES (?1, ?2)")
      for (id, text) in definitions.profiles where knownDefinitions.insert(id).inserted {
        insert.bind(1, id)
        insert.bind(2, text)
        try insert.run()
      }
    }
    if !definitions.sets.isEmpty {
      let insert = try database.prepare(
        "INSERT OR IGNORE INTO attribute_set (id, attrs) VALUES (?1, ?2)")
      for (id, text) in definitions.sets where knownSets.insert(id).inserted {
        insert.bind(1, id)
        insert.bind(2, text)
        try insert.run()
      }
    }
  }

  private func writeInstallations(_ rows: RowSet) throws(StoreError) {
    for id in rows.goneInstallations {
      let delete = try database.prepare("DELETE FROM installation WHERE id = ?1")
      delete.bind(1, id)
      try delete.run()
    }
    if !rows.installations.isEmpty {
      let insert = try database.prepare(
        """
        INSERT INTO installation (id, device_id, first_at, last_at, has_events, days) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET \
        device_id = coalesce(excluded.device_id, device_id), \
        first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at), \
        has_events = max(has_events, excluded.has_events), days = excluded.days
        """)
      for row in rows.installations {
        insert.bind(1, row.id)
        if row.deviceID.length > 0 {
          insert.bindStatic(
            2, rows.texts.base + Int(row.deviceID.offset), Int(row.deviceID.length))
        } else {
          insert.bindNull(2)
        }
        insert.bind(3, row.firstAt)
        insert.bind(4, row.lastAt)
        insert.bind(5, row.hasEvents ? 1 : 0)
        insert.bind(6, StoredRows.text(ofDays: row.days))
        try insert.run()
      }
    }
    if !rows.tokens.isEmpty {
      let insert = try database.prepare(
        """
        INSERT OR REPLACE INTO installation_token (token, installation_id, ends, kind, \
        environment, first_at, last_at, source_id, line) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """)
      for (installation, span) in rows.tokens {
        var digest = (span.token.high.bigEndian, span.token.low.bigEndian)
        withUnsafeBytes(of: &digest) { bytes in
          if let base = bytes.baseAddress { insert.bindTransientBlob(1, base, 16) }
        }
        insert.bind(2, installation)
        insert.bindEnds(3, span.token)
        text(insert, 4, span.kind)
        text(insert, 5, span.environment)
        insert.bind(6, span.firstAt)
        insert.bind(7, span.lastAt)
        insert.bind(8, Int64(span.reference.source))
        insert.bind(9, Int64(span.reference.line))
        try insert.run()
      }
    }
    if !rows.coverage.isEmpty {
      let delete = try database.prepare(
        """
        DELETE FROM coverage \
        WHERE installation_id = ?1 AND log = ?2 AND first_seq = ?3 AND first_at = ?4
        """)
      let insert = try database.prepare(
        """
        INSERT OR REPLACE INTO coverage (installation_id, log, first_seq, last_seq, first_at, \
        last_at, processes, first_source, first_line, last_source, last_line) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """)
      for (installation, gone, added) in rows.coverage {
        for run in gone {
          delete.bind(1, installation)
          bind(delete, 2, log: run.log)
          delete.bind(3, run.first)
          delete.bind(4, run.firstAt)
          try delete.run()
        }
        for run in added {
          insert.bind(1, installation)
          bind(insert, 2, log: run.log)
          insert.bind(3, run.first)
          insert.bind(4, run.last)
          insert.bind(5, run.firstAt)
          insert.bind(6, run.lastAt)
          insert.bind(7, run.processes)
          insert.bind(8, Int64(run.firstReference.source))
          insert.bind(9, Int64(run.firstReference.line))
          insert.bind(10, Int64(run.lastReference.source))
          insert.bind(11, Int64(run.lastReference.line))
          try insert.run()
        }
      }
    }
  }

  private func bind(_ statement: Statement, _ place: Int32, log: TextValue) {
    guard let log = log.symbol else { return statement.bind(place, "") }
    let bytes = pool.bytes(log)
    statement.bindStatic(place, bytes.base, bytes.count)
  }

  // MARK: Stored lines

  private func writeRawBlock(_ texts: ByteOutput, _ range: TextRange) throws(StoreError) -> Int64 {
    let size = try StoredLines(database).pack(
      texts.base + Int(range.offset), Int(range.length), into: &scratch)
    let id = nextRawBlock
    nextRawBlock += 1
    rawBlock.bind(1, id)
    rawBlock.bind(2, Int64(range.length))
    scratch.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { rawBlock.bindStaticBlob(3, base, size) }
    }
    try rawBlock.run()
    return id
  }

  // MARK: Ids

  /// Sorts and packs the ids of the batch, which ``commit()`` writes. Touches nothing but them, so that it
  /// may run beside the writing of what else is left of the batch.
  public func prepareIdentifiers() {
    guard !identifiers.isEmpty else { return }
    IdentifierSort.sort(&identifiers)
    identifierRun = IdentifierRun(identifiers)
    identifiers.removeAll(keepingCapacity: true)
  }

  private func writeIdentifiers() throws(StoreError) {
    prepareIdentifiers()
    guard !identifierRun.blocks.isEmpty else { return }
    let run = (try database.scalar("SELECT coalesce(max(run), 0) + 1 FROM identifier_block")) ?? 1
    let insert = try database.prepare(
      "INSERT INTO identifier_block (run, first_hash, entries) VALUES (?1, ?2, ?3)")
    for block in identifierRun.blocks {
      insert.bind(1, run)
      insert.bind(2, Int64(block.firstHash))
      insert.bind(3, blob: block.entries)
      try insert.run()
    }
    let insertFilter = try database.prepare(
      "INSERT INTO identifier_filter (run, bits) VALUES (?1, ?2)")
    insertFilter.bind(1, run)
    insertFilter.bind(2, blob: identifierRun.filter)
    try insertFilter.run()
    identifierRun = IdentifierRun()
  }

  // MARK: Roll-ups

  /// Adds the counts of a batch to the roll-ups.
  public func write(_ delta: RollupDelta, run: Int64) throws(StoreError) {
    func release(_ version: Symbol, _ build: Symbol) -> String {
      version == .empty ? "" : build == .empty ? pool[version] : "\(pool[version])(\(pool[build]))"
    }
    let dimensions = ["all", "release", "os", "topic", "campaign"]
    let count = try database.prepare(
      """
      INSERT INTO day_rollup (day, app, dimension, value, class, judgement, step, cause, \
      confidence, stage, notifications) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
      ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
    for (key, value) in delta.allCounts.counted {
      count.bind(1, Int64(key.day))
      count.bind(2, pool[key.app])
      count.bind(3, dimensions[Int(key.dimension.rawValue)])
      count.bind(4, key.dimension == .release ? release(key.value, key.build) : pool[key.value])
      count.bind(5, Int64(key.meaningClass))
      count.bind(6, Int64(key.judgement.rawValue))
      count.bind(7, key.step?.rawValue ?? "")
      count.bind(8, key.cause?.rawValue ?? "")
      count.bind(9, Int64(key.confidence.rawValue))
      count.bind(10, key.stage.map { Int64($0) } ?? -1)
      count.bind(11, value)
      try count.run()
    }
    let phone = try database.prepare(
      """
      INSERT INTO day_phone (day, app, release, os, model, class, judgement, step, cause, \
      confidence, notifications) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
      ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
    for (key, value) in delta.phones.counted {
      phone.bind(1, Int64(key.release.day))
      phone.bind(2, pool[key.release.app])
      phone.bind(3, release(key.release.value, key.release.build))
      phone.bind(4, pool[key.os])
      phone.bind(5, pool[key.model])
      phone.bind(6, Int64(key.release.meaningClass))
      phone.bind(7, Int64(key.release.judgement.rawValue))
      phone.bind(8, key.release.step?.rawValue ?? "")
      phone.bind(9, key.release.cause?.rawValue ?? "")
      phone.bind(10, Int64(key.release.confidence.rawValue))
      phone.bind(11, value)
      try phone.run()
    }
    let replaced = try database.prepare(
      """
      INSERT INTO day_replaced (day, app, release, os, model, topic, campaign, class, \
      notifications) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
      ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
    for (key, value) in delta.replaced.counted {
      replaced.bind(1, Int64(key.phone.release.day))
      replaced.bind(2, pool[key.phone.release.app])
      replaced.bind(3, release(key.phone.release.value, key.phone.release.build))
      replaced.bind(4, pool[key.phone.os])
      replaced.bind(5, pool[key.phone.model])
      replaced.bind(6, pool[key.topic])
      replaced.bind(7, pool[key.campaign])
      replaced.bind(8, Int64(key.phone.release.meaningClass))
      replaced.bind(9, value)
      try replaced.run()
    }
    try write(delta.releaseInstallations)
    let answer = try database.prepare(
      """
      INSERT INTO day_answer (day, app, status, reason, link, notifications) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
      ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
    for (key, value) in delta.answers.counted {
      answer.bind(1, Int64(key.day))
      answer.bind(2, pool[key.app])
      answer.bind(3, Int64(key.status))
      answer.bind(4, pool[key.reason])
      answer.bind(5, Int64(key.link))
      answer.bind(6, value)
      try answer.run()
    }
    let timing = try database.prepare(
      """
      INSERT INTO day_timing (day, app, value, measure, bucket, notifications) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
      ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
    for (key, value) in delta.timings.counted {
      timing.bind(1, Int64(key.day))
      timing.bind(2, pool[key.app])
      timing.bind(3, release(key.version, key.build))
      timing.bind(4, key.isDownload ? "download" : "handler")
      timing.bind(5, Int64(key.bucket))
      timing.bind(6, value)
      try timing.run()
    }
    let seen = try database.prepare(
      """
      INSERT INTO day_installation (day, seen, logging, gapless) VALUES (?1, ?2, ?3, ?4) \
      ON CONFLICT DO UPDATE SET seen = seen + excluded.seen, \
      logging = logging + excluded.logging, gapless = gapless + excluded.gapless
      """)
    for (day, value) in delta.installations where value != (0, 0, 0) {
      seen.bind(1, Int64(day))
      seen.bind(2, value.seen)
      seen.bind(3, value.logging)
      seen.bind(4, value.gapless)
      try seen.run()
    }
    let change = try database.prepare(
      """
      INSERT INTO late_change (run, day, from_judgement, to_judgement, notifications) \
      VALUES (?1, ?2, ?3, ?4, ?5) \
      ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
    for (key, value) in delta.changes where value != 0 {
      change.bind(1, run)
      change.bind(2, Int64(key.day))
      change.bind(3, Int64(key.from.rawValue))
      change.bind(4, Int64(key.to.rawValue))
      change.bind(5, value)
      try change.run()
    }
    let apps = try database.prepare(
      "UPDATE installed_app SET notifications = notifications + ?2 WHERE id = ?1")
    for (id, value) in delta.apps where value != 0 {
      apps.bind(1, id)
      apps.bind(2, value)
      try apps.run()
    }
    let hasNegative =
      delta.totals.hasNegative || delta.topics.hasNegative || delta.campaigns.hasNegative
      || delta.phones.hasNegative || delta.replaced.hasNegative || delta.answers.hasNegative
      || delta.timings.hasNegative
      || delta.installations.values.contains { $0.seen < 0 }
    if hasNegative {
      for table in ["day_rollup", "day_phone", "day_replaced", "day_answer", "day_timing"] {
        try database.execute("DELETE FROM \(table) WHERE notifications = 0")
      }
      try database.execute("DELETE FROM day_installation WHERE seen = 0")
      try database.execute(BulkWriter.removeUnusedApps)
    }
  }

  /// Removes releases and kinds of phones that no row and no count has.
  static let removeUnusedApps = """
    DELETE FROM installed_app WHERE notifications = 0 AND NOT EXISTS
      (SELECT 1 FROM release_installation AS r WHERE r.app_id = installed_app.id)
    """

  private func write(_ counts: CountTable<InstallationKey>) throws(StoreError) {
    let add = try database.prepare(
      """
      INSERT INTO release_installation (app_id, installation_id, class, judgement, step, cause, \
      link, covered, only_accepted, notifications) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
      ON CONFLICT DO UPDATE SET notifications = notifications + excluded.notifications
      """)
    // The table grows with the phones, so what is used up is not looked for in all of it.
    let remove = try database.prepare(
      """
      DELETE FROM release_installation WHERE app_id = ?1 AND installation_id = ?2 AND class = ?3 \
      AND judgement = ?4 AND step = ?5 AND cause = ?6 AND link = ?7 AND covered = ?8 \
      AND only_accepted = ?9 AND notifications = 0
      """)
    func bindKey(_ statement: Statement, _ key: InstallationKey) {
      statement.bind(1, key.app)
      statement.bind(2, key.installation)
      statement.bind(3, Int64(key.meaningClass))
      statement.bind(4, Int64(key.judgement.rawValue))
      if let step = key.step { bind(statement, 5, step) } else { statement.bind(5, "") }
      if let cause = key.cause { bind(statement, 6, cause) } else { statement.bind(6, "") }
      statement.bind(7, Int64(key.link))
      statement.bind(8, key.isCovered ? 1 : 0)
      statement.bind(9, key.isOnlyAccepted ? 1 : 0)
    }
    for (key, value) in counts.counted.sorted(by: { $0.0 < $1.0 }) {
      bindKey(add, key)
      add.bind(10, value)
      try add.run()
      guard value < 0 else { continue }
      bindKey(remove, key)
      try remove.run()
    }
  }
}

extension Statement {
  /// Binds bytes that live only in this call.
  func bindTransientBlob(_ place: Int32, _ base: UnsafeRawPointer, _ count: Int) {
    bindCopy(place, blob: base, count)
  }

  /// Binds the first and last four characters of a token's text.
  func bindEnds(_ place: Int32, _ token: TokenRecord) {
    var ends: [UInt8] = []
    for shift in [24, 16, 8, 0] as [UInt32] {
      ends.append(UInt8(truncatingIfNeeded: token.head >> shift))
    }
    ends.append(contentsOf: [0xe2, 0x80, 0xa6])
    for shift in [24, 16, 8, 0] as [UInt32] {
      ends.append(UInt8(truncatingIfNeeded: token.tail >> shift))
    }
    bind(place, String(decoding: ends.filter { $0 != 0 }, as: UTF8.self))
  }
}
