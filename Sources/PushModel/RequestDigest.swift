/// The short id `XXXX-XXXX` that system logs print in the place of a request's identifier: the first
/// four bytes of the SHA-1 of its UTF-8 bytes, upper-case hex (F11.5). Case matters (F11.6).
public enum RequestDigest {
  /// The short id of an identifier.
  public static func text(of identifier: String) -> String {
    text(of: Array(identifier.utf8))
  }

  /// The short id of an identifier's bytes.
  public static func text(of identifier: [UInt8]) -> String {
    let word = firstWord(of: identifier)
    var text = ""
    for shift in stride(from: 28, through: 0, by: -4) {
      if shift == 12 { text += "-" }
      text += String((word >> UInt32(shift)) & 0xf, radix: 16, uppercase: true)
    }
    return text
  }

  /// Whether a text is of the form of a short id.
  public static func isDigest(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 9, bytes[4] == 0x2d else { return false }
    return bytes.indices.allSatisfy { place in
      place == 4 || bytes[place] &- 0x30 < 10 || bytes[place] &- 0x41 < 6
    }
  }

  /// The first four bytes of the SHA-1 (FIPS 180-4).
  static func firstWord(of message: [UInt8]) -> UInt32 {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    var words = [UInt32](repeating: 0, count: 80)
    for start in stride(from: 0, to: padded.count, by: 64) {
      for index in 0..<16 {
        let place = start + index * 4
        words[index] =
          UInt32(padded[place]) << 24 | UInt32(padded[place + 1]) << 16
          | UInt32(padded[place + 2]) << 8 | UInt32(padded[place + 3])
      }
      for index in 16..<80 {
        words[index] = rotated(
          words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
      }
      mix(words, into: &state)
    }
    return state[0]
  }

  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (choice, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotated(a, by: 5) &+ choice &+ e &+ constant &+ words[index]
      (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, next)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
