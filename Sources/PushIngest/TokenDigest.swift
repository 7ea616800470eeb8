import PushModel

/// The key of the database's token digests: 16 bytes from the file beside the database.
public struct TokenKey: Sendable, Hashable {
  let k0: UInt64
  let k1: UInt64

  /// The key of digests that nobody keeps.
  static let none = TokenKey(k0: 0, k1: 0)

  private init(k0: UInt64, k1: UInt64) {
    self.k0 = k0
    self.k1 = k1
  }

  /// A key from its 16 bytes; nil if there are not 16.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    var words: [UInt64] = [0, 0]
    for index in 0..<16 { words[index / 8] |= UInt64(bytes[index]) << UInt64(8 * (index % 8)) }
    k0 = words[0]
    k1 = words[1]
  }
}

/// SipHash-2-4 with 128 bits: a keyed digest, so that tokens cannot be guessed from the database.
enum SipHash {
  static func digest(_ base: UnsafeRawPointer, _ count: Int, key: TokenKey) -> (UInt64, UInt64) {
    var v0 = 0x736f_6d65_7073_6575 ^ key.k0
    var v1 = 0x646f_7261_6e64_6f6d ^ key.k1 ^ 0xee
    var v2 = 0x6c79_6765_6e65_7261 ^ key.k0
    var v3 = 0x7465_6462_7974_6573 ^ key.k1

    @inline(__always) func round() {
      v0 = v0 &+ v1
      v1 = (v1 << 13 | v1 >> 51) ^ v0
      v0 = v0 << 32 | v0 >> 32
      v2 = v2 &+ v3
      v3 = (v3 << 16 | v3 >> 48) ^ v2
      v0 = v0 &+ v3
      v3 = (v3 << 21 | v3 >> 43) ^ v0
      v2 = v2 &+ v1
      v1 = (v1 << 17 | v1 >> 47) ^ v2
      v2 = v2 << 32 | v2 >> 32
    }

    var offset = 0
    while offset + 8 <= count {
      let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      v3 ^= word
      round()
      round()
      v0 ^= word
      offset += 8
    }
    var last = UInt64(truncatingIfNeeded: count) << 56
    var shift: UInt64 = 0
    while offset < count {
      last |= UInt64(base.load(fromByteOffset: offset, as: UInt8.self)) << shift
      shift += 8
      offset += 1
    }
    v3 ^= last
    round()
    round()
    v0 ^= last
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let high = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (high, v0 ^ v1 ^ v2 ^ v3)
  }
}

extension TokenRecord {
  /// Whether eight bytes are lower-case hex digits: comparisons of all at once, in the top bits.
  @inline(__always) private static func isLowerHex(_ base: UnsafeRawPointer) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let word = base.loadUnaligned(as: UInt64.self)
    func isAtLeast(_ byte: UInt64) -> UInt64 { word &+ ones &* (0x80 - byte) }
    let digits = isAtLeast(0x30) & ~isAtLeast(0x3a)
    let letters = isAtLeast(0x61) & ~isAtLeast(0x67)
    return (digits | letters) & ~word & ones << 7 == ones << 7
  }

  private static let upperCase: UInt16 = 0x100
  /// What each byte says of a token's form, and whether it is a hex digit in upper case.
  private static let marksOfBytes: MessageList<UInt16> = MessageList(
    (0...255).map { (byte: UInt8) in
      let marks: TokenForm.Marks
      switch byte {
      case 0x30...0x39, 0x61...0x66: return 0
      case 0x41...0x46: return upperCase
      case 0x3a: marks = [.colon, .beyondHex]
      case 0x3c, 0x3e: marks = .angleBrackets
      case 0x20, 0x09, 0x0a, 0x0d: marks = .spaces
      case 0x2e: marks = .dots
      case 0x5b, 0x5d: marks = [.squareBrackets, .beyondHex]
      case 0x2a: marks = .masked
      case 0x7b, 0x7d, 0x3d, 0x2c: marks = .lengthWords
      default: marks = .beyondHex
      }
      return UInt16(marks.rawValue)
    })

  /// The record of a token's text: hex digits are digested in lower case, other text as it is.
  init(text: ByteText, key: TokenKey) {
    var bits: UInt16 = 0
    var index = 0
    // Most tokens are lower-case hex digits: eight bytes at a time are asked for that.
    while index + 8 <= text.count, TokenRecord.isLowerHex(text.base + index) { index += 8 }
    let marksOfBytes = TokenRecord.marksOfBytes
    for index in index..<text.count { bits |= marksOfBytes[Int(text[index])] }
    let isUpper = bits & TokenRecord.upperCase != 0
    var marks = TokenForm.Marks(rawValue: UInt8(truncatingIfNeeded: bits))
    if text.count > 8, text.starts(with: "{length") { marks.insert(.lengthWords) }
    var pair: (UInt64, UInt64)
    if isUpper && marks.isEmpty {
      var lower = Array(text.buffer)
      for index in lower.indices where lower[index] &- 0x41 < 6 { lower[index] |= 0x20 }
      pair = lower.withUnsafeBytes { bytes in
        bytes.baseAddress.map { SipHash.digest($0, bytes.count, key: key) } ?? (1, 1)
      }
    } else {
      pair = SipHash.digest(text.base, text.count, key: key)
    }
    if pair == (0, 0) { pair = (1, 1) }
    var head: UInt32 = 0
    var tail: UInt32 = 0
    for index in 0..<min(4, text.count) {
      head = head << 8 | UInt32(text[index])
      tail = tail << 8 | UInt32(text[max(0, text.count - 4) + index])
    }
    self.init(
      high: pair.0, low: pair.1, head: head, tail: tail,
      length: UInt16(truncatingIfNeeded: min(text.count, 65535)), marks: marks)
  }
}
