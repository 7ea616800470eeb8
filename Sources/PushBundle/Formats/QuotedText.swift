/// Text in quotes with escapes, as JSON and the old form of property lists have it.
enum QuotedText {
  /// What the byte after a backslash stands for.
  enum Escape {
    case byte(UInt8)
    /// Four hex digits follow: a unit of UTF-16. Two of them may be one character.
    case unit
  }

  /// Reads a text from its opening quote at `place`, and leaves `place` behind the closing one, or
  /// where the fault is.
  ///
  /// `escape` gives nil for a byte that may not follow a backslash.
  static func read(
    _ bytes: [UInt8], from place: inout Int, escape: (UInt8) -> Escape?
  ) throws(FormatFault.Damage) -> String {
    let quote = bytes[place]
    place += 1
    var out: [UInt8] = []
    var units: [UInt16] = []
    func flush() {
      if !units.isEmpty { out += Array(String(decoding: units, as: UTF16.self).utf8) }
      units = []
    }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == quote {
        flush()
        guard let text = String(validating: out, as: UTF8.self) else { throw .badText }
        return text
      }
      guard byte == UInt8(ascii: "\\") else {
        flush()
        out.append(byte)
        continue
      }
      guard place < bytes.count else { break }
      place += 1
      switch escape(bytes[place - 1]) {
      case .unit: units.append(try unit(bytes, &place))
      case .byte(let byte):
        flush()
        out.append(byte)
      case nil: throw .expected("a known escape")
      }
    }
    throw .cutShort
  }

  private static func unit(
    _ bytes: [UInt8], _ place: inout Int
  ) throws(FormatFault.Damage) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard place < bytes.count, let digit = hexDigit(bytes[place]) else {
        throw .expected("hex digits")
      }
      unit = unit << 4 | UInt16(digit)
      place += 1
    }
    return unit
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
