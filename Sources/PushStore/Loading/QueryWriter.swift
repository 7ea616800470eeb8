import PushModel
import Queries

/// Writes the rows of a query as they come, from SQLite's own buffers into blocks of bytes: a
/// million rows take no more memory than ten.
public struct QueryWriter {
  /// Forms of the output.
  public enum Format: Sendable, CaseIterable {
    /// Aligned columns for a terminal.
    case text
    /// One object with a version, the columns and all rows.
    case json
    /// One object a line for each row, and nothing else.
    case ndjson
    /// A line of names, then a line a row (RFC 4180, line feeds).
    case csv
  }

  /// Rows whose widths decide how wide the columns of text are.
  private static let measuredRows = 500
  /// The widest column of text.
  private static let widest = 60
  private static let blockBytes = 1 << 16

  private let out = ByteOutput(capacity: 1 << 17)
  private let sink: (UnsafeRawBufferPointer) throws -> Void

  /// A writer that hands its bytes to `sink`, block by block; `sink` throws to end the run.
  public init(to sink: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.sink = sink }

  /// Writes all rows; returns how many there were.
  @discardableResult
  public func write(_ rows: QueryRows, format: Format) throws -> Int {
    let count: Int
    switch format {
    case .text: count = try writeText(rows)
    case .json: count = try writeJSON(rows)
    case .ndjson: count = try writeLines(rows)
    case .csv: count = try writeCSV(rows)
    }
    try flush()
    return count
  }

  private func flush() throws {
    try sink(UnsafeRawBufferPointer(start: out.base, count: out.count))
    out.removeAll()
  }

  private func flushIfFull() throws {
    if out.count >= QueryWriter.blockBytes { try flush() }
  }

  // MARK: JSON

  private func writeLines(_ rows: QueryRows) throws -> Int {
    let object = ObjectWriter(rows.header)
    var count = 0
    while try rows.next() {
      object.write(rows.statement, to: out)
      out.append(0x0a)
      count += 1
      try flushIfFull()
    }
    return count
  }

  private func writeJSON(_ rows: QueryRows) throws -> Int {
    let object = ObjectWriter(rows.header)
    out.append("{\"version\":1,\"query\":" as StaticString)
    out.append(quoted: rows.header.name)
    out.append(",\"columns\":[" as StaticString)
    for (place, column) in rows.header.columns.enumerated() {
      if place > 0 { out.append(0x2c) }
      out.append("{\"name\":" as StaticString)
      out.append(quoted: column.name)
      out.append(",\"type\":" as StaticString)
      out.append(quoted: column.type.rawValue)
      out.append(",\"unit\":" as StaticString)
      if let unit = column.unit { out.append(quoted: unit) } else { out.append("null") }
      out.append(0x7d)
    }
    out.append("],\n\"rows\":[" as StaticString)
    var count = 0
    while try rows.next() {
      if count > 0 { out.append(0x2c) }
      out.append(0x0a)
      object.write(rows.statement, to: out)
      count += 1
      try flushIfFull()
    }
    out.append("\n]}\n" as StaticString)
    return count
  }

  /// Writes one row as an object; the keys are made once.
  private struct ObjectWriter {
    let keys: [[UInt8]]
    let types: [QueryHeader.ValueType]

    init(_ header: QueryHeader) {
      let out = ByteOutput(capacity: 64)
      types = header.columns.map(\.type)
      keys = header.columns.enumerated().map { place, column in
        out.removeAll()
        out.append(place == 0 ? 0x7b : 0x2c)
        out.append(quoted: column.name)
        out.append(0x3a)
        return Array(UnsafeBufferPointer(start: out.base, count: out.count))
      }
    }

    func write(_ row: Statement, to out: ByteOutput) {
      for column in types.indices {
        keys[column].withUnsafeBytes { bytes in
          if let base = bytes.baseAddress { out.append(base, bytes.count) }
        }
        value(row, column, to: out)
      }
      out.append(types.isEmpty ? "{}" : "}" as StaticString)
    }

    private func value(_ row: Statement, _ column: Int, to out: ByteOutput) {
      // What stands in the row decides; its type in the header only says how it is written.
      switch row.type(column) {
      case 1:
        let number = row.integer(column)
        switch types[column] {
        case .boolean: out.append(number != 0 ? "true" : "false" as StaticString)
        case .time:
          out.append(0x22)
          CivilDay.append(microseconds: number, to: out)
          out.append(0x22)
        case .day:
          out.append(0x22)
          CivilDay.append(day: number, to: out)
          out.append(0x22)
        default: out.append(number: number)
        }
      case 2:
        let number = row.real(column)
        out.append(number.isFinite ? "\(number)" : "null")
      case 3:
        let isJSON = types[column] == .json
        row.withText(column) { bytes in
          guard let base = bytes.baseAddress else { return out.append("\"\"" as StaticString) }
          if isJSON {
            out.append(base, bytes.count)
          } else {
            out.append(quoted: base, bytes.count)
          }
        }
      case 4:
        out.append(0x22)
        hex(row.blob(column), to: out)
        out.append(0x22)
      default: out.append("null" as StaticString)
      }
    }
  }

  // MARK: CSV

  private func writeCSV(_ rows: QueryRows) throws -> Int {
    for (place, column) in rows.header.columns.enumerated() {
      if place > 0 { out.append(0x2c) }
      field(column.name)
    }
    out.append(0x0a)
    let types = rows.header.columns.map(\.type)
    var count = 0
    while try rows.next() {
      for column in types.indices {
        if column > 0 { out.append(0x2c) }
        if rows.statement.type(column) == 3 {
          rows.statement.withText(column) { field($0) }
        } else {
          plain(rows.statement, column, types[column], to: out)
        }
      }
      out.append(0x0a)
      count += 1
      try flushIfFull()
    }
    return count
  }

  private func field(_ text: String) {
    var text = text
    text.withUTF8 { field(UnsafeRawBufferPointer($0)) }
  }

  private func field(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    let needsQuotes = bytes.contains { $0 == 0x22 || $0 == 0x2c || $0 == 0x0a || $0 == 0x0d }
    guard needsQuotes else { return out.append(base, bytes.count) }
    out.append(0x22)
    for byte in bytes {
      if byte == 0x22 { out.append(0x22) }
      out.append(byte)
    }
    out.append(0x22)
  }

  // MARK: Text

  private func writeText(_ rows: QueryRows) throws -> Int {
    let types = rows.header.columns.map(\.type)
    let names = rows.header.columns.map(\.name)
    var measured: [[String]] = []
    var isEnd = false
    while measured.count < QueryWriter.measuredRows {
      guard try rows.next() else {
        isEnd = true
        break
      }
      measured.append(types.indices.map { shown(rows.statement, $0, types[$0]) })
    }
    var widths = names.map(\.count)
    for row in measured {
      for column in row.indices {
        widths[column] = max(widths[column], min(row[column].count, QueryWriter.widest))
      }
    }
    let isNumber = types.map { $0 == .integer || $0 == .real }
    line(names, widths, isNumber)
    line(widths.map { String(repeating: "-", count: $0) }, widths, isNumber)
    for row in measured {
      line(row, widths, isNumber)
      try flushIfFull()
    }
    var count = measured.count
    while !isEnd, try rows.next() {
      line(types.indices.map { shown(rows.statement, $0, types[$0]) }, widths, isNumber)
      count += 1
      try flushIfFull()
    }
    out.append("\n\(count) \(count == 1 ? "row" : "rows")\n")
    return count
  }

  private func line(_ cells: [String], _ widths: [Int], _ isNumber: [Bool]) {
    var text = ""
    for (column, cell) in cells.enumerated() {
      let pad = String(repeating: " ", count: max(0, widths[column] - cell.count))
      if column > 0 { text += "  " }
      text += isNumber[column] ? pad + cell : cell + pad
    }
    while text.hasSuffix(" ") { text.removeLast() }
    out.append(text + "\n")
  }

  /// A value for a terminal: nothing in it moves the cursor.
  private func shown(_ row: Statement, _ column: Int, _ type: QueryHeader.ValueType) -> String {
    let cell = ByteOutput(capacity: 32)
    if row.type(column) == 3 {
      return String(
        row.text(column).map { character in
          character.unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }
            ? "\u{fffd}" : character
        })
    }
    if row.type(column) == 2 {
      // Four places are what a reader compares; the other formats have all of them.
      let number = row.real(column)
      return abs(number) < 1e9 ? "\((number * 10_000).rounded() / 10_000)" : "\(number)"
    }
    plain(row, column, type, to: cell)
    return cell.text(cell.range(from: 0))
  }
}

/// Adds a value that is not text, without quotes; nothing for null.
private func plain(
  _ row: Statement, _ column: Int, _ type: QueryHeader.ValueType, to out: ByteOutput
) {
  switch row.type(column) {
  case 1:
    let number = row.integer(column)
    switch type {
    case .boolean: out.append(number != 0 ? "true" : "false" as StaticString)
    case .time: CivilDay.append(microseconds: number, to: out)
    case .day: CivilDay.append(day: number, to: out)
    default: out.append(number: number)
    }
  case 2: out.append("\(row.real(column))")
  case 4: hex(row.blob(column), to: out)
  default: break
  }
}

private func hex(_ bytes: [UInt8], to out: ByteOutput) {
  let digits: StaticString = "0123456789abcdef"
  for byte in bytes {
    out.append(digits.utf8Start[Int(byte >> 4)])
    out.append(digits.utf8Start[Int(byte & 15)])
  }
}
