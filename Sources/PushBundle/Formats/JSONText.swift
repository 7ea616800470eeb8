/// JSON to and from ``PlistValue``: key order and whole numbers of 64 bits stay as they are.
public struct JSONText {
  private let bytes: [UInt8]
  private var place = 0
  private var valuesLeft = PropertyList.valueLimit

  /// The value in the bytes of a file.
  public static func read(_ bytes: [UInt8]) throws(FormatFault) -> PlistValue {
    guard bytes.count <= PropertyList.sizeLimit else {
      throw FormatFault(.json, .tooLarge(PropertyList.sizeLimit))
    }
    var reader = JSONText(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipBlank()
    guard reader.peek == nil else { throw reader.fault(.expected("the end of the file")) }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func fault(_ damage: FormatFault.Damage) -> FormatFault {
    FormatFault(
      .json, damage, line: 1 + bytes[..<min(place, bytes.count)].count { $0 == 0x0A })
  }

  private mutating func skipBlank() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      place += 1
    }
  }

  private mutating func value(depth: Int) throws(FormatFault) -> PlistValue {
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw fault(.tooMany(PropertyList.valueLimit)) }
    guard depth <= PropertyList.depthLimit else { throw fault(.tooDeep(PropertyList.depthLimit)) }
    skipBlank()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try list(depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: PlistValue
  ) throws(FormatFault) -> PlistValue {
    let matches = word.withUTF8Buffer { bytes[place...].starts(with: $0) }
    guard matches else { throw fault(.expected("a value")) }
    place += word.utf8CodeUnitCount
    return value
  }

  private mutating func object(_ depth: Int) throws(FormatFault) -> PlistValue {
    place += 1
    var dictionary = PlistDictionary()
    skipBlank()
    if peek == UInt8(ascii: "}") {
      place += 1
      return .dictionary(dictionary)
    }
    while true {
      skipBlank()
      guard peek == UInt8(ascii: "\"") else { throw fault(.expected("a key")) }
      let key = try text()
      skipBlank()
      guard peek == UInt8(ascii: ":") else { throw fault(.expected("':'")) }
      place += 1
      dictionary[key] = try value(depth: depth + 1)
      skipBlank()
      guard let next = peek else { throw fault(.cutShort) }
      place += 1
      if next == UInt8(ascii: "}") { return .dictionary(dictionary) }
      guard next == UInt8(ascii: ",") else { throw fault(.expected("',' or '}'")) }
    }
  }

  private mutating func list(_ depth: Int) throws(FormatFault) -> PlistValue {
    place += 1
    var values: [PlistValue] = []
    skipBlank()
    if peek == UInt8(ascii: "]") {
      place += 1
      return .array(values)
    }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlank()
      guard let next = peek else { throw fault(.cutShort) }
      place += 1
      if next == UInt8(ascii: "]") { return .array(values) }
      guard next == UInt8(ascii: ",") else { throw fault(.expected("',' or ']'")) }
    }
  }

  private mutating func number() throws(FormatFault) -> PlistValue {
    let start = place
    while let byte = peek, "+-.eE0123456789".utf8.contains(byte) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if let whole = Int64(text) { return .integer(whole) }
    guard !text.isEmpty, let real = Double(text) else { throw fault(.expected("a value")) }
    return .real(real)
  }

  private mutating func text() throws(FormatFault) -> String {
    do throws(FormatFault.Damage) {
      return try QuotedText.read(bytes, from: &place, escape: Self.escape)
    } catch {
      throw fault(error)
    }
  }

  private static func escape(_ byte: UInt8) -> QuotedText.Escape? {
    switch byte {
    case UInt8(ascii: "u"): .unit
    case UInt8(ascii: "n"): .byte(0x0A)
    case UInt8(ascii: "t"): .byte(0x09)
    case UInt8(ascii: "r"): .byte(0x0D)
    case UInt8(ascii: "b"): .byte(0x08)
    case UInt8(ascii: "f"): .byte(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): .byte(byte)
    default: nil
    }
  }

  // MARK: Writing

  /// A value as JSON, on one line or with two blanks a level.
  public static func write(_ value: PlistValue, isPretty: Bool = false) -> String {
    var out = ""
    write(value, level: isPretty ? 0 : nil, into: &out)
    return out
  }

  private static func write(_ value: PlistValue, level: Int?, into out: inout String) {
    switch value {
    case .dictionary(let dictionary):
      writeAll(dictionary.members, "{", "}", level, &out) { member, out in
        quote(member.key, into: &out)
        out += level == nil ? ":" : ": "
        write(member.value, level: level.map { $0 + 1 }, into: &out)
      }
    case .array(let values):
      writeAll(values, "[", "]", level, &out) { value, out in
        write(value, level: level.map { $0 + 1 }, into: &out)
      }
    case .text(let text): quote(text, into: &out)
    case .integer(let number): out += String(number)
    case .real(let number): out += number.isFinite ? "\(number)" : "null"
    case .boolean(let value): out += value ? "true" : "false"
    case .date(let seconds): quote(Instant.text(seconds), into: &out)
    case .data(let bytes): quote("\(bytes.count) bytes", into: &out)
    case .null: out += "null"
    }
  }

  private static func writeAll<Item>(
    _ items: [Item], _ open: String, _ close: String, _ level: Int?, _ out: inout String,
    _ write: (Item, inout String) -> Void
  ) {
    out += open
    for (place, item) in items.enumerated() {
      if place > 0 { out += "," }
      if let level { out += "\n" + String(repeating: "  ", count: level + 1) }
      write(item, &out)
    }
    if let level, !items.isEmpty { out += "\n" + String(repeating: "  ", count: level) }
    out += close
  }

  private static func quote(_ text: String, into out: inout String) {
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\t": out += "\\t"
      case "\r": out += "\\r"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}

/// Moments in text.
public enum Instant {
  /// Unix seconds as `2026-11-29T08:15:00Z`.
  public static func text(_ seconds: Int64) -> String {
    // Civil date of a day number, with years that start in March.
    let day = Int64((Double(seconds) / 86_400).rounded(.down))
    let time = seconds - day * 86_400
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let years = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * years + years / 4 - years / 100)
    let part = (5 * ofYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    let year = years + era * 400 + (month <= 2 ? 1 : 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(ofYear - (153 * part + 2) / 5 + 1))T\(two(time / 3600)):"
      + "\(two(time / 60 % 60)):\(two(time % 60))Z"
  }
}
