/// Walks through DER (and the parts of BER that signed messages use), never outside the bytes.
struct DERReader {
  /// One element: its identifier and where its content stands.
  struct Element {
    /// The identifier byte; for tags above 30 the class and form bits with the number 31.
    var identifier: UInt8
    /// Tag number.
    var tag: UInt64
    /// Where the element starts.
    var start: Int
    /// Content, without identifier and length.
    var content: Range<Int>
    /// Where the next element starts.
    var end: Int

    var isConstructed: Bool { identifier & 0x20 != 0 }
    /// 0 universal, 1 application, 2 context, 3 private.
    var tagClass: UInt8 { identifier >> 6 }

    func isUniversal(_ number: UInt64) -> Bool { tagClass == 0 && tag == number }
    func isContext(_ number: UInt64) -> Bool { tagClass == 2 && tag == number }
  }

  static let depthLimit = 32
  /// Most elements that are looked at.
  static let elementLimit = 100_000

  let window: ByteWindow
  let format: FormatFault.Format

  init(_ bytes: [UInt8], _ format: FormatFault.Format) {
    window = ByteWindow(bytes)
    self.format = format
  }

  var all: Range<Int> { 0..<window.count }

  func fault(_ damage: FormatFault.Damage, _ offset: Int) -> FormatFault {
    FormatFault(format, damage, offset: offset)
  }

  /// The element that starts at the beginning of a range.
  func element(in range: Range<Int>, depth: Int = 0) throws(FormatFault) -> Element {
    guard depth <= Self.depthLimit else { throw fault(.tooDeep(Self.depthLimit), range.lowerBound) }
    var place = range.lowerBound
    func next() throws(FormatFault) -> UInt8 {
      guard place < range.upperBound else { throw fault(.cutShort, place) }
      defer { place += 1 }
      return window.bytes[place]
    }
    let identifier = try next()
    var tag = UInt64(identifier & 0x1F)
    if tag == 31 {
      tag = 0
      while true {
        let byte = try next()
        guard tag < 1 << 48 else { throw fault(.outside, place) }
        tag = tag << 7 | UInt64(byte & 0x7F)
        if byte & 0x80 == 0 { break }
      }
    }
    let first = try next()
    if first == 0x80 {
      // Indefinite: up to two zero bytes on this level.
      guard identifier & 0x20 != 0 else { throw fault(.expected("a length"), place - 1) }
      let end = try endOfIndefinite(from: place, in: range, depth: depth)
      return Element(
        identifier: identifier, tag: tag, start: range.lowerBound, content: place..<end,
        end: end + 2)
    }
    var length = Int(first)
    if first & 0x80 != 0 {
      let size = Int(first & 0x7F)
      guard size <= 8, let value = window.int(size, at: place, bigEndian: true) else {
        throw fault(.outside, place)
      }
      length = value
      place += size
    }
    guard place <= range.upperBound, length <= range.upperBound - place else {
      throw fault(.outside, range.lowerBound)
    }
    return Element(
      identifier: identifier, tag: tag, start: range.lowerBound, content: place..<place + length,
      end: place + length)
  }

  private func endOfIndefinite(
    from start: Int, in range: Range<Int>, depth: Int
  ) throws(FormatFault) -> Int {
    var place = start
    for _ in 0..<Self.elementLimit {
      guard place + 1 < range.upperBound else { throw fault(.cutShort, place) }
      if window.bytes[place] == 0, window.bytes[place + 1] == 0 { return place }
      place = try element(in: place..<range.upperBound, depth: depth + 1).end
    }
    throw fault(.tooMany(Self.elementLimit), place)
  }

  /// The elements of a range, one after the other.
  func elements(in range: Range<Int>, depth: Int = 0) throws(FormatFault) -> [Element] {
    var found: [Element] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard found.count < Self.elementLimit else {
        throw fault(.tooMany(Self.elementLimit), place)
      }
      let element = try element(in: place..<range.upperBound, depth: depth)
      found.append(element)
      place = element.end
    }
    return found
  }

  func bytes(of element: Element) -> ArraySlice<UInt8> { window.bytes[element.content] }

  /// The bytes of an octet string, also of one that comes in pieces.
  func octets(_ element: Element, depth: Int = 0) throws(FormatFault) -> [UInt8] {
    guard element.isConstructed else { return Array(bytes(of: element)) }
    var joined: [UInt8] = []
    for part in try elements(in: element.content, depth: depth + 1) {
      guard part.isUniversal(4) else { throw fault(.expected("an octet string"), part.start) }
      joined += try octets(part, depth: depth + 1)
    }
    return joined
  }
}

/// A message with signatures around it (CMS, RFC 5652), such as a provisioning profile.
public enum SignedMessage {
  /// The content inside, whose signatures are not checked: inspection asks what the profile says,
  /// the phone asks whether it is genuine.
  public static func content(of bytes: [UInt8]) throws(FormatFault) -> [UInt8] {
    let reader = DERReader(bytes, .signedMessage)
    let outer = try reader.element(in: reader.all)
    guard outer.isUniversal(16) else { throw reader.fault(.expected("a sequence"), 0) }
    let parts = try reader.elements(in: outer.content)
    // 1.2.840.113549.1.7.2, signed data.
    guard parts.count >= 2, parts[0].isUniversal(6),
      reader.bytes(of: parts[0]).elementsEqual([
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
      ])
    else { throw reader.fault(.expected("signed data"), outer.content.lowerBound) }
    guard parts[1].isContext(0) else {
      throw reader.fault(.expected("signed data"), parts[1].start)
    }
    let signed = try reader.element(in: parts[1].content, depth: 1)
    guard signed.isUniversal(16) else { throw reader.fault(.expected("a sequence"), signed.start) }
    // Version, digest algorithms, then what is signed.
    let fields = try reader.elements(in: signed.content, depth: 2)
    guard fields.count >= 3, fields[2].isUniversal(16) else {
      throw reader.fault(.expected("the signed content"), signed.content.lowerBound)
    }
    let content = try reader.elements(in: fields[2].content, depth: 3)
    guard content.count >= 2, content[1].isContext(0) else {
      throw reader.fault(.expected("the signed content"), fields[2].start)
    }
    let octets = try reader.element(in: content[1].content, depth: 4)
    guard octets.isUniversal(4) else {
      throw reader.fault(.expected("an octet string"), octets.start)
    }
    return try reader.octets(octets, depth: 4)
  }
}

/// The DER form of entitlements, which iOS 15 and later read.
public enum DEREntitlements {
  /// The dictionary in the bytes behind the blob's header.
  public static func read(_ bytes: [UInt8]) throws(FormatFault) -> PlistDictionary {
    let reader = DERReader(bytes, .entitlements)
    let outer = try reader.element(in: reader.all)
    // Application 16 around a version and a dictionary; older tools wrote the dictionary alone.
    if outer.tagClass == 1 {
      let parts = try reader.elements(in: outer.content)
      guard let dictionary = parts.last, parts.count >= 2 else {
        throw reader.fault(.expected("a dictionary"), outer.content.lowerBound)
      }
      return try self.dictionary(dictionary, reader, 1)
    }
    return try dictionary(outer, reader, 0)
  }

  private static func dictionary(
    _ element: DERReader.Element, _ reader: DERReader, _ depth: Int
  ) throws(FormatFault) -> PlistDictionary {
    guard element.isConstructed, element.isContext(16) || element.isUniversal(17) else {
      throw reader.fault(.expected("a dictionary"), element.start)
    }
    var dictionary = PlistDictionary()
    for pair in try reader.elements(in: element.content, depth: depth + 1) {
      let parts = try reader.elements(in: pair.content, depth: depth + 2)
      guard pair.isUniversal(16), parts.count == 2, parts[0].isUniversal(12),
        let key = String(validating: reader.bytes(of: parts[0]), as: UTF8.self)
      else { throw reader.fault(.expected("a key and its value"), pair.start) }
      dictionary[key] = try value(parts[1], reader, depth + 2)
    }
    return dictionary
  }

  private static func value(
    _ element: DERReader.Element, _ reader: DERReader, _ depth: Int
  ) throws(FormatFault) -> PlistValue {
    let bytes = reader.bytes(of: element)
    if element.isUniversal(1) { return .boolean(bytes.contains { $0 != 0 }) }
    if element.isUniversal(2), bytes.count <= 8, let first = bytes.first {
      var value: Int64 = first & 0x80 != 0 ? -1 : 0
      for byte in bytes { value = value << 8 | Int64(byte) }
      return .integer(value)
    }
    if element.isUniversal(12) {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw reader.fault(.badText, element.start)
      }
      return .text(text)
    }
    if element.isUniversal(4) { return .data(Array(bytes)) }
    if element.isUniversal(16) {
      var values: [PlistValue] = []
      for item in try reader.elements(in: element.content, depth: depth + 1) {
        values.append(try value(item, reader, depth + 1))
      }
      return .array(values)
    }
    return .dictionary(try dictionary(element, reader, depth))
  }
}
