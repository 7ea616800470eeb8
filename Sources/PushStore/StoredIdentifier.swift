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

  /// An id from its stored bytes; nil if they are none of one.
  @inline(__always) init?(stored bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 || bytes.count == 17, let base = bytes.baseAddress else { return nil }
    high = UInt64(bigEndian: base.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    count = bytes.count
  }

  /// Its hash.
  var hash: UInt64 { UUIDBytes.hash(high, low) }

  /// Writes its text, 36 bytes.
  func write(to target: UnsafeMutableRawPointer) {
    UUIDBytes.write(high, low, isUpper: count == 16, to: target)
  }
}
