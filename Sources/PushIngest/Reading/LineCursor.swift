public import Glibc

/// One line of a chunk, without its line end.
public struct Line: Sendable, Hashable {
  /// Offset of its first byte in the chunk.
  public var offset: Int
  /// Bytes without the newline and without a carriage return before it.
  public var length: Int
  /// Its place in the chunk, from 0.
  public var index: Int

  /// A line of a chunk.
  @inlinable
  public init(offset: Int, length: Int, index: Int) {
    self.offset = offset
    self.length = length
    self.index = index
  }
}

/// Walks over the lines of a chunk.
///
/// Every newline ends a line, also an empty one; bytes behind the last newline are a line too.
/// A byte order mark is left out where the chunk is the beginning of its source.
public struct LineCursor: Sequence, IteratorProtocol {
  @usableFromInline let base: UnsafeRawPointer?
  @usableFromInline let count: Int
  @usableFromInline var position: Int
  @usableFromInline var index = 0

  /// Lines of `bytes`, which must stay valid.
  ///
  /// - Parameter isSourceStart: whether the first byte is the first one of its source.
  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer, isSourceStart: Bool) {
    count = bytes.count
    base = bytes.baseAddress
    let hasMark =
      isSourceStart && bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    position = hasMark ? 3 : 0
  }

  /// The next line; nil behind the last.
  @inlinable
  public mutating func next() -> Line? {
    guard position < count, let base else { return nil }
    let start = base + position
    let remaining = count - position
    var length = remaining
    var advance = remaining
    if let found = memchr(start, 0x0A, remaining) {
      length = UnsafeRawPointer(found) - start
      advance = length + 1
    }
    let offset = position
    position += advance
    if length > 0, start.load(fromByteOffset: length - 1, as: UInt8.self) == 0x0D { length -= 1 }
    defer { index += 1 }
    return Line(offset: offset, length: length, index: index)
  }
}

/// Calls `body` with offset, length and index of every line of a filled buffer.
@inlinable
public func forEachLine(
  in buffer: ChunkBuffer, of chunk: Chunk, _ body: (_ line: Line) throws -> Void
) rethrows {
  var cursor = LineCursor(buffer.bytes, isSourceStart: chunk.offsetBytes == 0)
  while let line = cursor.next() { try body(line) }
}
