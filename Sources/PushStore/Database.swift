import CSQLite
import Foundation
import PushModel

/// One connection to one database file. Not shared between threads.
public final class Database {
  /// How a database is opened.
  public enum Mode: Sendable {
    /// For reading; the file must be there.
    case read
    /// For reading and writing; the file is made if it is missing.
    case write
  }

  /// Path as given.
  public let path: String
  private let mappedBytes: Int64
  /// Nil for reading.
  private let writerLock: WriterLock?
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// Bytes of the file that one of several connections of a process maps: what each maps counts as
  /// the process's memory.
  public static let smallMapping: Int64 = 32 << 20

  /// Done once, by the first database that is opened.
  private static let isSetUp: Void = csqlite_count_no_memory()

  /// Opens a database and, for writing, brings its schema up to date; one connection at a time is
  /// open for writing, and another one waits five seconds for it. `mappedBytes` is how much of the file
  /// is read through the system's memory.
  public init(path: String, mode: Mode, mappedBytes: Int64 = 1 << 30) throws(StoreError) {
    self.path = path
    self.mappedBytes = mappedBytes
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if mode == .read, !exists {
      throw StoreError(.cannotOpen, message: "there is no such file", path: path)
    }
    if isFolder.boolValue {
      throw StoreError(.cannotOpen, message: "it is a folder", path: path)
    }
    if exists, !FileManager.default.isReadableFile(atPath: path) {
      throw StoreError(.notReadable, message: "this account may not read it", path: path)
    }
    _ = Database.isSetUp
    writerLock = mode == .write ? try WriterLock(database: path) : nil
    var handle: OpaquePointer?
    let flags =
      mode == .read
      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
      : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    var code = sqlite3_open_v2(path, &handle, flags, nil)
    if code != SQLITE_OK, mode == .read {
      // A file or folder without write permission can still be read.
      sqlite3_close_v2(handle)
      code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    }
    if code == SQLITE_OK, mode == .read, let unchanging = Database.unchangingURI(path) {
      sqlite3_close_v2(handle)
      code = sqlite3_open_v2(
        unchanging, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    }
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
      sqlite3_close_v2(handle)
      throw StoreError(.cannotOpen, code: code, message: message, path: path)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, mode == .read ? 2000 : 5000)
    do {
      try open(mode)
    } catch {
      statements.removeAll()
      throw error
    }
  }

  /// The URI of a database in a folder that this account may not write to, where SQLite could not
  /// make the file that readers and writers share; nil where it can, or where a writer left
  /// changes behind that only that file would show.
  private static func unchangingURI(_ path: String) -> String? {
    let files = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard !files.isWritableFile(atPath: folder), !files.fileExists(atPath: path + "-shm"),
      !files.fileExists(atPath: path + "-wal")
    else { return nil }
    // What would end the path or begin an escape in a URI.
    var escaped = path.replacingOccurrences(of: "%", with: "%25")
    escaped = escaped.replacingOccurrences(of: "?", with: "%3f")
    escaped = escaped.replacingOccurrences(of: "#", with: "%23")
    return "file:\(escaped)?immutable=1"
  }

  private func open(_ mode: Mode) throws(StoreError) {
    if mode == .write {
      // Large pages hold several rows with their timelines; only a new file can take the size.
      try execute("PRAGMA page_size = 16384")
      try execute("PRAGMA journal_mode = WAL")
      try execute("PRAGMA synchronous = NORMAL")
    }
    try execute("PRAGMA foreign_keys = ON")
    try execute("PRAGMA mmap_size = \(mappedBytes)")
    try execute("PRAGMA cache_size = -32768")
    try execute("PRAGMA temp_store = MEMORY")
    let version = Int(try scalar("PRAGMA user_version") ?? 0)
    let application = try scalar("PRAGMA application_id") ?? 0
    let isEmpty = try scalar("SELECT count(*) FROM sqlite_schema") == 0
    if application != Schema.applicationID, !isEmpty {
      throw StoreError(
        .notADatabase, message: "it is a database, but not one of pushtriage", path: path)
    }
    if version > Schema.newest {
      throw StoreError(
        .tooNew(found: version, known: Schema.newest),
        message: "its schema is version \(version), this program knows \(Schema.newest)", path: path
      )
    }
    // Words grow without a new version of the schema: what timelines hold by number must be known.
    if version >= Schema.oldest {
      let words = Int(try scalar("SELECT count(*) FROM word") ?? 0)
      guard words <= Word.allCases.count else {
        throw StoreError(
          .tooNew(found: words, known: Word.allCases.count),
          message: "it has \(words) words, this program knows \(Word.allCases.count)", path: path)
      }
    }
    if version > 0, version < Schema.oldest {
      throw StoreError(
        .failed,
        message: "its schema is version \(version), which this program reads no longer; ingest the "
          + "logs into a new database", path: path)
    }
    if mode == .write {
      try Schema.migrate(self, from: version)
    } else if version < Schema.newest {
      if isEmpty {
        throw StoreError(
          .notADatabase, message: "it is empty: nothing was ingested yet", path: path)
      }
      throw StoreError(
        .failed, message: "its schema is version \(version); run any ingest to bring it up to date",
        path: path)
    }
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether a batch is written into the file itself, with what it replaces kept aside (`true`: half
  /// the writing, for a file that nobody can be reading yet), or beside it first (write-ahead log).
  public func writesInPlace(_ inPlace: Bool) throws(StoreError) {
    descriptors = nil
    try execute(
      inPlace
        ? "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL"
        : "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
  }

  /// Has the disk begin with what was written of a batch, so that the end of it waits for little: a
  /// commit is safe when the disk has it, and half a gigabyte at once takes it a second.
  func startWriteback() {
    let known = descriptors ?? findDescriptors()
    descriptors = known
    for descriptor in known { csqlite_start_writeback(descriptor) }
  }

  /// SQLite's descriptors of the file and of its write-ahead log; nil until they are looked for.
  private var descriptors: [Int32]?

  /// Looks the descriptors up, which SQLite does not tell. The files are not opened once more: closing
  /// another descriptor of a file would give up the locks that SQLite holds on it.
  private func findDescriptors() -> [Int32] {
    let folder = "/proc/self/fd/"
    let files = FileManager.default
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var found: [String: Int32] = [:]
    for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let descriptor = Int32(name),
        let target = try? files.destinationOfSymbolicLink(atPath: folder + name),
        target == file || target == file + "-wal"
      else { continue }
      found[target] = descriptor
    }
    return Array(found.values)
  }

  /// Runs statements that return no rows.
  public func execute(_ sql: String) throws(StoreError) {
    var message: UnsafeMutablePointer<CChar>?
    let code = sqlite3_exec(handle, sql, nil, nil, &message)
    if code != SQLITE_OK {
      let text = message.map { String(cString: $0) } ?? "unknown failure"
      sqlite3_free(message)
      throw failure(code, text, statement: String(sql.prefix(200)))
    }
  }

  /// The statement of this text, prepared once and kept.
  public func prepare(_ sql: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    let statement = try Statement(self, sql)
    statements[sql] = statement
    return statement
  }

  /// Has all reads from now on see one state, and takes the lock of the file once instead of for each
  /// of them; only where a writer beside it does not wait for readers. True if it is so.
  @discardableResult
  public func beginReading() throws(StoreError) -> Bool {
    let mode = try prepare("PRAGMA journal_mode")
    let waits = try !mode.step() || mode.text(0) != "wal"
    mode.reset()
    if !waits { try execute("BEGIN") }
    return !waits
  }

  /// The first column of the first row as a number, or nil.
  func scalar(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try Statement(self, sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  func failure(_ code: Int32, _ message: String, statement: String) -> StoreError {
    let kind: StoreError.Kind
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: kind = .locked
    case SQLITE_NOTADB, SQLITE_CORRUPT: kind = .notADatabase
    case SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PERM:
      kind = .cannotWrite
    default: kind = .failed
    }
    return StoreError(kind, code: code, message: message, statement: statement, path: path)
  }
}

/// A prepared statement. Texts and blobs that are bound must live until the next reset.
public final class Statement {
  let handle: OpaquePointer
  private unowned let database: Database
  private let sql: String

  init(_ database: Database, _ sql: String) throws(StoreError) {
    self.database = database
    self.sql = sql
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw database.failure(
        code, String(cString: sqlite3_errmsg(database.handle)), statement: String(sql.prefix(400)))
    }
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  /// Ready to be run again; bindings stay.
  public func reset() { sqlite3_reset(handle) }

  /// Runs to the next row; false at the end.
  @discardableResult
  public func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    let message = String(cString: sqlite3_errmsg(database.handle))
    sqlite3_reset(handle)
    throw database.failure(code, message, statement: String(sql.prefix(400)))
  }

  /// Runs a statement that returns no rows, ready to be run again.
  @inline(__always)
  func run() throws(StoreError) {
    let code = sqlite3_step(handle)
    if code != SQLITE_DONE && code != SQLITE_ROW {
      let message = String(cString: sqlite3_errmsg(database.handle))
      sqlite3_reset(handle)
      throw database.failure(code, message, statement: String(sql.prefix(400)))
    }
    sqlite3_reset(handle)
  }

  // MARK: Binding, from place 1

  /// Binds a whole number.
  @inline(__always) public func bind(_ place: Int32, _ value: Int64) {
    sqlite3_bind_int64(handle, place, value)
  }
  /// Binds a whole number or NULL.
  public func bind(_ place: Int32, _ value: Int64?) {
    if let value {
      sqlite3_bind_int64(handle, place, value)
    } else {
      sqlite3_bind_null(handle, place)
    }
  }
  /// Binds NULL.
  @inline(__always) public func bindNull(_ place: Int32) { sqlite3_bind_null(handle, place) }
  /// Binds a text, copied.
  public func bind(_ place: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // SQLITE_TRANSIENT: SQLite copies.
      sqlite3_bind_text(
        handle, place,
        bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) },
        Int32(truncatingIfNeeded: bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      if bytes.baseAddress == nil { sqlite3_bind_text(handle, place, "", 0, nil) }
    }
  }
  /// Binds a text or NULL, copied.
  public func bind(_ place: Int32, _ text: String?) {
    if let text { bind(place, text) } else { bindNull(place) }
  }
  /// Binds bytes, copied.
  public func bind(_ place: Int32, blob: [UInt8]) {
    blob.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      if let base = bytes.baseAddress {
        sqlite3_bind_blob(
          handle, place, base, Int32(truncatingIfNeeded: bytes.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        return
      }
      sqlite3_bind_zeroblob(handle, place, 0)
    }
  }
  /// Binds bytes, copied.
  func bindCopy(_ place: Int32, blob base: UnsafeRawPointer, _ count: Int) {
    sqlite3_bind_blob(
      handle, place, base, Int32(truncatingIfNeeded: count),
      unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }
  /// Binds a text that stays where it is until the statement is reset.
  @inline(__always)
  func bindStatic(_ place: Int32, _ base: UnsafeRawPointer, _ count: Int) {
    sqlite3_bind_text(
      handle, place, base.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: count), nil
    )
  }
  /// Binds bytes that stay where they are until the statement is reset.
  @inline(__always)
  func bindStaticBlob(_ place: Int32, _ base: UnsafeRawPointer, _ count: Int) {
    sqlite3_bind_blob(handle, place, base, Int32(truncatingIfNeeded: count), nil)
  }

  // MARK: Reading, from column 0

  /// Whether it changes nothing in the database.
  public var readsOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
  /// Number of columns.
  public var columnCount: Int { Int(sqlite3_column_count(handle)) }
  /// Name of a column.
  public func columnName(_ column: Int) -> String {
    sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }
  /// A column as a whole number.
  @inline(__always) public func integer(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }
  /// A column as a whole number, nil for NULL.
  public func optionalInteger(_ column: Int) -> Int64? {
    isNull(column) ? nil : integer(column)
  }
  /// A column as a real number.
  public func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }
  /// Whether a column is NULL.
  public func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }
  /// SQLite's type of a column: 1 integer, 2 real, 3 text, 4 blob, 5 null.
  public func type(_ column: Int) -> Int { Int(sqlite3_column_type(handle, Int32(column))) }
  /// A column as text; "" for NULL.
  public func text(_ column: Int) -> String {
    withText(column) { String(decoding: $0, as: UTF8.self) }
  }
  /// A column as text, nil for NULL.
  public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
  /// A column as bytes.
  public func blob(_ column: Int) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    guard count > 0, let base = sqlite3_column_blob(handle, Int32(column)) else { return [] }
    return Array(UnsafeRawBufferPointer(start: base, count: count))
  }
  /// The bytes of a blob column, valid until the next step.
  func withBlob<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let base = sqlite3_column_blob(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
  }
  /// The bytes of a text column, valid until the next step.
  func withText<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    guard let base = sqlite3_column_text(handle, Int32(column)) else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return body(UnsafeRawBufferPointer(start: base, count: count))
  }
}
