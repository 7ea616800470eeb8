public import PushModel

/// One row of `source`. How far it was read is bytes that only the reader understands.
public struct SourceRecord: Sendable {
  /// Number.
  public var id: Int64
  /// Path as given.
  public var name: String
  /// Format; "" if none was recognised.
  public var adapter: String
  /// How far it was read.
  public var state: [UInt8]
  /// Earliest record.
  public var firstAt: Int64?
  /// Latest record.
  public var lastAt: Int64?
  /// Lines read.
  public var linesRead: Int64
  /// Records kept.
  public var kept: Int64
  /// Records that were here already.
  public var duplicate: Int64
  /// Lines that could not be understood.
  public var noted: Int64
  /// Empty lines and comments.
  public var skipped: Int64
  /// Offset and first line of each chunk.
  public var chunks: [UInt8]
  /// Zone that was taken for times without one, as a person writes it; nil if all have one.
  public var assumedZone: String?
  /// Time that was taken for records without one; nil if all have one.
  public var assumedTime: Int64?
  /// Year that was taken for times without one; nil if all have one.
  public var assumedYear: Int?
  /// What it shows of its own completeness.
  public var completeness: Completeness

  /// A row.
  public init(
    id: Int64, name: String, adapter: String, state: [UInt8], firstAt: Int64?, lastAt: Int64?,
    linesRead: Int64, kept: Int64, duplicate: Int64, noted: Int64, skipped: Int64, chunks: [UInt8],
    assumedZone: String? = nil, assumedTime: Int64? = nil, assumedYear: Int? = nil,
    completeness: Completeness = Completeness()
  ) {
    self.id = id
    self.name = name
    self.adapter = adapter
    self.state = state
    self.firstAt = firstAt
    self.lastAt = lastAt
    self.linesRead = linesRead
    self.kept = kept
    self.duplicate = duplicate
    self.noted = noted
    self.skipped = skipped
    self.chunks = chunks
    self.assumedZone = assumedZone
    self.assumedTime = assumedTime
    self.assumedYear = assumedYear
    self.completeness = completeness
  }
}

extension Database {
  // MARK: Settings and runs

  /// A stored setting.
  public func setting(_ name: String) throws(StoreError) -> String? {
    let statement = try prepare("SELECT value FROM setting WHERE name = ?1")
    statement.bind(1, name)
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : nil
  }

  /// Stores a setting.
  public func set(_ name: String, _ value: String) throws(StoreError) {
    let statement = try prepare("INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)")
    statement.bind(1, name)
    statement.bind(2, value)
    try statement.run()
  }

  /// Removes a setting.
  public func removeSetting(_ name: String) throws(StoreError) {
    let statement = try prepare("DELETE FROM setting WHERE name = ?1")
    statement.bind(1, name)
    try statement.run()
  }

  /// Whether any installation is stored.
  public func hasRows() throws(StoreError) -> Bool {
    try scalar("SELECT EXISTS (SELECT 1 FROM installation)") == 1
  }

  /// The number of the next run of ingest.
  public func nextRun() throws(StoreError) -> Int64 {
    try scalar("SELECT coalesce(max(id), 0) + 1 FROM ingest_run") ?? 1
  }

  /// The newest day of sends that the runs before knew, days since 1970; 0 if there was none.
  public func newestDayOfRuns() throws(StoreError) -> Int64 {
    try scalar("SELECT coalesce(max(newest_day), 0) FROM ingest_run") ?? 0
  }

  /// Records a run of ingest; its day is the newest day of sends that was known when it ended.
  public func recordRun(_ run: Int64, newestDay: Int64) throws(StoreError) {
    let statement = try prepare(
      "INSERT OR REPLACE INTO ingest_run (id, newest_day) VALUES (?1, ?2)")
    statement.bind(1, run)
    statement.bind(2, newestDay)
    try statement.run()
  }

  // MARK: Sources

  /// All sources, in order.
  public func sources() throws(StoreError) -> [SourceRecord] {
    let statement = try prepare(
      """
      SELECT id, name, adapter, state, first_at, last_at, lines_read, kept, duplicate, noted, \
      skipped, chunks, assumed_zone, assumed_time, assumed_year, loss_records, lost_lines, \
      hidden_lines, filter_notes, system_lines, levels, processes, numbered, unnumbered \
      FROM source ORDER BY id
      """)
    var rows: [SourceRecord] = []
    while try statement.step() {
      rows.append(
        SourceRecord(
          id: statement.integer(0), name: statement.text(1), adapter: statement.text(2),
          state: statement.blob(3), firstAt: statement.optionalInteger(4),
          lastAt: statement.optionalInteger(5), linesRead: statement.integer(6),
          kept: statement.integer(7), duplicate: statement.integer(8),
          noted: statement.integer(9), skipped: statement.integer(10), chunks: statement.blob(11),
          assumedZone: statement.optionalText(12), assumedTime: statement.optionalInteger(13),
          assumedYear: statement.optionalInteger(14).map { Int($0) },
          completeness: Completeness(statement, from: 15)))
    }
    statement.reset()
    return rows
  }

  /// Names and states of files that were read as a whole: compressed files and archives.
  public func fileStates() throws(StoreError) -> [(name: String, state: [UInt8])] {
    let statement = try prepare("SELECT name, state FROM source_file ORDER BY name")
    var files: [(name: String, state: [UInt8])] = []
    while try statement.step() { files.append((statement.text(0), statement.blob(1))) }
    statement.reset()
    return files
  }

  /// Stores a source.
  public func store(_ source: SourceRecord) throws(StoreError) {
    let statement = try prepare(
      """
      INSERT INTO source (id, name, adapter, state, first_at, last_at, lines_read, kept, \
      duplicate, noted, skipped, chunks, assumed_zone, assumed_time, assumed_year, loss_records, \
      lost_lines, hidden_lines, filter_notes, system_lines, levels, processes, numbered, \
      unnumbered) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, \
      ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24) ON CONFLICT (id) DO UPDATE SET \
      name = excluded.name, adapter = excluded.adapter, \
      state = excluded.state, first_at = excluded.first_at, last_at = excluded.last_at, \
      lines_read = excluded.lines_read, kept = excluded.kept, duplicate = excluded.duplicate, \
      noted = excluded.noted, skipped = excluded.skipped, chunks = excluded.chunks, \
      assumed_zone = excluded.assumed_zone, assumed_time = excluded.assumed_time, \
      assumed_year = excluded.assumed_year, loss_records = excluded.loss_records, lost_lines = excluded.lost_lines, \
      hidden_lines = excluded.hidden_lines, filter_notes = excluded.filter_notes, \
      system_lines = excluded.system_lines, levels = excluded.levels, \
      processes = excluded.processes, numbered = excluded.numbered, \
      unnumbered = excluded.unnumbered
      """)
    statement.bind(1, source.id)
    statement.bind(2, source.name)
    statement.bind(3, source.adapter)
    statement.bind(4, blob: source.state)
    statement.bind(5, source.firstAt)
    statement.bind(6, source.lastAt)
    statement.bind(7, source.linesRead)
    statement.bind(8, source.kept)
    statement.bind(9, source.duplicate)
    statement.bind(10, source.noted)
    statement.bind(11, source.skipped)
    statement.bind(12, blob: source.chunks)
    statement.bind(13, source.assumedZone)
    statement.bind(14, source.assumedTime)
    statement.bind(15, source.assumedYear.map { Int64($0) })
    source.completeness.bind(statement, from: 16)
    try statement.run()
  }

  /// Stores the state of a file as a whole.
  public func storeFile(name: String, state: [UInt8]) throws(StoreError) {
    let statement = try prepare("INSERT OR REPLACE INTO source_file (name, state) VALUES (?1, ?2)")
    statement.bind(1, name)
    statement.bind(2, blob: state)
    try statement.run()
  }

  /// Removes the notes on lines of a source behind a line, and those on it as a whole if all go.
  public func removeNotes(source: Int64, behind line: Int64) throws(StoreError) {
    let statement = try prepare(
      "DELETE FROM ingest_note WHERE source_id = ?1 AND (line > ?2 OR ?2 = 0)")
    statement.bind(1, source)
    statement.bind(2, line)
    try statement.run()
  }

  /// Stores a note on a line or a field.
  public func storeNote(source: Int64, line: Int64, field: String, reason: String, isLine: Bool)
    throws(StoreError)
  {
    let statement = try prepare(
      """
      INSERT OR REPLACE INTO ingest_note (source_id, line, field, reason, is_line) \
      VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    statement.bind(1, source)
    statement.bind(2, line)
    statement.bind(3, field)
    statement.bind(4, reason)
    statement.bind(5, isLine ? 1 : 0)
    try statement.run()
  }

  // MARK: Tokens, facts, shapes

  /// Calls `body` with every stored token.
  public func forEachToken(
    _ body: (_ token: TokenRecord, _ installation: Int64, _ firstAt: Int64, _ lastAt: Int64) -> Void
  ) throws(StoreError) {
    let statement = try prepare(
      "SELECT token, ends, installation_id, first_at, last_at FROM installation_token")
    while try statement.step() {
      body(
        StoredRows.token(statement.blob(0), ends: statement.text(1)), statement.integer(2),
        statement.integer(3), statement.integer(4))
    }
    statement.reset()
  }

  /// The kind of a token that no device registered: an id tied it to its installation.
  public static let learnedKind = "(learned from an id)"

  /// Stores a token that an id tied to an installation.
  public func storeLearnedToken(_ token: TokenRecord, installation: Int64) throws(StoreError) {
    let statement = try prepare(
      """
      INSERT OR IGNORE INTO installation_token (token, installation_id, ends, kind, environment, \
      first_at, last_at, source_id, line) SELECT ?1, ?2, ?3, ?4, NULL, 0, 0, 0, 0 \
      WHERE EXISTS (SELECT 1 FROM installation WHERE id = ?2)
      """)
    statement.bindToken(1, token)
    statement.bind(2, installation)
    statement.bindEnds(3, token)
    statement.bind(4, Database.learnedKind)
    try statement.run()
  }

  /// Whether an installation is stored that is known by its token only.
  public func isStandIn(_ installation: Int64) throws(StoreError) -> Bool {
    let statement = try prepare("SELECT device_id IS NULL FROM installation WHERE id = ?1")
    statement.bind(1, installation)
    defer { statement.reset() }
    return try statement.step() && statement.integer(0) == 1
  }

  /// Calls `body` with the short ids (F11.5) of what a phone's log shows and no send explains, with
  /// their device times.
  public func forEachShortID(ofPhone phone: Int64, _ body: (String, Int64) -> Void)
    throws(StoreError)
  {
    let statement = try prepare(
      "SELECT request_id, sent_at FROM notification WHERE installation_id = ?1"
        + " AND request_id GLOB '????-????'")
    statement.bind(1, phone)
    defer { statement.reset() }
    while try statement.step() { body(statement.text(0), statement.integer(1)) }
  }

  /// Calls `body` with installation, time and id of what was sent or seen in these days, by the ids
  /// that the phone takes as identifier of a request (F11.1).
  public func forEachRequestID(
    fromDay: Int64, toDay: Int64, _ body: (Int64, Int64, String) -> Void
  ) throws(StoreError) {
    // An id begins with its day, so the table is read in these days only.
    let statement = try prepare(
      "SELECT installation_id, sent_at, coalesce(request_id, collapse_id) FROM notification"
        + " WHERE id >= ?1 << 48 AND id < (?2 + 1) << 48"
        + " AND (request_id IS NOT NULL OR collapse_id IS NOT NULL)")
    statement.bind(1, max(fromDay, 0))
    statement.bind(2, min(max(toDay, 0), 30_000))
    defer { statement.reset() }
    while try statement.step() {
      body(statement.integer(0), statement.integer(1), statement.text(2))
    }
  }

  /// Stores facts of a release. True if they are new or other than before.
  public func storeFacts(
    bundle: String, version: String, build: String, facts: String, origin: String
  ) throws(StoreError) -> Bool {
    let find = try prepare(
      "SELECT facts FROM release_fact WHERE bundle = ?1 AND version = ?2 AND build = ?3")
    find.bind(1, bundle)
    find.bind(2, version)
    find.bind(3, build)
    let isSame = try find.step() && find.text(0) == facts
    find.reset()
    if isSame { return false }
    let statement = try prepare(
      """
      INSERT OR REPLACE INTO release_fact (bundle, version, build, facts, origin) \
      VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    statement.bind(1, bundle)
    statement.bind(2, version)
    statement.bind(3, build)
    statement.bind(4, facts)
    statement.bind(5, origin)
    try statement.run()
    return true
  }

  /// Installations and days that have notifications of a release; a build of "" is any build.
  public func installationDays(app: String, version: String, build: String)
    throws(StoreError) -> [(installation: Int64, day: Int64)]
  {
    let statement = try prepare(
      """
      SELECT DISTINCT installation_id, id >> 48 FROM notification \
      WHERE app = ?1 AND app_version = ?2 AND (?3 = '' OR build = ?3)
      """)
    statement.bind(1, app)
    statement.bind(2, version)
    statement.bind(3, build)
    var rows: [(installation: Int64, day: Int64)] = []
    while try statement.step() { rows.append((statement.integer(0), statement.integer(1))) }
    statement.reset()
    return rows
  }

  /// All installations with the days of their notifications.
  public func allInstallationDays() throws(StoreError) -> [Int64: Set<Int64>] {
    let statement = try prepare("SELECT DISTINCT installation_id, id >> 48 FROM notification")
    var rows: [Int64: Set<Int64>] = [:]
    while try statement.step() {
      rows[statement.integer(0), default: []].insert(statement.integer(1))
    }
    statement.reset()
    return rows
  }

  /// Stores shapes of payloads.
  public func writeShapes(_ shapes: [(hash: UInt64, text: String, facts: String)])
    throws(StoreError)
  {
    let statement = try prepare(
      "INSERT OR IGNORE INTO payload_shape (hash, shape, facts) VALUES (?1, ?2, ?3)")
    for shape in shapes {
      statement.bind(1, Int64(bitPattern: shape.hash))
      statement.bind(2, shape.text)
      statement.bind(3, shape.facts)
      try statement.run()
    }
  }
}

extension Completeness {
  /// Nine columns of `source`, in the order of the schema.
  init(_ row: Statement, from first: Int) {
    self.init()
    lossRecords = row.integer(first)
    lostLines = row.integer(first + 1)
    hiddenLines = row.integer(first + 2)
    filterNotes = row.integer(first + 3)
    systemLines = row.integer(first + 4)
    levels = Levels(rawValue: UInt8(truncatingIfNeeded: row.integer(first + 5)))
    processes = Processes(rawValue: UInt8(truncatingIfNeeded: row.integer(first + 6)))
    numbered = row.integer(first + 7)
    unnumbered = row.integer(first + 8)
  }

  func bind(_ statement: Statement, from first: Int32) {
    statement.bind(first, lossRecords)
    statement.bind(first + 1, lostLines)
    statement.bind(first + 2, hiddenLines)
    statement.bind(first + 3, filterNotes)
    statement.bind(first + 4, systemLines)
    statement.bind(first + 5, Int64(levels.rawValue))
    statement.bind(first + 6, Int64(processes.rawValue))
    statement.bind(first + 7, numbered)
    statement.bind(first + 8, unnumbered)
  }
}
