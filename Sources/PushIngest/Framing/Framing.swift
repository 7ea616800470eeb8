import Glibc

/// How the bytes of a source fall into the pieces that an adapter reads.
///
/// A piece is never cut: chunks end where pieces end, whatever their size. Only the last piece of a
/// source may be incomplete.
public enum Framing: Sendable {
  /// Every line is a piece.
  case lines
  /// Rows of comma-separated values (RFC 4180): quoted fields may hold line ends.
  case csv(delimiter: UInt8)
  /// JSON objects one after the other: a line each, printed over several lines, without anything
  /// between them, or as elements of an array at the top. Text before an object on its line
  /// belongs to its piece. With `inside`, the elements of the array that the first object of the
  /// source holds under its first key are the pieces: `{"events":[{…},{…}]}`.
  case jsonValues(inside: Bool)
  /// A piece begins with a line of which the closure says so, and goes on with those of which it
  /// does not.
  case startedLines(@Sendable (UnsafeRawBufferPointer) -> Bool)
  /// The source is one piece, of up to 16 MiB.
  case document
}

/// A piece of a chunk.
public struct Piece: Sendable, Hashable {
  /// Offset of its first byte in the chunk.
  public var offset: Int
  /// Bytes without the line end behind it.
  public var length: Int
  /// Line of the chunk on which it begins, from 0.
  public var line: Int
  /// Number of line ends that belong to it.
  public var lineCount: Int
}

extension Framing {
  /// Longest row or record of several lines; behind that every line is a piece of its own, so that
  /// one quote too many does not swallow a file.
  static let longestRecord = 1 << 20

  /// A stretch of bytes that is a piece: its content, and where the next one begins.
  struct Stretch {
    var start: Int
    var end: Int
    var next: Int
    /// Line ends in it, where they were counted; else -1.
    var lineEnds = -1
    /// Of the line behind it, if that is known to begin a record: its content's end and where the
    /// next one begins; else 0.
    var followingEnd = 0
    var followingNext = 0
  }

  /// The piece that begins at `position`; nil if its end is not there yet.
  ///
  /// - Parameters:
  ///   - isAtEnd: whether nothing follows the bytes: then there is a piece unless nothing is left.
  ///   - before: the piece before it, which may know where its first line ends.
  func piece(
    _ base: UnsafeRawPointer, from position: Int, to end: Int, isAtEnd: Bool,
    after before: Stretch? = nil
  ) -> Stretch? {
    guard position < end else { return nil }
    switch self {
    case .lines: return Framing.line(base, position, end, isAtEnd)
    case .csv(let delimiter): return Framing.row(base, position, end, isAtEnd, delimiter)
    case .jsonValues: return JSONFraming.value(base, position, end, isAtEnd)
    case .startedLines(let isStart):
      return Framing.record(base, position, end, isAtEnd, isStart, after: before)
    case .document:
      return isAtEnd ? Stretch(start: position, end: end, next: end) : nil
    }
  }

  /// Index behind the last piece that ends in the bytes; nil if none does.
  func lastEnd(_ bytes: UnsafeRawBufferPointer, isSourceStart: Bool) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = 0
    if isSourceStart, case .jsonValues(inside: true) = self {
      position = JSONFraming.firstElement(bytes, from: 0)
    }
    var last = 0
    var before: Stretch?
    while let piece = piece(base, from: position, to: bytes.count, isAtEnd: false, after: before) {
      position = piece.next
      last = position
      before = piece
    }
    return last > 0 ? last : nil
  }

  static func line(
    _ base: UnsafeRawPointer, _ position: Int, _ end: Int, _ isAtEnd: Bool
  ) -> Stretch? {
    if let found = memchr(base + position, 0x0A, end - position) {
      let newline = UnsafeRawPointer(found) - base
      return Stretch(start: position, end: newline, next: newline + 1)
    }
    return isAtEnd ? Stretch(start: position, end: end, next: end) : nil
  }

  private static func row(
    _ base: UnsafeRawPointer, _ position: Int, _ end: Int, _ isAtEnd: Bool, _ delimiter: UInt8
  ) -> Stretch? {
    guard let first = line(base, position, end, isAtEnd) else { return nil }
    // Most rows have no quote at all.
    if memchr(base + position, 0x22, first.end - position) == nil { return first }
    var index = position
    var isFieldStart = true
    var isQuoted = false
    let limit = min(end, position + longestRecord)
    while index < limit {
      let byte = base.load(fromByteOffset: index, as: UInt8.self)
      if isQuoted {
        if byte == 0x22 {
          if index + 1 < limit, base.load(fromByteOffset: index + 1, as: UInt8.self) == 0x22 {
            index += 1
          } else {
            isQuoted = false
          }
        }
      } else if byte == 0x0A {
        return Stretch(start: position, end: index, next: index + 1)
      } else if byte == 0x22, isFieldStart {
        isQuoted = true
        isFieldStart = false
      } else {
        isFieldStart = byte == delimiter
      }
      index += 1
    }
    if limit < end { return first }
    guard isAtEnd else { return nil }
    return isQuoted ? first : Stretch(start: position, end: end, next: end)
  }

  private static func record(
    _ base: UnsafeRawPointer, _ position: Int, _ end: Int, _ isAtEnd: Bool,
    _ isStart: (UnsafeRawBufferPointer) -> Bool, after before: Stretch?
  ) -> Stretch? {
    var last: Stretch
    if let before, before.next == position, before.followingNext > 0 {
      // The line that ended the record before was found, and asked, already.
      last = Stretch(start: position, end: before.followingEnd, next: before.followingNext)
    } else {
      guard let first = line(base, position, end, isAtEnd) else { return nil }
      last = first
      // What stands before the first start is no record; it does not swallow what follows.
      let bytes = UnsafeRawBufferPointer(start: base + position, count: last.end - position)
      guard isStart(bytes) else { return last }
    }
    var lineEnds = last.next > last.end ? 1 : 0
    while last.next < end {
      guard let following = line(base, last.next, end, isAtEnd) else { return nil }
      let bytes = UnsafeRawBufferPointer(
        start: base + following.start, count: following.end - following.start)
      let begins = isStart(bytes)
      if begins || following.next - position > longestRecord {
        return Stretch(
          start: position, end: last.end, next: last.next, lineEnds: lineEnds,
          followingEnd: begins ? following.end : 0, followingNext: begins ? following.next : 0)
      }
      lineEnds += following.next > following.end ? 1 : 0
      last = following
    }
    guard isAtEnd else { return nil }
    return Stretch(start: position, end: last.end, next: last.next, lineEnds: lineEnds)
  }
}

/// Walks over the pieces of a chunk.
public struct PieceCursor: Sequence, IteratorProtocol {
  private let base: UnsafeRawPointer?
  private let count: Int
  private let framing: Framing
  private var position: Int
  private var line = 0
  private var last: Framing.Stretch?
  private let isSourceEnd: Bool

  /// Pieces of `bytes`, which must stay valid; a byte order mark is left out where the chunk is the
  /// beginning of its source. At its end a last line without a line end is counted.
  public init(
    _ bytes: UnsafeRawBufferPointer, framing: Framing, isSourceStart: Bool, isSourceEnd: Bool
  ) {
    self.isSourceEnd = isSourceEnd
    base = bytes.baseAddress
    count = bytes.count
    self.framing = framing
    let hasMark =
      isSourceStart && bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    position = hasMark ? 3 : 0
    if isSourceStart, case .jsonValues(inside: true) = framing {
      position = JSONFraming.firstElement(bytes, from: position)
      line = bytes.prefix(position).count { $0 == 0x0A }
    }
  }

  /// The next piece; nil behind the last.
  public mutating func next() -> Piece? {
    guard let base,
      let found = framing.piece(base, from: position, to: count, isAtEnd: true, after: last)
    else { return nil }
    last = found
    let before = position
    position = found.next
    var end = found.end
    if end > found.start, base.load(fromByteOffset: end - 1, as: UInt8.self) == 0x0D { end -= 1 }
    let first: Int
    let lines: Int
    if case .lines = framing {
      first = 0
      lines = 1
    } else {
      first = found.start > before ? newlines(base, before, found.start) : 0
      // A last line without its end is a line too.
      let open =
        isSourceEnd && found.next == count
        && base.load(fromByteOffset: count - 1, as: UInt8.self) != 0x0A
      lines =
        (found.lineEnds >= 0 ? found.lineEnds : newlines(base, found.start, found.next))
        + (open ? 1 : 0)
    }
    let piece = Piece(
      offset: found.start, length: end - found.start, line: line + first, lineCount: lines)
    line += first + lines
    return piece
  }

  private func newlines(_ base: UnsafeRawPointer, _ start: Int, _ end: Int) -> Int {
    var count = 0
    var index = start
    while index < end, let found = memchr(base + index, 0x0A, end - index) {
      count += 1
      index = UnsafeRawPointer(found) - base + 1
    }
    return count
  }
}
