/// Reads numbers and texts from bytes, never outside of them.
struct ByteWindow {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// Whether `count` bytes stand at `offset`.
  func holds(_ count: Int, at offset: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= bytes.count && count <= bytes.count - offset
  }

  /// An unsigned number of 1 to 8 bytes.
  func unsigned(_ count: Int, at offset: Int, bigEndian: Bool) -> UInt64? {
    guard (1...8).contains(count), holds(count, at: offset) else { return nil }
    var value: UInt64 = 0
    for place in 0..<count {
      value = value << 8 | UInt64(bytes[offset + (bigEndian ? place : count - 1 - place)])
    }
    return value
  }

  /// The same as an `Int`; nil also if it is too large for one.
  func int(_ count: Int, at offset: Int, bigEndian: Bool) -> Int? {
    unsigned(count, at: offset, bigEndian: bigEndian).flatMap { Int(exactly: $0) }
  }

  /// Bytes as they stand.
  func slice(at offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    holds(count, at: offset) ? bytes[offset..<offset + count] : nil
  }

  /// A text that ends with a zero byte, of at most `limit` bytes.
  func text(at offset: Int, limit: Int = 4096) -> String? {
    guard holds(1, at: offset) else { return nil }
    let end = min(bytes.count, offset + limit)
    guard let zero = bytes[offset..<end].firstIndex(of: 0) else { return nil }
    return String(validating: bytes[offset..<zero], as: UTF8.self)
  }

  /// All texts of a section of texts that end with zero bytes.
  func allTexts(limit: Int = 200_000) -> [String] {
    var texts: [String] = []
    for part in bytes.split(separator: 0, maxSplits: limit) where part.count <= 4096 {
      if let text = String(validating: part, as: UTF8.self) { texts.append(text) }
    }
    return texts
  }
}
