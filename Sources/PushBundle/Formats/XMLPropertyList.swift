import Foundation

/// Reads the XML form of property lists: just the elements that they have, and no declarations.
struct XMLPropertyList {
  private let bytes: [UInt8]
  private var place = 0
  private var valuesLeft = PropertyList.valueLimit

  static func read(_ bytes: [UInt8]) throws(FormatFault) -> PlistValue {
    var reader = XMLPropertyList(bytes: bytes)
    var tag = try reader.nextTag()
    if tag?.name == "plist" {
      if tag?.isEmpty == true { throw reader.fault(.expected("a value")) }
      tag = try reader.nextTag()
    }
    guard let tag, !tag.isEnd else { throw reader.fault(.expected("a value")) }
    return try reader.value(tag, depth: 0)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private struct Tag: Equatable {
    var name: String
    var isEnd = false
    /// Closed at once: `<true/>`.
    var isEmpty = false
  }

  private func fault(_ damage: FormatFault.Damage) -> FormatFault {
    FormatFault(
      .xmlPropertyList, damage, line: 1 + bytes[..<min(place, bytes.count)].count { $0 == 0x0A })
  }

  /// The next tag; what stands between must be blank. Nil at the end.
  private mutating func nextTag() throws(FormatFault) -> Tag? {
    while true {
      while place < bytes.count, isBlank(bytes[place]) { place += 1 }
      guard place < bytes.count else { return nil }
      guard bytes[place] == UInt8(ascii: "<") else { throw fault(.expected("a tag")) }
      if starts("<?") {
        try skip(to: "?>")
      } else if starts("<!--") {
        try skip(to: "-->")
      } else if starts("<!DOCTYPE") {
        try skipDocumentType()
      } else {
        return try tag()
      }
    }
  }

  private mutating func tag() throws(FormatFault) -> Tag {
    guard let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else {
      throw fault(.cutShort)
    }
    var inner = bytes[place + 1..<end]
    place = end + 1
    var tag = Tag(name: "")
    if inner.first == UInt8(ascii: "/") {
      tag.isEnd = true
      inner = inner.dropFirst()
    }
    if inner.last == UInt8(ascii: "/") {
      tag.isEmpty = true
      inner = inner.dropLast()
    }
    tag.name = String(decoding: inner.prefix { !isBlank($0) }, as: UTF8.self)
    return tag
  }

  private mutating func skipDocumentType() throws(FormatFault) {
    guard let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else {
      throw fault(.cutShort)
    }
    if bytes[place..<end].contains(UInt8(ascii: "[")) { throw fault(.declaration) }
    place = end + 1
  }

  private mutating func value(_ tag: Tag, depth: Int) throws(FormatFault) -> PlistValue {
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw fault(.tooMany(PropertyList.valueLimit)) }
    guard depth <= PropertyList.depthLimit else {
      throw fault(.tooDeep(PropertyList.depthLimit))
    }
    switch tag.name {
    case "dict": return try dictionary(tag, depth)
    case "array":
      var values: [PlistValue] = []
      while !tag.isEmpty, let next = try nextTag() {
        if next == Tag(name: "array", isEnd: true) { return .array(values) }
        if next.isEnd { throw fault(.expected("</array>")) }
        values.append(try value(next, depth: depth + 1))
      }
      if tag.isEmpty { return .array(values) }
      throw fault(.cutShort)
    case "true", "false":
      if !tag.isEmpty, try nextTag() != Tag(name: tag.name, isEnd: true) {
        throw fault(.expected("</\(tag.name)>"))
      }
      return .boolean(tag.name == "true")
    default:
      let text = tag.isEmpty ? "" : try self.text(until: tag.name)
      return try scalar(tag.name, text)
    }
  }

  private mutating func dictionary(_ tag: Tag, _ depth: Int) throws(FormatFault) -> PlistValue {
    var dictionary = PlistDictionary()
    if tag.isEmpty { return .dictionary(dictionary) }
    while let next = try nextTag() {
      if next == Tag(name: "dict", isEnd: true) { return .dictionary(dictionary) }
      guard next.name == "key", !next.isEnd else { throw fault(.expected("<key>")) }
      let key = next.isEmpty ? "" : try text(until: "key")
      guard let item = try nextTag(), !item.isEnd else {
        throw fault(.expected("a value of the key '\(key.prefix(80))'"))
      }
      dictionary[key] = try value(item, depth: depth + 1)
    }
    throw fault(.cutShort)
  }

  private func scalar(_ name: String, _ text: String) throws(FormatFault) -> PlistValue {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "string": return .text(text)
    case "integer":
      if let number = Int64(trimmed) { return .integer(number) }
      if trimmed.hasPrefix("0x"), let number = Int64(trimmed.dropFirst(2), radix: 16) {
        return .integer(number)
      }
      if let number = UInt64(trimmed) { return .real(Double(number)) }
      throw fault(.expected("a whole number"))
    case "real":
      guard let number = Double(trimmed) else { throw fault(.expected("a number")) }
      return .real(number)
    case "date":
      guard let seconds = PropertyList.unixSeconds(trimmed) else {
        throw fault(.expected("a date"))
      }
      return .date(seconds)
    case "data":
      let clean = trimmed.filter { !$0.isWhitespace }
      guard let data = Data(base64Encoded: clean) else { throw fault(.expected("base64")) }
      return .data(Array(data))
    default: throw fault(.expected("an element of property lists"))
    }
  }

  /// The text up to the end tag, which is passed too.
  private mutating func text(until name: String) throws(FormatFault) -> String {
    var out: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "<") {
        if starts("<![CDATA[") {
          let start = place + 9
          try skip(to: "]]>")
          out += bytes[start..<place - 3]
        } else if starts("<!--") {
          try skip(to: "-->")
        } else {
          guard try tag() == Tag(name: name, isEnd: true) else {
            throw fault(.expected("</\(name)>"))
          }
          guard let text = String(validating: out, as: UTF8.self) else { throw fault(.badText) }
          return text
        }
      } else if byte == UInt8(ascii: "&") {
        out += try entity()
      } else {
        out.append(byte)
        place += 1
      }
    }
    throw fault(.cutShort)
  }

  private mutating func entity() throws(FormatFault) -> [UInt8] {
    guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw fault(.expected("';' after an entity"))
    }
    let name = String(decoding: bytes[place + 1..<end], as: UTF8.self)
    place = end + 1
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default:
      guard name.hasPrefix("#") else { throw fault(.expected("a known entity")) }
      let digits = name.dropFirst()
      let number =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      guard let scalar = number.flatMap(Unicode.Scalar.init) else { throw fault(.badText) }
      return Array(String(Character(scalar)).utf8)
    }
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func starts(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[place...].starts(with: $0) }
  }

  /// Moves behind the next occurrence of a text.
  private mutating func skip(to text: String) throws(FormatFault) {
    let wanted = Array(text.utf8)
    var at = place
    while at + wanted.count <= bytes.count {
      if bytes[at] == wanted[0], bytes[at..<at + wanted.count].elementsEqual(wanted) {
        place = at + wanted.count
        return
      }
      at += 1
    }
    throw fault(.cutShort)
  }
}
