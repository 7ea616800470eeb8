import PushModel

/// An id that is a UUID, as it is stored: its 16 bytes, and a 17th where its letters are small.
/// Every other id, and a UUID in mixed letters, is stored as its text.
struct StoredIdentifier {
  var high: UInt64
  var low: UInt64
  var count: Int

  /// Nil if the text is stored as it is.
  @inline(__always) init?(_ text: UnsafeRawPointer, _ length: Int) {
    guard length == 36, let uuid = UUIDBytes(text), uuid.letters != 3 else { return nil }
    high = uuid.high
    low = uuid.low
    count = uuid.letters == 1 ? 17 : 16
  }

  /// Writes the text of stored bytes into `out`, 36 bytes; false if they are none of an id.
  static func write(_ bytes: UnsafeRawBufferPointer, to out: UnsafeMutableRawBufferPointer) -> Bool
  {
    guard bytes.count == 16 || bytes.count == 17, out.count == 36 else { return false }
    let letters: UInt8 = bytes.count == 17 ? 0x57 : 0x37
    var place = 0
    for index in 0..<16 {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        out[place] = 0x2d
        place += 1
      }
      for digit in [bytes[index] >> 4, bytes[index] & 15] {
        out[place] = digit < 10 ? 0x30 + digit : letters + digit
        place += 1
      }
    }
    return true
  }
}
