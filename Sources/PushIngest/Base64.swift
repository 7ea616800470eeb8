/// Base64 with either alphabet (RFC 4648), with or without its padding.
enum Base64 {
  /// The bytes of a text, nil where it is not Base64.
  static func decode(_ text: some RandomAccessCollection<UInt8>) -> [UInt8]? {
    var bits: UInt32 = 0
    var count = 0
    var bytes: [UInt8] = []
    let digits = text.reversed().drop { $0 == 0x3D }.reversed()
    guard digits.count % 4 != 1 else { return nil }
    for byte in digits {
      let value: UInt8
      switch byte {
      case 0x41...0x5A: value = byte - 0x41
      case 0x61...0x7A: value = byte - 0x61 + 26
      case 0x30...0x39: value = byte - 0x30 + 52
      case 0x2B, 0x2D: value = 62
      case 0x2F, 0x5F: value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
