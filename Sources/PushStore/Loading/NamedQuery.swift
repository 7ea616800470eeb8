import CSQLite
public import Queries

/// Why a named query could not be run as it was asked for.
public enum QueryProblem: Error, Equatable, Sendable {
  /// No file has this name; all names there are.
  case unknownQuery(String, known: [String])
  /// A parameter that the query needs was not given.
  case missingParameter(QueryHeader.Value, query: String)
  /// The query has no parameter of this name; those that it has.
  case unknownParameter(String, query: String, known: [String])
  /// A parameter was given twice.
  case repeatedParameter(String, query: String)
  /// The text is no value of the parameter's type.
  case illTypedParameter(QueryHeader.Value, given: String, query: String)
  /// The file's header cannot be read.
  case damagedHeader(QueryHeaderProblem)
}

/// A file of `Queries/` that can be run: its header, its statement, and its parameters by name.
public struct NamedQuery: Sendable {
  /// What it asks, takes and gives.
  public let header: QueryHeader
  private let sql: String

  /// The query of a name; hyphens and underscores in it are the same.
  public init(_ name: String) throws(QueryProblem) {
    let wanted = String(name.map { $0 == "-" ? "_" : $0 })
    let queries = QueryCatalogue.queries
    guard let file = queries.first(where: { NamedQuery.name(of: $0.path) == wanted }) else {
      throw .unknownQuery(name, known: queries.map { NamedQuery.name(of: $0.path) })
    }
    do {
      header = try QueryHeader(path: file.path, text: file.text)
    } catch {
      throw .damagedHeader(error)
    }
    sql = file.text
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? path
  }

  /// The rows for these parameters, which are given as people type them. Nothing has run yet.
  ///
  /// - Throws: ``QueryProblem`` for the parameters, ``StoreError`` for the database.
  public func rows(
    on database: Database, _ parameters: [(name: String, value: String)] = []
  ) throws -> QueryRows {
    var given: [String: String] = [:]
    for (name, value) in parameters {
      let name = String(name.map { $0 == "-" ? "_" : $0 })
      guard header.parameters.contains(where: { $0.name == name }) else {
        throw QueryProblem.unknownParameter(
          name, query: header.name, known: header.parameters.map(\.name))
      }
      guard given.updateValue(value, forKey: name) == nil else {
        throw QueryProblem.repeatedParameter(name, query: header.name)
      }
    }
    let statement = try Statement(database, sql)
    guard statement.readsOnly else {
      throw StoreError(
        .failed, message: "the query '\(header.name)' would write", path: database.path)
    }
    for parameter in header.parameters {
      let place = statement.place(of: parameter.name)
      guard let text = given[parameter.name] else {
        guard parameter.isOptional else {
          throw QueryProblem.missingParameter(parameter, query: header.name)
        }
        statement.bindNull(place)
        continue
      }
      guard bind(statement, place, text, parameter.type) else {
        throw QueryProblem.illTypedParameter(parameter, given: text, query: header.name)
      }
    }
    return QueryRows(header: header, database: database, statement: statement)
  }

  private func bind(
    _ statement: Statement, _ place: Int32, _ text: String, _ type: QueryHeader.ValueType
  ) -> Bool {
    switch type {
    case .text, .json:
      statement.bind(place, text)
      return true
    case .integer:
      guard let value = Int64(text) else { return false }
      statement.bind(place, value)
    case .real:
      guard let value = Double(text), value.isFinite else { return false }
      statement.bind(place, real: value)
    case .boolean:
      guard text == "true" || text == "false" else { return false }
      statement.bind(place, text == "true" ? 1 : 0 as Int64)
    case .day:
      guard let value = CivilDay.number(of: text) else { return false }
      statement.bind(place, value)
    case .time:
      guard let value = CivilDay.microseconds(of: text) else { return false }
      statement.bind(place, value)
    case .blob:
      guard let bytes = hexBytes(text) else { return false }
      statement.bind(place, blob: bytes)
    }
    return true
  }

  /// All rows at once, for small results.
  public func table(
    on database: Database, _ parameters: [(name: String, value: String)] = []
  ) throws -> ResultTable {
    let rows = try rows(on: database, parameters)
    var table = ResultTable(columns: header.columns)
    while try rows.next() { table.rows.append(rows.values) }
    return table
  }
}

/// A small result, all in memory.
public struct ResultTable: Equatable, Sendable {
  /// A value as the database holds it.
  public enum Value: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }
  /// What the columns are.
  public var columns: [QueryHeader.Value]
  /// The rows, one value a column.
  public var rows: [[Value]] = []

  /// A table without rows.
  public init(columns: [QueryHeader.Value]) { self.columns = columns }

  /// A value by the name of its column; nil if there is no such row or column.
  public subscript(row: Int, column: String) -> Value? {
    guard rows.indices.contains(row), let place = columns.firstIndex(where: { $0.name == column })
    else { return nil }
    return rows[row][place]
  }
}

/// The rows of a query, one after the other, in constant memory.
public final class QueryRows {
  /// The query's header.
  public let header: QueryHeader
  /// Keeps the connection open.
  private let database: Database
  let statement: Statement

  init(header: QueryHeader, database: Database, statement: Statement) {
    self.header = header
    self.database = database
    self.statement = statement
  }

  /// Goes to the next row; false at the end.
  public func next() throws(StoreError) -> Bool { try statement.step() }

  /// The values of the current row.
  public var values: [ResultTable.Value] {
    (0..<statement.columnCount).map { column in
      switch statement.type(column) {
      case 1: .integer(statement.integer(column))
      case 2: .real(statement.real(column))
      case 3: .text(statement.text(column))
      case 4: .blob(statement.blob(column))
      default: .null
      }
    }
  }
}

private func hexBytes(_ text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count % 2 == 0 else { return nil }
  var bytes: [UInt8] = []
  for place in stride(from: 0, to: digits.count, by: 2) {
    guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
    else { return nil }
    bytes.append(byte)
  }
  return bytes
}

extension QueryCatalogue {
  /// Prepares every query on a database with the newest schema.
  ///
  /// - Returns: what is wrong with which file: it does not prepare, it would write, or its columns
  ///   are not those of its header. Empty if all is well.
  public static func problems(on database: Database) -> [String] {
    var problems: [String] = []
    for file in queries {
      do {
        let header = try QueryHeader(path: file.path, text: file.text)
        let statement = try Statement(database, file.text)
        if !statement.readsOnly { problems.append("\(file.path): it would write") }
        let names = (0..<statement.columnCount).map { statement.columnName($0) }
        if names != header.columns.map(\.name) {
          problems.append(
            "\(file.path): it gives \(names), its header says \(header.columns.map(\.name))")
        }
      } catch {
        problems.append("\(file.path): \(error)")
      }
    }
    return problems
  }
}

extension Database {
  /// The statement of a query that the loaders run, prepared once and kept.
  func named(_ name: String) throws(StoreError) -> Statement {
    guard let sql = QueryCatalogue.text(named: name) else {
      throw StoreError(.failed, message: "the query '\(name)' is not built in", path: path)
    }
    return try prepare(sql)
  }

  /// Makes the connection one that cannot write, whatever is asked of it.
  public func forbidWriting() throws(StoreError) { try execute("PRAGMA query_only = ON") }
}

extension Statement {
  /// The place of a named parameter, given without its colon; 0 if there is none.
  func place(of name: String) -> Int32 { sqlite3_bind_parameter_index(handle, ":" + name) }

  /// Binds a real number.
  func bind(_ place: Int32, real value: Double) { sqlite3_bind_double(handle, place, value) }

  /// Binds a named parameter.
  func bind(_ name: String, _ value: Int64) { bind(place(of: name), value) }

  /// Binds a named parameter.
  func bind(_ name: String, _ value: String) { bind(place(of: name), value) }

  /// Binds a named parameter to a number or NULL.
  func bind(_ name: String, _ value: Int64?) { bind(place(of: name), value) }
}
