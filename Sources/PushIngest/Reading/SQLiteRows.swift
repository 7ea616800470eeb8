import CSQLite
import Glibc

/// rpush's table of notifications out of a SQLite file, as rows of comma-separated values.
///
/// The file is opened for reading only, and nothing is created beside it. Only columns that the
/// adapter reads are asked for, so what other tables and columns hold stays where it is. Beside each
/// notification stands what the tables of apps and of feedback say about it: environment, bundle,
/// team and key id of its app (never its secrets), and since when its token is known to have failed.
final class SQLiteRows: ByteStream {
  private static let table = "rpush_notifications"

  private var database: OpaquePointer?
  private var statement: OpaquePointer?
  private var columnCount: Int32 = 0
  private var pending: [UInt8] = []
  private var handedOut = 0
  private var isAtEnd = false
  private var failure: StreamFailure?

  /// Opens a path (without a trailing zero byte) and prepares to read its rows by their ids.
  init(path: [UInt8]) throws(StreamFailure) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(SQLiteRows.address(path), &opened, flags, nil)
    database = opened
    guard code == SQLITE_OK else { throw problem(code) }
    sqlite3_busy_timeout(opened, 5000)
    // Schemas of others may hold more than tables.
    sqlite3_exec(opened, "PRAGMA trusted_schema = OFF", nil, nil, nil)
    let columns = try columns(of: SQLiteRows.table)
    let wanted = columns.filter { LogAdapter.rpushColumns.contains($0) }
    guard !wanted.isEmpty else {
      throw StreamFailure(
        kind: .notALog(
          what: "a SQLite database without a table \(SQLiteRows.table)",
          advice: "of SQLite files only rpush's are read; export another table: "
            + "sqlite3 -header -csv FILE 'SELECT * FROM NAME' > name.csv"))
    }
    let order = wanted.contains("id") ? "id" : "rowid"
    var list = wanted.map { (name: $0, value: "n.\"\($0)\"") }
    var tables = "\(SQLiteRows.table) AS n"
    if columns.contains("app_id") { try addApps(&list, &tables) }
    try addFeedback(&list, &tables, hasApp: columns.contains("app_id"))
    let query =
      "SELECT \(list.map(\.value).joined(separator: ", ")) FROM \(tables) ORDER BY n.\(order)"
    let prepared = sqlite3_prepare_v2(opened, query, -1, &statement, nil)
    guard prepared == SQLITE_OK else { throw problem(prepared) }
    columnCount = Int32(list.count)
    pending = Array(list.map(\.name).joined(separator: ",").utf8) + [0x0A]
  }

  /// What an app's row says that is no secret. A column of the same name beside the notification has
  /// the word.
  private func addApps(
    _ list: inout [(name: String, value: String)], _ tables: inout String
  ) throws(StreamFailure) {
    let columns = try columns(of: "rpush_apps")
    guard columns.contains("id") else { return }
    let own = Set(list.map(\.name))
    let wanted = ["environment", "bundle_id", "team_id", "apn_key_id"].filter {
      columns.contains($0) && !own.contains($0)
    }
    guard !wanted.isEmpty else { return }
    list += wanted.map { ($0, "a.\"\($0)\"") }
    tables += " LEFT JOIN rpush_apps AS a ON a.id = n.app_id"
  }

  /// When the feedback of APNs last said that a notification's token had failed.
  private func addFeedback(
    _ list: inout [(name: String, value: String)], _ tables: inout String, hasApp: Bool
  ) throws(StreamFailure) {
    let columns = try columns(of: "rpush_feedback")
    guard columns.contains("device_token"), columns.contains("failed_at") else { return }
    let isByApp = hasApp && columns.contains("app_id")
    let app = isByApp ? ", app_id" : ""
    list.append(("token_failed_at", "f.at"))
    tables +=
      " LEFT JOIN (SELECT device_token AS token, max(failed_at) AS at\(app) FROM rpush_feedback"
      + " GROUP BY device_token\(app)) AS f ON f.token = n.device_token"
      + (isByApp ? " AND (f.app_id = n.app_id OR f.app_id IS NULL)" : "")
  }

  private func columns(of table: String) throws(StreamFailure) -> [String] {
    try names(
      """
      SELECT c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
      WHERE s.type = 'table' AND s.name = '\(table)' ORDER BY c.cid
      """)
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close_v2(database)
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    if handedOut == pending.count {
      pending.removeAll(keepingCapacity: true)
      handedOut = 0
      while !isAtEnd, pending.count < target.count { step() }
      if pending.isEmpty, let failure { throw failure }
    }
    let count = min(target.count, pending.count - handedOut)
    pending.withUnsafeBytes { bytes in
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[handedOut..<handedOut + count]))
    }
    handedOut += count
    return count
  }

  /// Adds the next row to what is handed out.
  private func step() {
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW else {
      isAtEnd = true
      if code != SQLITE_DONE { failure = problem(code) }
      return
    }
    for column in 0..<columnCount {
      if column > 0 { pending.append(0x2C) }
      let kind = sqlite3_column_type(statement, column)
      // Nothing that is read is kept as bytes.
      guard kind != SQLITE_NULL, kind != SQLITE_BLOB,
        let text = sqlite3_column_text(statement, column)
      else { continue }
      append(
        UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))))
    }
    pending.append(0x0A)
  }

  /// Adds a field, in quotation marks where it needs them (RFC 4180).
  private func append(_ field: UnsafeBufferPointer<UInt8>) {
    let isSpecial = field.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard isSpecial else { return pending.append(contentsOf: field) }
    pending.append(0x22)
    for byte in field {
      if byte == 0x22 { pending.append(0x22) }
      pending.append(byte)
    }
    pending.append(0x22)
  }

  private func names(_ query: String) throws(StreamFailure) -> [String] {
    var list: OpaquePointer?
    let prepared = sqlite3_prepare_v2(database, query, -1, &list, nil)
    defer { sqlite3_finalize(list) }
    guard prepared == SQLITE_OK else { throw problem(prepared) }
    var names: [String] = []
    var code = sqlite3_step(list)
    while code == SQLITE_ROW {
      if let text = sqlite3_column_text(list, 0) { names.append(String(cString: text)) }
      code = sqlite3_step(list)
    }
    guard code == SQLITE_DONE else { throw problem(code) }
    return names
  }

  private func problem(_ code: Int32) -> StreamFailure {
    let detail = database.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
    return StreamFailure(
      kind: code == SQLITE_CORRUPT || code == SQLITE_NOTADB
        ? .damaged(format: "SQLite", detail: detail) : .cannotRead(detail: detail))
  }

  /// The address of a file. Without a log beside it the file is all there is, and SQLite is told not
  /// to make one; with a log it needs what belongs to that.
  private static func address(_ path: [UInt8]) -> String {
    func isPlain(_ byte: UInt8) -> Bool {
      byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2F || byte == 0x2D
        || byte == 0x2E || byte == 0x5F
    }
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in path {
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    let log = (path + Array("-wal\0".utf8)).map { CChar(bitPattern: $0) }
    var information = stat()
    let hasLog = log.withUnsafeBufferPointer { name in
      name.baseAddress.map { stat($0, &information) == 0 } ?? false
    }
    return "file:" + String(decoding: text, as: UTF8.self) + "?mode=ro"
      + (hasLog ? "" : "&immutable=1")
  }
}
