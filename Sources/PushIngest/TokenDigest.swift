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
  /// The record of a token's text: hex digits are digested in lower case, other text as it is.
  init(text: ByteText, key: TokenKey) {
    var marks: TokenForm.Marks = []
    var isUpper = false
    for index in 0..<text.count {
      let byte = text[index]
      if byte &- 0x30 < 10 || byte &- 0x61 < 6 { continue }
      if byte &- 0x41 < 6 {
        isUpper = true
        continue
      }
      switch byte {
      case 0x3a: marks.insert([.colon, .beyondHex])
      case 0x3c, 0x3e: marks.insert(.angleBrackets)
      case 0x20, 0x09, 0x0a, 0x0d: marks.insert(.spaces)
      case 0x2e: marks.insert(.dots)
      case 0x5b, 0x5d: marks.insert([.squareBrackets, .beyondHex])
      case 0x2a: marks.insert(.masked)
      case 0x7b, 0x7d, 0x3d, 0x2c: marks.insert(.lengthWords)
      default: marks.insert(.beyondHex)
      }
    }
    if text.count > 8, text.buffer.starts(with: "{length".utf8) { marks.insert(.lengthWords) }
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
