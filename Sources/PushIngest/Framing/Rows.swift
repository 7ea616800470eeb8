import Glibc

/// Fields of one row of comma-separated values (RFC 4180).
struct RowFields {
  /// The fields without their quotes; valid until the next row of the same workspace.
  private(set) var fields: [ByteText] = []
  private var scratch: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Length of the longest row that fields are taken from.
  private static let longest = 16 << 20

  init() {
    capacity = 4096
    scratch = .allocate(capacity: capacity + ChunkBuffer.paddingBytes)
  }

  func free() { scratch.deallocate() }

  /// Takes a row apart. Quoted fields with doubled quotes are copied, all others stay where they are.
  mutating func split(_ row: UnsafeRawBufferPointer, delimiter: UInt8) {
    fields.removeAll(keepingCapacity: true)
    guard let base = row.baseAddress, row.count <= RowFields.longest else { return }
    if capacity < row.count + ChunkBuffer.paddingBytes {
      scratch.deallocate()
      capacity = row.count * 2 + ChunkBuffer.paddingBytes
      scratch = .allocate(capacity: capacity + ChunkBuffer.paddingBytes)
    }
    var used = 0
    var index = 0
    while true {
      if index < row.count, row[index] == 0x22 {
        let start = used
        index = unquote(row, from: index + 1, &used)
        fields.append(ByteText(base: UnsafeRawPointer(scratch + start), count: used - start))
        // JSON in a field is parsed where it stands: what follows must be readable and no digit.
        scratch[used] = 0
        used += 1
        while index < row.count, row[index] != delimiter { index += 1 }
      } else {
        let start = index
        if let found = memchr(base + index, Int32(delimiter), row.count - index) {
          index = UnsafeRawPointer(found) - base
        } else {
          index = row.count
        }
        fields.append(ByteText(base: base + start, count: index - start))
      }
      guard index < row.count else { return }
      index += 1
    }
  }

  /// Copies a quoted field; returns the index behind its closing quote.
  private mutating func unquote(
    _ row: UnsafeRawBufferPointer, from start: Int, _ used: inout Int
  ) -> Int {
    var index = start
    while index < row.count {
      let byte = row[index]
      index += 1
      if byte == 0x22 {
        guard index < row.count, row[index] == 0x22 else { return index }
        index += 1
      }
      scratch[used] = byte
      used += 1
    }
    return index
  }
}

/// The header of a source of comma-separated values.
struct RowHead {
  /// Names of the columns, in lower case, blanks as underscores.
  let names: [String]
  /// What stands between fields.
  let delimiter: UInt8
  /// Bytes of the header row.
  let header: [UInt8]
  /// The first rows behind it.
  let rows: [UnsafeRawBufferPointer]

  /// Nil if the first line is no header: two names at least, of letters, digits and a few marks.
  init?(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) {
    guard let base = bytes.baseAddress else { return nil }
    var start = 0
    while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
    guard let first = Framing.line(base, start, bytes.count, true), first.end > first.start else {
      return nil
    }
    var line = UnsafeRawBufferPointer(rebasing: bytes[first.start..<first.end])
    if line.last == 0x0D { line = UnsafeRawBufferPointer(rebasing: line[..<(line.count - 1)]) }
    guard let delimiter = RowHead.delimiter(line) else { return nil }
    var row = RowFields()
    defer { row.free() }
    row.split(line, delimiter: delimiter)
    var names: [String] = []
    for field in row.fields {
      let name = field.string.lowercased().replacing(" ", with: "_")
      let isName =
        !name.isEmpty && name.count <= 64
        && name.utf8.allSatisfy {
          $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E || $0 == 0x40
        }
      guard isName else { return nil }
      names.append(name)
    }
    self.names = names
    self.delimiter = delimiter
    header = Array(line)
    var rows: [UnsafeRawBufferPointer] = []
    var position = first.next
    let framing = Framing.csv(delimiter: delimiter)
    while rows.count < 20,
      let piece = framing.piece(base, from: position, to: bytes.count, isAtEnd: isWhole)
    {
      position = piece.next
      if piece.end > piece.start {
        rows.append(UnsafeRawBufferPointer(rebasing: bytes[piece.start..<piece.end]))
      }
    }
    // A last row that is broken off inside of a quoted field says nothing of what the file is.
    if rows.count > 1, let last = rows.last, last.count(where: { $0 == 0x22 }) % 2 == 1 {
      rows.removeLast()
    }
    self.rows = rows
  }

  private static func delimiter(_ line: UnsafeRawBufferPointer) -> UInt8? {
    let candidates: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]
    return candidates.first { line.contains($0) }
  }

  /// A setup whose columns have the codes of these names; nil unless all of `needed` are there.
  func setup(_ codes: [String: UInt8], needed: [String], hints: SourceHints) -> SourceSetup? {
    guard needed.allSatisfy(names.contains) else { return nil }
    var setup = SourceSetup(framing: .csv(delimiter: delimiter))
    setup.columns = names.map { codes[$0] ?? 0 }
    setup.header = header
    setup.hints = hints
    return setup
  }
}
