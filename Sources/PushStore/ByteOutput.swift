public import PushModel

/// A growing stretch of bytes for texts that are written row by row.
public final class ByteOutput: @unchecked Sendable {
  @usableFromInline var memory: UnsafeMutablePointer<UInt8>
  @usableFromInline var used = 0
  @usableFromInline var capacity: Int
  /// First byte.
  @inlinable public var base: UnsafeMutablePointer<UInt8> { memory }
  /// Number of bytes.
  @inlinable public var count: Int { used }

  /// An empty output.
  public init(capacity: Int = 1 << 16) {
    self.capacity = capacity
    memory = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// Empties it, keeping its memory.
  public func removeAll() { used = 0 }

  /// Drops what was written behind a place.
  public func truncate(to place: Int) { used = place }

  @inlinable @inline(__always) func reserve(_ more: Int) {
    if count + more > capacity { grow(more) }
  }

  @inline(never) @usableFromInline func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    memory = larger
  }

  /// Adds one byte.
  @inlinable @inline(__always) public func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    used += 1
  }

  /// Adds bytes.
  @inlinable @inline(__always) public func append(_ from: UnsafeRawPointer, _ length: Int) {
    reserve(length)
    (base + count).update(from: from.assumingMemoryBound(to: UInt8.self), count: length)
    used += length
  }

  /// Adds a literal.
  @inlinable @inline(__always) public func append(_ text: StaticString) {
    append(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
  }

  /// Adds a text.
  public func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      if let base = bytes.baseAddress { append(UnsafeRawPointer(base), bytes.count) }
    }
  }

  /// Adds a whole number in decimal.
  @inlinable @inline(__always) public func append(number: Int64) {
    reserve(ByteCursor.longestNumber)
    var cursor = ByteCursor(next: base + count)
    cursor.put(number: number)
    end(cursor)
  }

  /// A cursor behind the last byte with room for so many more; ``end(_:)`` takes over what it wrote.
  @inlinable @inline(__always) public func cursor(atMost more: Int) -> ByteCursor {
    reserve(more)
    return ByteCursor(next: base + count)
  }

  /// Takes over what a cursor wrote. Nothing may have been added beside it.
  @inlinable @inline(__always) public func end(_ cursor: ByteCursor) { used = cursor.next - base }

  /// Adds a JSON string.
  public func append(quoted from: UnsafeRawPointer, _ length: Int) {
    reserve(length * 6 + 2)
    append(0x22)
    let bytes = from.assumingMemoryBound(to: UInt8.self)
    for index in 0..<length {
      let byte = bytes[index]
      if byte >= 0x20 && byte != 0x22 && byte != 0x5c {
        base[count] = byte
        used += 1
      } else {
        appendEscape(byte)
      }
    }
    append(0x22)
  }

  /// Adds a JSON string.
  public func append(quoted text: String) {
    var text = text
    text.withUTF8 { bytes in
      if let base = bytes.baseAddress {
        append(quoted: UnsafeRawPointer(base), bytes.count)
      } else {
        append("\"\"" as StaticString)
      }
    }
  }

  private func appendEscape(_ byte: UInt8) {
    switch byte {
    case 0x22: append("\\\"" as StaticString)
    case 0x5c: append("\\\\" as StaticString)
    case 0x0a: append("\\n" as StaticString)
    case 0x09: append("\\t" as StaticString)
    case 0x0d: append("\\r" as StaticString)
    default:
      append("\\u00" as StaticString)
      let digits: StaticString = "0123456789abcdef"
      append(digits.utf8Start[Int(byte >> 4)])
      append(digits.utf8Start[Int(byte & 15)])
    }
  }

  /// The range written since a place.
  public func range(from place: Int) -> TextRange {
    TextRange(
      offset: UInt32(truncatingIfNeeded: place), length: UInt32(truncatingIfNeeded: count - place))
  }

  /// Its bytes as a text.
  public func text(_ range: TextRange) -> String {
    String(
      decoding: UnsafeBufferPointer(start: base + Int(range.offset), count: Int(range.length)),
      as: UTF8.self)
  }
}

/// Writes into room that a ``ByteOutput`` has made: a place that the compiler keeps at hand, where each
/// byte added to the output itself asks how much room is left. The caller says beforehand how much it
/// is at most; nothing is checked here.
public struct ByteCursor {
  /// Where the next byte goes.
  @usableFromInline var next: UnsafeMutablePointer<UInt8>

  @inlinable init(next: UnsafeMutablePointer<UInt8>) { self.next = next }

  /// Bytes of the longest number.
  @inlinable public static var longestNumber: Int { 20 }

  /// Adds one byte.
  @inlinable @inline(__always) public mutating func put(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  /// Adds a value as its bytes.
  @inlinable @inline(__always)
  public mutating func put<Value: BitwiseCopyable>(bytesOf value: Value) {
    UnsafeMutableRawPointer(next).storeBytes(of: value, as: Value.self)
    next += MemoryLayout<Value>.size
  }

  /// Adds bytes.
  @inlinable @inline(__always) public mutating func put(_ from: UnsafeRawPointer, _ length: Int) {
    next.update(from: from.assumingMemoryBound(to: UInt8.self), count: length)
    next += length
  }

  /// Adds a whole number in decimal.
  @inlinable @inline(__always) public mutating func put(number: Int64) {
    var value = number.magnitude
    if number < 0 { put(0x2d) }
    if value < 10 { return put(0x30 + UInt8(truncatingIfNeeded: value)) }
    let digits = ByteCursor.digits(of: value)
    var place = digits - 1
    while value >= 10 {
      next[place] = 0x30 + UInt8(truncatingIfNeeded: value % 10)
      value /= 10
      place -= 1
    }
    next[0] = 0x30 + UInt8(truncatingIfNeeded: value)
    next += digits
  }

  /// The number of decimal digits, by comparing instead of dividing.
  @inlinable static func digits(of value: UInt64) -> Int {
    if value < 10_000 { return value < 100 ? 2 : value < 1000 ? 3 : 4 }
    if value < 100_000_000 {
      return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8
    }
    var digits = 9
    var limit: UInt64 = 1_000_000_000
    while digits < 20, value >= limit {
      digits += 1
      limit = limit &* 10
    }
    return digits
  }
}

/// A copy of bytes that stays where it is for as long as the copy lives.
final class StableBytes {
  let bytes: UnsafeRawBufferPointer

  init(_ source: UnsafeRawBufferPointer) {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, source.count), alignment: 1)
    copy.copyMemory(from: source)
    bytes = UnsafeRawBufferPointer(rebasing: copy[0..<source.count])
  }

  deinit {
    UnsafeRawBufferPointer(start: bytes.baseAddress, count: max(1, bytes.count)).deallocate()
  }
}

/// Reads the JSON that this module writes: no white space, the values of timelines only. Damage is
/// noticed (``isDamaged``) and ends the reading; nothing is read beyond the end.
struct JSONCursor {
  let base: UnsafePointer<UInt8>
  let end: Int
  var place = 0
  var isDamaged = false
  private var scratch: [UInt8] = []

  init(_ buffer: UnsafeRawBufferPointer) {
    base =
      buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(JSONCursor.nothing)
    end = buffer.count
  }

  /// One byte that stands for an empty buffer; never written after this.
  private nonisolated(unsafe) static let nothing: UnsafeMutablePointer<UInt8> = {
    let pointer = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    pointer.initialize(to: 0)
    return pointer
  }()

  @inline(__always) var peek: UInt8 { place < end ? base[place] : 0 }

  /// Takes a byte if it is next.
  @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
    if peek == byte {
      place += 1
      return true
    }
    return false
  }

  /// Takes a byte that must be next.
  @inline(__always) mutating func expect(_ byte: UInt8) {
    if !take(byte) { isDamaged = true }
  }

  /// Whether another element follows: takes the comma, or the closing byte.
  @inline(__always) mutating func another(until close: UInt8) -> Bool {
    if isDamaged { return false }
    if take(0x2c) { return true }
    if take(close) { return false }
    isDamaged = true
    return false
  }

  /// Whether the list or object that was just opened has an element.
  @inline(__always) mutating func hasFirst(until close: UInt8) -> Bool {
    isDamaged ? false : !take(close)
  }

  mutating func integer() -> Int64 {
    let isNegative = take(0x2d)
    var value: Int64 = 0
    let start = place
    while peek &- 0x30 < 10 {
      value = value &* 10 &+ Int64(peek &- 0x30)
      place += 1
    }
    if place == start { isDamaged = true }
    // The smallest number has no positive one.
    return isNegative ? 0 &- value : value
  }

  /// A number: whole, or real if it has a point or an exponent.
  mutating func number() -> (whole: Int64?, real: Double) {
    let start = place
    var isReal = false
    while place < end {
      let byte = base[place]
      if byte &- 0x30 < 10 || byte == 0x2d || byte == 0x2b {
      } else if byte == 0x2e || byte == 0x65 || byte == 0x45 {
        isReal = true
      } else {
        break
      }
      place += 1
    }
    if !isReal {
      let stop = place
      place = start
      let value = integer()
      if place != stop { isDamaged = true }
      return (value, Double(value))
    }
    let text = String(
      decoding: UnsafeBufferPointer(start: base + start, count: place - start), as: UTF8.self)
    guard let real = Double(text) else {
      isDamaged = true
      return (nil, 0)
    }
    return (nil, real)
  }

  /// A string's bytes, valid until the next call.
  mutating func string<Value>(_ body: (UnsafeRawPointer, Int) -> Value) -> Value? {
    guard take(0x22) else {
      isDamaged = true
      return nil
    }
    let start = place
    while place < end, base[place] != 0x22, base[place] != 0x5c { place += 1 }
    if peek == 0x22 {
      let length = place - start
      place += 1
      return body(UnsafeRawPointer(base + start), length)
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: UnsafeBufferPointer(start: base + start, count: place - start))
    while place < end, base[place] != 0x22 {
      var byte = base[place]
      place += 1
      if byte == 0x5c {
        let escape = peek
        place += 1
        switch escape {
        case 0x6e: byte = 0x0a
        case 0x74: byte = 0x09
        case 0x72: byte = 0x0d
        case 0x75:
          guard place + 4 <= end else {
            isDamaged = true
            return nil
          }
          var value: UInt32 = 0
          for _ in 0..<4 {
            let digit = base[place]
            value = value << 4 | UInt32(digit < 0x40 ? digit &- 0x30 : (digit | 0x20) &- 0x57)
            place += 1
          }
          byte = UInt8(truncatingIfNeeded: value)
        default: byte = escape
        }
      }
      scratch.append(byte)
    }
    expect(0x22)
    return scratch.withUnsafeBytes { bytes in
      body(bytes.baseAddress ?? UnsafeRawPointer(base), bytes.count)
    }
  }

  mutating func text() -> String {
    string { String(decoding: UnsafeRawBufferPointer(start: $0, count: $1), as: UTF8.self) } ?? ""
  }

  /// Passes over any value.
  mutating func skip() {
    switch peek {
    case 0x22: _ = string { _, _ in 0 }
    case 0x5b, 0x7b:
      let close: UInt8 = peek == 0x5b ? 0x5d : 0x7d
      place += 1
      guard hasFirst(until: close) else { return }
      repeat {
        skip()
        if close == 0x7d {
          expect(0x3a)
          skip()
        }
      } while another(until: close)
    case 0x74: place += 4
    case 0x66: place += 5
    case 0x6e: place += 4
    default: _ = number()
    }
    if place > end { isDamaged = true }
  }
}
