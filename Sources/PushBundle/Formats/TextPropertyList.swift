/// Reads the old text form of property lists, and `.strings` files, which are such a dictionary
/// without its braces.
struct TextPropertyList {
  private let bytes: [UInt8]
  private var place = 0
  private var valuesLeft = PropertyList.valueLimit

  static func read(_ bytes: [UInt8]) throws(FormatFault) -> PlistValue {
    var reader = TextPropertyList(bytes: bytes)
    try reader.skipBlank()
    guard let first = reader.peek else { return .dictionary(PlistDictionary()) }
    let value: PlistValue
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<"):
      value = try reader.value(depth: 0)
    default: value = .dictionary(try reader.pairs(until: nil, depth: 0))
    }
    try reader.skipBlank()
    if reader.peek != nil { throw reader.fault(.expected("the end of the file")) }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func fault(_ damage: FormatFault.Damage) -> FormatFault {
    FormatFault(
      .textPropertyList, damage, line: 1 + bytes[..<min(place, bytes.count)].count { $0 == 0x0A })
  }

  private mutating func skipBlank() throws(FormatFault) {
    while let byte = peek {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        place += 1
      } else if byte == UInt8(ascii: "/"), place + 1 < bytes.count,
        bytes[place + 1] == UInt8(ascii: "/")
      {
        while let next = peek, next != 0x0A { _ = next; place += 1 }
      } else if byte == UInt8(ascii: "/"), place + 1 < bytes.count,
        bytes[place + 1] == UInt8(ascii: "*")
      {
        place += 2
        while place + 1 < bytes.count,
          !(bytes[place] == UInt8(ascii: "*") && bytes[place + 1] == UInt8(ascii: "/"))
        {
          place += 1
        }
        guard place + 1 < bytes.count else { throw fault(.cutShort) }
        place += 2
      } else {
        return
      }
    }
  }

  private mutating func expect(_ byte: UInt8) throws(FormatFault) {
    try skipBlank()
    guard peek == byte else {
      throw fault(.expected("'\(Character(Unicode.Scalar(byte)))'"))
    }
    place += 1
  }

  private mutating func value(depth: Int) throws(FormatFault) -> PlistValue {
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw fault(.tooMany(PropertyList.valueLimit)) }
    guard depth <= PropertyList.depthLimit else { throw fault(.tooDeep(PropertyList.depthLimit)) }
    try skipBlank()
    switch peek {
    case UInt8(ascii: "{"):
      place += 1
      return .dictionary(try pairs(until: UInt8(ascii: "}"), depth: depth + 1))
    case UInt8(ascii: "("):
      place += 1
      var values: [PlistValue] = []
      while true {
        try skipBlank()
        if peek == UInt8(ascii: ")") { break }
        values.append(try value(depth: depth + 1))
        try skipBlank()
        if peek == UInt8(ascii: ",") {
          place += 1
        } else if peek != UInt8(ascii: ")") {
          throw fault(.expected("',' or ')'"))
        }
      }
      place += 1
      return .array(values)
    case UInt8(ascii: "<"): return try data()
    default: return .text(try text())
    }
  }

  private mutating func pairs(until end: UInt8?, depth: Int) throws(FormatFault) -> PlistDictionary
  {
    var dictionary = PlistDictionary()
    while true {
      try skipBlank()
      guard let byte = peek else {
        if end == nil { return dictionary }
        throw fault(.cutShort)
      }
      if byte == end {
        place += 1
        return dictionary
      }
      valuesLeft -= 1
      guard valuesLeft >= 0 else { throw fault(.tooMany(PropertyList.valueLimit)) }
      let key = try text()
      try skipBlank()
      if peek == UInt8(ascii: ";") {
        // A key alone stands for itself in `.strings` files.
        dictionary[key] = .text(key)
      } else {
        try expect(UInt8(ascii: "="))
        dictionary[key] = try value(depth: depth)
      }
      try expect(UInt8(ascii: ";"))
    }
  }

  private mutating func data() throws(FormatFault) -> PlistValue {
    place += 1
    var digits: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: ">") {
      place += 1
      if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
      guard let digit = QuotedText.hexDigit(byte) else { throw fault(.expected("hex digits")) }
      digits.append(digit)
    }
    guard peek != nil, digits.count % 2 == 0 else { throw fault(.cutShort) }
    place += 1
    return .data(
      stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private mutating func text() throws(FormatFault) -> String {
    try skipBlank()
    guard let quote = peek else { throw fault(.cutShort) }
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") { return try quoted() }
    let start = place
    while let byte = peek, isBare(byte) { place += 1 }
    guard place > start else { throw fault(.expected("a text")) }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private mutating func quoted() throws(FormatFault) -> String {
    do throws(FormatFault.Damage) {
      return try QuotedText.read(bytes, from: &place, escape: Self.escape)
    } catch {
      throw fault(error)
    }
  }

  private static func escape(_ byte: UInt8) -> QuotedText.Escape? {
    switch byte {
    case UInt8(ascii: "U"), UInt8(ascii: "u"): .unit
    case UInt8(ascii: "n"): .byte(0x0A)
    case UInt8(ascii: "t"): .byte(0x09)
    case UInt8(ascii: "r"): .byte(0x0D)
    case UInt8(ascii: "a"): .byte(0x07)
    case UInt8(ascii: "b"): .byte(0x08)
    case UInt8(ascii: "f"): .byte(0x0C)
    case UInt8(ascii: "v"): .byte(0x0B)
    case UInt8(ascii: "0"): .byte(0x00)
    default: .byte(byte)
    }
  }
}
