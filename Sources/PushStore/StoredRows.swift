public import PushModel

/// A stored notification with its records in a set.
public struct StoredNotification: Sendable {
  /// Its row; texts of ids are ranges of the record set's texts, the timeline is left out.
  public var row: NotificationRow
  /// Places of its sends.
  public var sends: Range<UInt32>
  /// Places of its events.
  public var events: Range<UInt32>
  /// Hash of its timeline's text.
  public var timelineHash: UInt64
  /// Ids in the row.
  public var identity: RowIdentity
}

/// What is stored of an installation itself.
public struct StoredInstallation: Sendable {
  /// Device id, nil if it is known by its token only.
  public var deviceID: String?
  /// First record.
  public var firstAt: Int64
  /// Last record.
  public var lastAt: Int64
  /// Whether it ever logged.
  public var hasEvents: Bool
  /// Days of its own records.
  public var days: [Int32]
}

/// Reads stored rows back as records, for those installations that a batch touches.
public final class StoredRows {
  /// The connection it reads with.
  public let database: Database
  private let pool: TextPool
  private let timelines: TimelineReader
  private var isReading = false

  /// A reader on a connection of its own thread.
  public init(database: Database, pool: TextPool) {
    self.database = database
    self.pool = pool
    timelines = TimelineReader(database: database, pool: pool)
  }

  /// So many of the last days of an installation's own records before a moment say what was in force
  /// then.
  public static let daysInForce = 4
  /// So many are looked at where the last ones leave something open: recorders that write settings when
  /// they change name them once in weeks.
  public static let mostDaysInForce = 30

  /// Whether a day of own records, counted back from a moment, is looked at for what was in force then.
  public static func isInForce(_ count: Int, isSomethingOpen: Bool) -> Bool {
    count < daysInForce || (isSomethingOpen && count < mostDaysInForce)
  }

  /// Days of an installation's own records as they are stored.
  static func text(ofDays days: some Collection<Int32>) -> String {
    "[" + days.map(String.init).joined(separator: ",") + "]"
  }

  /// Statements that run several times for each installation, found without their text.
  private var ofDay: Statement?
  private var ofOwnDay: Statement?

  private func prepared(_ statement: inout Statement?, _ sql: String) throws(StoreError)
    -> Statement
  {
    if let statement {
      statement.reset()
      return statement
    }
    let new = try database.prepare(sql)
    statement = new
    return new
  }

  /// Has all reads until ``endReading()`` see one state, and takes the lock of the file once instead of
  /// for each of them. Only where a writer beside it does not wait for readers.
  public func beginReading() throws(StoreError) { isReading = try database.beginReading() }

  /// Ends what ``beginReading()`` began.
  public func endReading() throws(StoreError) {
    if isReading { try database.execute("COMMIT") }
    isReading = false
  }

  /// Whether anything is stored.
  public func isEmpty() throws(StoreError) -> Bool {
    try database.scalar("SELECT EXISTS (SELECT 1 FROM installation)") == 0
  }

  /// Whether rows of another installation may have the ids of this one's: they share the bits that
  /// stand for it there (``RowID/bits(of:)``).
  public func hasNeighbour(of installation: Int64) throws(StoreError) -> Bool {
    let statement = try database.prepare(
      "SELECT 1 FROM installation WHERE id BETWEEN ?1 AND ?2 AND id <> ?3 LIMIT 1")
    let first = RowID.bits(of: installation) << 43
    statement.bind(1, first)
    statement.bind(2, first | (1 << 43 - 1))
    statement.bind(3, installation)
    defer { statement.reset() }
    return try statement.step()
  }

  /// The installation of the notification with an id, nil if there is none.
  public func installation(ofRow id: Int64) throws(StoreError) -> Int64? {
    let statement = try database.prepare(
      "SELECT installation_id FROM notification_row WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// What is stored of an installation, nil if nothing is.
  public func installation(_ id: Int64) throws(StoreError) -> StoredInstallation? {
    let statement = try database.prepare(
      "SELECT device_id, first_at, last_at, has_events, days FROM installation WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let days = statement.withText(4) { bytes -> [Int32] in
      var cursor = JSONCursor(bytes)
      var days: [Int32] = []
      cursor.expect(0x5b)
      if cursor.hasFirst(until: 0x5d) {
        repeat {
          days.append(Int32(truncatingIfNeeded: cursor.integer()))
        } while cursor.another(until: 0x5d)
      }
      return days
    }
    return StoredInstallation(
      deviceID: statement.optionalText(0), firstAt: statement.integer(1),
      lastAt: statement.integer(2), hasEvents: statement.integer(3) != 0, days: days)
  }

  /// Stored runs of an installation's counter.
  public func coverage(_ id: Int64) throws(StoreError) -> [CoverageRow] {
    let statement = try database.prepare(
      """
      SELECT log, first_seq, last_seq, first_at, last_at, processes, first_source, first_line, \
      last_source, last_line FROM coverage WHERE installation_id = ?1
      """)
    statement.bind(1, id)
    var rows: [CoverageRow] = []
    while try statement.step() {
      let log = statement.text(0)
      rows.append(
        CoverageRow(
          log: log.isEmpty ? .absent : TextValue(pool.intern(log)), first: statement.integer(1),
          last: statement.integer(2), firstAt: statement.integer(3), lastAt: statement.integer(4),
          processes: statement.integer(5),
          firstReference: reference(statement, 6), lastReference: reference(statement, 8)))
    }
    statement.reset()
    return rows
  }

  /// Stored tokens of an installation.
  public func tokens(_ id: Int64) throws(StoreError) -> [TokenSpanRow] {
    let statement = try database.prepare(
      """
      SELECT token, ends, kind, environment, first_at, last_at, source_id, line \
      FROM installation_token WHERE installation_id = ?1
      """)
    statement.bind(1, id)
    var rows: [TokenSpanRow] = []
    while try statement.step() {
      rows.append(
        TokenSpanRow(
          token: StoredRows.token(statement.blob(0), ends: statement.text(1)),
          firstAt: statement.integer(4), lastAt: statement.integer(5),
          kind: value(statement, 2), environment: value(statement, 3),
          reference: reference(statement, 6)))
    }
    statement.reset()
    return rows
  }

  /// Who registered a token, and when.
  public func holders(of token: TokenRecord) throws(StoreError) -> [(
    installation: Int64, firstAt: Int64, lastAt: Int64
  )] {
    let statement = try database.prepare(
      "SELECT installation_id, first_at, last_at FROM installation_token WHERE token = ?1")
    statement.bindToken(1, token)
    var rows: [(installation: Int64, firstAt: Int64, lastAt: Int64)] = []
    while try statement.step() {
      rows.append((statement.integer(0), statement.integer(1), statement.integer(2)))
    }
    statement.reset()
    return rows
  }

  private func reference(_ statement: Statement, _ column: Int) -> RecordReference {
    RecordReference(
      source: UInt32(truncatingIfNeeded: statement.integer(column)),
      line: UInt32(truncatingIfNeeded: statement.integer(column + 1)))
  }

  private func value(_ statement: Statement, _ column: Int) -> TextValue {
    statement.isNull(column) ? .absent : TextValue(symbol(statement, column))
  }

  private func symbol(_ statement: Statement, _ column: Int) -> Symbol {
    statement.withText(column) { bytes in
      bytes.baseAddress.map { pool.intern($0, bytes.count) } ?? Symbol(.empty)
    }
  }

  /// A token from its stored digest and ends (`abcd…wxyz`).
  static func token(_ digest: [UInt8], ends: String) -> TokenRecord {
    guard digest.count == 16 else { return .none }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for index in 0..<8 {
      high = high << 8 | UInt64(digest[index])
      low = low << 8 | UInt64(digest[index + 8])
    }
    let halves = ends.split(separator: "…", omittingEmptySubsequences: false)
    func word(_ text: Substring) -> UInt32 {
      text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
    return TokenRecord(
      high: high, low: low, head: halves.first.map(word) ?? 0,
      tail: halves.count > 1 ? word(halves[1]) : 0, length: 64, marks: [])
  }

  /// A token from the 24 bytes of its digest and ends; none from any other bytes.
  static func token(_ bytes: UnsafeRawBufferPointer) -> TokenRecord {
    guard bytes.count == 24, let base = bytes.baseAddress else { return .none }
    func word(_ place: Int) -> UInt64 {
      UInt64(bigEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    return TokenRecord(
      high: word(0), low: word(8), head: UInt32(truncatingIfNeeded: word(16) >> 32),
      tail: UInt32(truncatingIfNeeded: word(16)), length: 64, marks: [])
  }

  /// Names of steps and causes as bytes.
  private struct NameTable<Value: Sendable>: Sendable {
    private var values: [UInt64: Value] = [:]

    init(_ names: [(name: String, value: Value)]) {
      for (name, value) in names { values[StableHash.of(name)] = value }
    }

    subscript(bytes: UnsafeRawBufferPointer) -> Value? {
      bytes.baseAddress.flatMap { values[StableHash.of($0, bytes.count)] }
    }
  }

  private static let steps = NameTable(StepID.allCases.map { ($0.rawValue, $0) })
  private static let causes = NameTable(CauseID.allCases.map { ($0.rawValue, $0) })

  // MARK: Notifications

  private static let columns = """
    id, installation_id, sent_at, kind, meant, meant_by, judgement, step, cause, confidence, \
    stage, seen, needs, link, replaced, covered, sends, events, profile_id, payload_shape, \
    campaign_id, app_id, log_id, notification_id, apns_id, collapse_id, request_id, token, \
    download_us, handler_us, raw_block, timeline
    """

  private static let ofDay =
    "SELECT \(columns) FROM notification_row WHERE id BETWEEN ?1 AND ?2 ORDER BY id"

  /// Hands the stored notifications of an installation of one day over, in order of their ids; their
  /// records go into the set.
  public func notifications(
    installation: Int64, day: Int64, into records: RecordSet, body: (StoredNotification) -> Void
  ) throws(StoreError) {
    let statement = try prepared(&ofDay, StoredRows.ofDay)
    let first = RowID.first(day: day, installation: installation)
    statement.bind(1, first)
    statement.bind(2, first | 0xfff_ffff)
    while try statement.step() {
      guard statement.integer(1) == installation else { continue }
      body(try read(statement, records))
    }
    statement.reset()
  }

  /// One stored notification, nil if there is none of this id.
  public func notification(
    _ id: Int64, into records: RecordSet
  ) throws(StoreError) -> StoredNotification? {
    let statement = try database.prepare(
      "SELECT \(StoredRows.columns) FROM notification_row WHERE id = ?1")
    statement.bind(1, id)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return try read(statement, records)
  }

  /// Notifications that wait for a send and may have an id of this hash.
  public func waiting(hash: UInt64) throws(StoreError) -> [Int64] {
    let statement = try database.prepare(
      "SELECT notification_id FROM waiting_identifier WHERE hash = ?1")
    statement.bind(1, Int64(IdentifierIndex.stored(hash)))
    var found: [Int64] = []
    while try statement.step() { found.append(statement.integer(0)) }
    statement.reset()
    return found
  }

  private func read(_ statement: Statement, _ records: RecordSet)
    throws(StoreError) -> StoredNotification
  {
    var row = NotificationRow()
    row.id = statement.integer(0)
    row.installation = statement.integer(1)
    row.sentAt = statement.integer(2)
    row.kind = ChainKind(rawValue: UInt8(truncatingIfNeeded: statement.integer(3))) ?? .richAlert
    row.meant = Meaning(rawValue: UInt16(truncatingIfNeeded: statement.integer(4)))
    row.meantBy = MeaningSource(rawValue: UInt8(truncatingIfNeeded: statement.integer(5))) ?? .none
    row.verdict.judgement =
      Judgement(rawValue: UInt8(truncatingIfNeeded: statement.integer(6))) ?? .cannotTell
    row.verdict.step = statement.withText(7) { StoredRows.steps[$0] }
    row.verdict.cause = statement.withText(8) { StoredRows.causes[$0] }
    row.verdict.confidence =
      Confidence(rawValue: UInt8(truncatingIfNeeded: statement.integer(9))) ?? .possible
    row.verdict.stage = Stage(rawValue: UInt8(truncatingIfNeeded: statement.integer(10))) ?? .none
    row.seen = UInt8(truncatingIfNeeded: statement.integer(11))
    row.verdict.needs = Needs(rawValue: UInt64(bitPattern: statement.integer(12)))
    row.link = LinkKey(rawValue: UInt8(truncatingIfNeeded: statement.integer(13))) ?? .own
    row.isReplaced = statement.integer(14) != 0
    row.isCovered = statement.integer(15) != 0
    row.sends = Int32(truncatingIfNeeded: statement.integer(16))
    row.events = Int32(truncatingIfNeeded: statement.integer(17))
    row.numbers.profile = statement.integer(18)
    row.numbers.shape = statement.integer(19)
    row.numbers.campaign = statement.integer(20)
    row.numbers.app = statement.integer(21)
    row.numbers.log = statement.integer(22)
    if row.numbers.profile != 0 {
      let profile = try timelines.profile(row.numbers.profile)
      row.status = profile.status
      row.reason = profile.reason
      row.environment = profile.environment
      row.topic = profile.topic
    }
    if row.numbers.campaign != 0 {
      row.campaign = TextValue(try timelines.symbol(ofName: row.numbers.campaign))
    }
    let origin = try timelines.app(row.numbers.app)
    row.app = origin.bundle
    row.version = origin.version
    row.build = origin.build
    row.os = origin.os
    row.model = origin.model
    var identity = RowIdentity()
    identity.origin = origin
    if row.numbers.log != 0 {
      identity.log = TextValue(try timelines.symbol(ofName: row.numbers.log))
    }
    identity.profile = row.numbers.profile
    identity.shape = UInt64(bitPattern: row.numbers.shape)
    identity.notification = identifier(statement, 23, records)
    identity.apns = identifier(statement, 24, records)
    identity.collapse = identifier(statement, 25, records)
    identity.request = identifier(statement, 26, records)
    identity.token = statement.withBlob(27) { StoredRows.token($0) }
    identity.campaign = row.campaign
    row.notificationID = identity.notification.text
    row.apnsID = identity.apns.text
    row.collapseID = identity.collapse.text
    row.requestID = identity.request.text
    row.token = identity.token
    row.download = statement.isNull(28) ? -1 : statement.integer(28)
    row.handler = statement.isNull(29) ? -1 : statement.integer(29)
    row.storedRawBlock = statement.isNull(30) ? 0 : statement.integer(30)
    row.storedJudgement = row.verdict.judgement
    // It stays where it is until this statement goes on: the reader runs others.
    let text = statement.withText(31) { $0 }
    let hash = text.baseAddress.map { StableHash.of($0, text.count) } ?? 0
    let places = try timelines.read(
      text, base: row.sentAt, identity: identity,
      installation: UInt64(bitPattern: row.installation), into: records)
    return StoredNotification(
      row: row, sends: places.sends, events: places.events, timelineHash: hash,
      identity: identity)
  }

  private func identifier(_ statement: Statement, _ column: Int, _ records: RecordSet)
    -> Identifier
  {
    guard !statement.isNull(column) else { return .none }
    if statement.type(column) == 4 {
      guard let stored = statement.withBlob(column, { StoredIdentifier(stored: $0) }) else {
        return .none
      }
      let offset = records.texts.count
      records.texts.append(count: 36) { stored.write(to: UnsafeMutableRawPointer($0)) }
      return Identifier(
        hash: stored.hash,
        text: TextRange(offset: UInt32(truncatingIfNeeded: offset), length: 36))
    }
    return statement.withText(column) { bytes in
      guard let base = bytes.baseAddress else { return .none }
      return Identifier(
        hash: StableHash.ofIdentifier(base, bytes.count), text: records.append(bytes))
    }
  }

  /// Stored broken steps of a notification.
  public func steps(_ id: Int64) throws(StoreError) -> [BrokenStepRow] {
    let statement = try database.prepare(
      """
      SELECT place, step, cause, confidence, sent_at FROM step_outcome \
      WHERE notification_id = ?1 ORDER BY place
      """)
    statement.bind(1, id)
    var rows: [BrokenStepRow] = []
    while try statement.step() {
      guard let step = StepID(rawValue: statement.text(1)) else { continue }
      rows.append(
        BrokenStepRow(
          notification: id, place: statement.integer(0), step: step,
          cause: CauseID(rawValue: statement.text(2)),
          confidence: Confidence(rawValue: UInt8(truncatingIfNeeded: statement.integer(3)))
            ?? .possible, sentAt: statement.integer(4)))
    }
    statement.reset()
    return rows
  }

  /// A hash of broken steps, 0 for none.
  public static func digest(_ steps: some Sequence<BrokenStepRow>) -> UInt64 {
    var hash: UInt64 = 0
    for step in steps {
      let code =
        UInt64(unsafeBitCast(step.step, to: UInt8.self)) << 16
        | UInt64(step.cause.map { unsafeBitCast($0, to: UInt8.self) } ?? 255) << 8
        | UInt64(step.confidence.rawValue)
      hash = StableHash.mix(hash ^ (code + 1), StableHash.k1)
    }
    return hash
  }

  // MARK: Days of an installation

  /// Stored records of an installation itself of one day; they go into the set.
  public func installationDay(
    installation: Int64, day: Int64, into records: RecordSet
  ) throws(StoreError) -> (events: Range<UInt32>, timelineHash: UInt64)? {
    let statement = try prepared(
      &ofOwnDay,
      "SELECT id, timeline FROM installation_day WHERE id BETWEEN ?1 AND ?2 AND installation_id = ?3"
    )
    let first = RowID.first(day: day, installation: installation)
    statement.bind(1, first)
    statement.bind(2, first | 0xfff_ffff)
    statement.bind(3, installation)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let text = statement.withText(1) { $0 }
    let hash = text.baseAddress.map { StableHash.of($0, text.count) } ?? 0
    let places = try timelines.read(
      text,
      base: day * RowID.microsecondsOfDay, identity: RowIdentity(),
      installation: UInt64(bitPattern: installation), into: records)
    return (places.events, hash)
  }

  /// The id of an installation's row of a day.
  public static func installationDayID(day: Int64, installation: Int64) -> Int64 {
    RowID.first(day: day, installation: installation) | (installation & 0xfff_ffff)
  }

  // MARK: Payloads and facts

  /// All stored payloads by the hash of their shape.
  public func payloads() throws(StoreError) -> [UInt64: Payload] {
    let statement = try database.prepare("SELECT hash, facts FROM payload_shape")
    var found: [UInt64: Payload] = [:]
    while try statement.step() {
      if let payload = PayloadFacts.payload(statement.text(1), pool: pool) {
        found[UInt64(bitPattern: statement.integer(0))] = payload
      }
    }
    statement.reset()
    return found
  }

  /// The payload of one shape, nil if it is not stored.
  public func payload(shape hash: UInt64) throws(StoreError) -> Payload? {
    let statement = try database.prepare("SELECT facts FROM payload_shape WHERE hash = ?1")
    statement.bind(1, Int64(bitPattern: hash))
    defer { statement.reset() }
    return try statement.step() ? PayloadFacts.payload(statement.text(0), pool: pool) : nil
  }

  /// All stored facts of releases.
  public func releaseFacts() throws(StoreError) -> [(
    bundle: String, version: String, build: String, facts: String
  )] {
    let statement = try database.prepare(
      "SELECT bundle, version, build, facts FROM release_fact ORDER BY bundle, version, build")
    var rows: [(bundle: String, version: String, build: String, facts: String)] = []
    while try statement.step() {
      rows.append((statement.text(0), statement.text(1), statement.text(2), statement.text(3)))
    }
    statement.reset()
    return rows
  }
}

extension Statement {
  /// Binds a token's digest.
  func bindToken(_ place: Int32, _ token: TokenRecord) {
    var digest = (token.high.bigEndian, token.low.bigEndian)
    withUnsafeBytes(of: &digest) { bytes in
      if let base = bytes.baseAddress { bindCopy(place, blob: base, 16) }
    }
  }
}
