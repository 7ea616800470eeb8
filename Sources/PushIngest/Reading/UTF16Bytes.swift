/// Text in UTF-16 as UTF-8, a block at a time. Halves of pairs that stand alone become U+FFFD.
final class UTF16Bytes: ByteStream {
  private let inner: any ByteStream
  private let isBigEndian: Bool
  /// Decoded bytes that did not fit, from `start` on.
  private var decoded: [UInt8] = []
  private var start = 0
  private var block = [UInt8](repeating: 0, count: 1 << 16)
  /// A byte whose unit, and a unit whose pair, is not here yet.
  private var odd: UInt8?
  private var high: UInt16?
  private var isAtStart = true
  private var isAtEnd = false

  init(_ inner: any ByteStream, isBigEndian: Bool) {
    self.inner = inner
    self.isBigEndian = isBigEndian
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(StreamFailure) -> Int {
    while start == decoded.count {
      if isAtEnd { return 0 }
      decoded.removeAll(keepingCapacity: true)
      start = 0
      try decodeBlock()
    }
    let count = min(target.count, decoded.count - start)
    decoded.withUnsafeBytes { bytes in
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    }
    start += count
    return count
  }

  private func decodeBlock() throws(StreamFailure) {
    let got = block.withUnsafeMutableBytes { inner.fill($0) }
    for index in 0..<got.count { take(block[index]) }
    guard got.count < block.count else { return }
    if let failure = got.failure {
      // What came before is handed out first; the next read says why there is no more.
      if decoded.isEmpty { throw failure }
      return
    }
    isAtEnd = true
    if odd != nil || high != nil { append(0xFFFD) }
    odd = nil
    high = nil
  }

  private func take(_ byte: UInt8) {
    guard let first = odd else {
      odd = byte
      return
    }
    odd = nil
    let unit =
      isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
    let isMark = isAtStart && unit == 0xFEFF
    isAtStart = false
    if isMark { return }
    if let pending = high {
      high = nil
      if unit & 0xFC00 == 0xDC00 {
        return append(
          0x10000 + UInt32(pending & 0x3FF) << 10 + UInt32(unit & 0x3FF))
      }
      append(0xFFFD)
    }
    switch unit & 0xFC00 {
    case 0xD800: high = unit
    case 0xDC00: append(0xFFFD)
    default: append(UInt32(unit))
    }
  }

  private func append(_ scalar: UInt32) {
    if scalar < 0x80 {
      decoded.append(UInt8(scalar))
    } else if scalar < 0x800 {
      decoded.append(UInt8(0xC0 | scalar >> 6))
      decoded.append(UInt8(0x80 | scalar & 0x3F))
    } else if scalar < 0x10000 {
      decoded.append(UInt8(0xE0 | scalar >> 12))
      decoded.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      decoded.append(UInt8(0x80 | scalar & 0x3F))
    } else {
      decoded.append(UInt8(0xF0 | scalar >> 18))
      decoded.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      decoded.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      decoded.append(UInt8(0x80 | scalar & 0x3F))
    }
  }
}
