import Foundation

/// A value of a property list that is to be written.
public indirect enum PlistPart: Sendable, Equatable {
  case dictionary([(String, PlistPart)])
  case array([PlistPart])
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  /// Text form, such as `2026-11-29T08:15:00Z`.
  case date(String)
  case data([UInt8])

  /// Compares the XML forms, since pairs are not equatable.
  public static func == (left: PlistPart, right: PlistPart) -> Bool { left.xml == right.xml }

  /// Its value under a key, for dictionaries; setting adds, replaces or (nil) takes away.
  public subscript(_ key: String) -> PlistPart? {
    get {
      guard case .dictionary(let pairs) = self else { return nil }
      return pairs.first { $0.0 == key }?.1
    }
    set {
      guard case .dictionary(var pairs) = self else { return }
      let place = pairs.firstIndex { $0.0 == key }
      switch (place, newValue) {
      case (let place?, let value?): pairs[place].1 = value
      case (let place?, nil): pairs.remove(at: place)
      case (nil, let value?): pairs.append((key, value))
      case (nil, nil): break
      }
      self = .dictionary(pairs)
    }
  }

  /// The XML form as a file.
  public var xmlFile: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(xml)
      </plist>

      """.utf8)
  }

  private var xml: String {
    switch self {
    case .dictionary(let pairs):
      "<dict>\n" + pairs.map { "<key>\(Self.escaped($0.0))</key>\n\($0.1.xml)\n" }.joined()
        + "</dict>"
    case .array(let values): "<array>\n" + values.map { $0.xml + "\n" }.joined() + "</array>"
    case .text(let text): "<string>\(Self.escaped(text))</string>"
    case .integer(let number): "<integer>\(number)</integer>"
    case .real(let number): "<real>\(number)</real>"
    case .boolean(let value): value ? "<true/>" : "<false/>"
    case .date(let text): "<date>\(text)</date>"
    case .data(let bytes): "<data>\(Data(bytes).base64EncodedString())</data>"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// The old text form as a file; Booleans and numbers become texts, as it has no others.
  public var textFile: [UInt8] { Array((old + "\n").utf8) }

  /// The form of `.strings` files: the pairs without the braces.
  public var stringsFile: [UInt8] {
    guard case .dictionary(let pairs) = self else { return textFile }
    return Array(pairs.map { "\(Self.quoted($0.0)) = \($0.1.old);\n" }.joined().utf8)
  }

  private var old: String {
    switch self {
    case .dictionary(let pairs):
      "{ " + pairs.map { "\(Self.quoted($0.0)) = \($0.1.old); " }.joined() + "}"
    case .array(let values): "( " + values.map(\.old).joined(separator: ", ") + " )"
    case .text(let text), .date(let text): Self.quoted(text)
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let value): value ? "YES" : "NO"
    case .data(let bytes): "<" + bytes.map { Self.hex($0) }.joined() + ">"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  // MARK: DER

  /// The DER form of entitlements: application 16 around the version 1 and the dictionary.
  public var derFile: [UInt8] { DERPart.element(0x70, DERPart.element(0x02, [1]) + der) }

  private var der: [UInt8] {
    switch self {
    case .dictionary(let pairs):
      // Keys in order of their bytes, as DER wants them.
      DERPart.element(
        0xB0,
        pairs.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }.flatMap {
          DERPart.element(0x30, DERPart.element(0x0C, Array($0.0.utf8)) + $0.1.der)
        })
    case .array(let values): DERPart.element(0x30, values.flatMap(\.der))
    case .text(let text), .date(let text): DERPart.element(0x0C, Array(text.utf8))
    case .boolean(let value): DERPart.element(0x01, [value ? 0xFF : 0])
    case .integer(let number):
      DERPart.element(0x02, DERPart.shortest(number))
    case .real(let number): DERPart.element(0x0C, Array("\(number)".utf8))
    case .data(let bytes): DERPart.element(0x04, bytes)
    }
  }

  // MARK: Binary

  /// The binary form as a file.
  public var binaryFile: [UInt8] {
    var objects: [[UInt8]] = []
    let count = objectCount
    let size = count < 256 ? 1 : count < 65_536 ? 2 : 4
    let top = Self.add(self, &objects, size)
    var file = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(file.count)
      file += object
    }
    let table = file.count
    for offset in offsets { file += Self.big(offset, 4) }
    file += [0, 0, 0, 0, 0, 0, 4, UInt8(size)]
    file += Self.big(objects.count, 8) + Self.big(top, 8) + Self.big(table, 8)
    return file
  }

  private var objectCount: Int {
    switch self {
    case .dictionary(let pairs): 1 + pairs.reduce(0) { $0 + 1 + $1.1.objectCount }
    case .array(let values): 1 + values.reduce(0) { $0 + $1.objectCount }
    default: 1
    }
  }

  private static func add(_ value: PlistPart, _ objects: inout [[UInt8]], _ size: Int) -> Int {
    let number = objects.count
    objects.append([])
    switch value {
    case .dictionary(let pairs):
      let keys = pairs.map { add(.text($0.0), &objects, size) }
      let values = pairs.map { add($0.1, &objects, size) }
      objects[number] = head(0xD0, pairs.count) + (keys + values).flatMap { big($0, size) }
    case .array(let values):
      let items = values.map { add($0, &objects, size) }
      objects[number] = head(0xA0, values.count) + items.flatMap { big($0, size) }
    case .text(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        objects[number] = head(0x50, text.utf8.count) + Array(text.utf8)
      } else {
        let units = Array(text.utf16)
        objects[number] = head(0x60, units.count) + units.flatMap { big(Int($0), 2) }
      }
    case .date(let text):
      // Seconds since 2001.
      let seconds = (try? Date(text, strategy: .iso8601))?.timeIntervalSinceReferenceDate ?? 0
      objects[number] = [0x33] + big(Int(truncatingIfNeeded: seconds.bitPattern), 8)
    case .integer(let value):
      objects[number] = [0x13] + big(Int(truncatingIfNeeded: value), 8)
    case .real(let value):
      objects[number] = [0x23] + big(Int(truncatingIfNeeded: value.bitPattern), 8)
    case .boolean(let value): objects[number] = [value ? 0x09 : 0x08]
    case .data(let bytes): objects[number] = head(0x40, bytes.count) + bytes
    }
    return number
  }

  private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0F, 0x12] + big(count, 4)
  }

  static func big(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

extension PlistPart: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// An array.
  public init(arrayLiteral elements: PlistPart...) { self = .array(elements) }
  /// A dictionary.
  public init(dictionaryLiteral elements: (String, PlistPart)...) { self = .dictionary(elements) }
}

/// Writes DER.
public enum DERPart {
  /// One element with this identifier.
  public static func element(_ identifier: UInt8, _ content: [UInt8]) -> [UInt8] {
    var head = [identifier]
    if content.count < 0x80 {
      head.append(UInt8(content.count))
    } else {
      let size = content.count < 0x100 ? 1 : content.count < 0x1_0000 ? 2 : 4
      head.append(0x80 | UInt8(size))
      head += PlistPart.big(content.count, size)
    }
    return head + content
  }

  /// A number in as few bytes as keep its sign.
  static func shortest(_ number: Int64) -> [UInt8] {
    var bytes = PlistPart.big(Int(number), 8)
    while bytes.count > 1, bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80
    {
      bytes.removeFirst()
    }
    return bytes
  }

  /// A message of the form of signed ones (CMS), with nobody's signature.
  public static func signedMessage(_ content: [UInt8]) -> [UInt8] {
    let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let signed: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    let inner = element(
      0x30,
      element(0x02, [1]) + element(0x31, [])
        + element(0x30, element(0x06, data) + element(0xA0, element(0x04, content)))
        + element(0x31, []))
    return element(0x30, element(0x06, signed) + element(0xA0, inner))
  }
}
