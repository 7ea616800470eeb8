import Glibc

/// Finds where JSON objects begin and end, without taking them apart.
enum JSONFraming {
  /// The object that begins at `position` or behind separators, with the text before it on its
  /// line; or a line that holds no object.
  static func value(
    _ base: UnsafeRawPointer, _ position: Int, _ end: Int, _ isAtEnd: Bool
  ) -> Framing.Stretch? {
    var index = position
    while index < end, isSeparator(byte(base, index)) { index += 1 }
    guard index < end else {
      // Nothing but line ends and brackets: no piece, but no reason to keep them waiting either.
      return isAtEnd
        ? Framing.Stretch(start: position, end: position, next: end)
        : nil
    }
    let start = index
    while index < end, byte(base, index) != 0x7B {
      if byte(base, index) == 0x0A {
        return Framing.Stretch(start: start, end: index, next: index + 1)
      }
      index += 1
    }
    guard index < end else {
      return isAtEnd ? Framing.Stretch(start: start, end: end, next: end) : nil
    }
    guard let close = objectEnd(base, index, end) else {
      return isAtEnd ? Framing.Stretch(start: start, end: end, next: end) : nil
    }
    // The line end belongs to it, so that chunks end with lines where they can.
    var next = close
    while next < end, byte(base, next) == 0x20 || byte(base, next) == 0x0D { next += 1 }
    if next < end, byte(base, next) == 0x2C { next += 1 }
    if next < end, byte(base, next) == 0x0D { next += 1 }
    if next < end, byte(base, next) == 0x0A {
      next += 1
    } else if next == end, !isAtEnd {
      return nil
    }
    return Framing.Stretch(start: start, end: close, next: next)
  }

  /// Index behind the object that begins at `start`; nil if it does not end here. An object that is
  /// broken off ends where the next one begins.
  static func objectEnd(_ base: UnsafeRawPointer, _ start: Int, _ end: Int) -> Int? {
    var depth = 0
    // One bit a level, of the innermost 64: whether it is an array.
    var arrays: UInt64 = 0
    var last: UInt8 = 0x5B
    var index = start
    while index < end {
      let byte = byte(base, index)
      switch byte {
      case 0x22:
        guard let close = stringEnd(base, index + 1, end) else { return nil }
        // A line end inside a string: the object was cut.
        if self.byte(base, close - 1) == 0x0A { return close - 1 }
        index = close
        last = 0x22
        continue
      case 0x7B:
        let isBroken =
          depth > 0 && !(last == 0x3A || last == 0x5B || (last == 0x2C && arrays & 1 == 1))
        if isBroken { return index }
        depth += 1
        arrays <<= 1
        last = byte
      case 0x5B:
        depth += 1
        arrays = arrays << 1 | 1
        last = byte
      case 0x7D, 0x5D:
        depth -= 1
        arrays >>= 1
        last = byte
        if depth == 0 { return index + 1 }
      case 0x20, 0x09, 0x0A, 0x0D: break
      default: last = byte
      }
      index += 1
    }
    return nil
  }

  /// Index behind the quote that ends a string, or behind a line end inside it.
  private static func stringEnd(_ base: UnsafeRawPointer, _ start: Int, _ end: Int) -> Int? {
    var index = start
    while index < end {
      let byte = byte(base, index)
      if byte == 0x22 || byte == 0x0A { return index + 1 }
      index += byte == 0x5C ? 2 : 1
    }
    return nil
  }

  /// Where the elements begin of the array that the first object holds under its first key.
  static func firstElement(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let bracket = bytes[start...].firstIndex(of: 0x5B) else { return start }
    return bracket + 1
  }

  /// Whether the bytes begin with an object whose first key holds an array of objects.
  static func isArrayInside(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    func space() { while index < bytes.count, bytes[index] <= 0x20 { index += 1 } }
    func take(_ byte: UInt8) -> Bool {
      space()
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }
    guard take(0x7B), take(0x22) else { return false }
    let name = index
    while index < bytes.count, bytes[index] != 0x22 { index += 1 }
    let key = String(decoding: bytes[name..<index], as: UTF8.self)
    guard wrapperKeys.contains(key), take(0x22), take(0x3A), take(0x5B) else { return false }
    space()
    return index < bytes.count && (bytes[index] == 0x7B || bytes[index] == 0x5B)
  }

  /// Keys under which tools put the list of what they export.
  private static let wrapperKeys: Set<String> = [
    "events", "logEvents", "results", "logs", "entries", "hits", "records", "rows", "items", "data",
  ]

  @inline(__always) private static func byte(_ base: UnsafeRawPointer, _ index: Int) -> UInt8 {
    base.load(fromByteOffset: index, as: UInt8.self)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x2C || byte == 0x5B || byte == 0x5D
  }
}
