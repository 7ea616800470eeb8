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

  private func damaged(_ block: Int64) -> StoreError {
    StoreError(
      .damaged, message: "block \(block) of stored lines cannot be read", path: database.path)
  }
}
