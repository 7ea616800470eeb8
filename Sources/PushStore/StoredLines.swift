import CZstd
public import PushModel

/// Stored lines of records, as they were kept: private values already taken out.
public struct StoredLines {
  /// One kept line.
  public struct Line: Sendable {
    /// Where it stood.
    public var reference: RecordReference
    /// The line.
    public var text: String
  }

  private let database: Database

  /// Lines of one database.
  public init(_ database: Database) { self.database = database }

  /// All lines of a block, in the order in which they were kept.
  public func lines(block: Int64) throws(StoreError) -> [Line] {
    let statement = try database.prepare("SELECT size, lines FROM raw_block WHERE id = ?1")
    statement.bind(1, block)
    guard try statement.step() else {
      statement.reset()
      return []
    }
    let size = Int(statement.integer(0))
    let packed = statement.blob(1)
    statement.reset()
    guard size >= 0, size < 1 << 30 else { throw damaged(block) }
    var text = [UInt8](repeating: 0, count: size)
    let written = text.withUnsafeMutableBytes { target in
      packed.withUnsafeBytes { source in
        ZSTD_decompress(target.baseAddress, size, source.baseAddress, source.count)
      }
    }
    guard ZSTD_isError(written) == 0, written == size else { throw damaged(block) }
    var lines: [Line] = []
    for line in text.split(separator: 0x0a) {
      let parts = line.split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let source = UInt32(String(decoding: parts[0], as: UTF8.self)),
        let number = UInt32(String(decoding: parts[1], as: UTF8.self))
      else { throw damaged(block) }
      lines.append(
        Line(
          reference: RecordReference(source: source, line: number),
          text: String(decoding: parts[2], as: UTF8.self)))
    }
    return lines
  }

  /// Replaces the lines of a block by these.
  func replace(block: Int64, with lines: [Line]) throws(StoreError) {
    let text = ByteOutput(capacity: 1 << 16)
    for line in lines {
      text.append("\(line.reference.source)\t\(line.reference.line)\t\(line.text)\n")
    }
    var packed: [UInt8] = []
    let size = try pack(UnsafeRawPointer(text.base), text.count, into: &packed)
    let statement = try database.prepare("UPDATE raw_block SET size = ?2, lines = ?3 WHERE id = ?1")
    statement.bind(1, block)
    statement.bind(2, Int64(text.count))
    statement.bind(3, blob: Array(packed.prefix(size)))
    try statement.run()
  }

  /// Compresses the text of a block into `target`, which grows as needed; returns how many bytes.
  func pack(_ base: UnsafeRawPointer, _ count: Int, into target: inout [UInt8])
    throws(StoreError) -> Int
  {
    let bound = ZSTD_compressBound(count)
    if target.count < bound { target = [UInt8](repeating: 0, count: bound) }
    let size = target.withUnsafeMutableBytes {
      ZSTD_compress($0.baseAddress, bound, base, count, 1)
    }
    guard ZSTD_isError(size) == 0 else {
      throw StoreError(.failed, message: "zstd could not compress lines", path: database.path)
    }
    return size
  }

  private func damaged(_ block: Int64) -> StoreError {
    StoreError(
      .damaged, message: "block \(block) of stored lines cannot be read", path: database.path)
  }
}
