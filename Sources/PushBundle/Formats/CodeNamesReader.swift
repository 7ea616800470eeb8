/// Collects the names of code from the sections of a program.
struct CodeNamesReader {
  let is64: Bool
  let isBig: Bool
  var swiftTypes: (bytes: [UInt8], address: UInt64)?
  var constants: [(bytes: [UInt8], address: UInt64)] = []
  var symbols: [UInt8]?
  var symbolNames: [UInt8]?
  private var names = CodeNames()

  init(is64: Bool, isBig: Bool) {
    self.is64 = is64
    self.isBig = isBig
  }

  mutating func addClassNames(_ bytes: [UInt8]) {
    for text in ByteWindow(bytes).allTexts() { addClass(text) }
  }

  mutating func addSelectors(_ bytes: [UInt8]) {
    names.selectors.formUnion(ByteWindow(bytes).allTexts())
  }

  /// Texts hold class names in programs of older compilers, selectors made from texts, and
  /// addresses.
  mutating func addTexts(_ bytes: [UInt8]) {
    for text in ByteWindow(bytes).allTexts() {
      if text.hasPrefix("_TtC") { addClass(text) }
      if text == "openURL:" { names.selectors.insert(text) }
      if Self.isIdentifier(text) { names.words.insert(text) }
      if let scheme = Self.scheme(of: text) { names.addressSchemes.insert(scheme) }
    }
  }

  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count <= 120
      && text.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 0x5F
          || $0 == 0x2E
      }
  }

  private mutating func addClass(_ text: String) {
    names.classes.insert(Self.demangled(text) ?? text)
  }

  /// `_TtC7Service19NotificationService` as `Service.NotificationService`; nil for other names.
  static func demangled(_ text: String) -> String? {
    guard text.hasPrefix("_TtC") else { return nil }
    var rest = Array(text.utf8.dropFirst(4))[...]
    // Classes inside of others have one C for each.
    while rest.first == UInt8(ascii: "C") { rest = rest.dropFirst() }
    var parts: [String] = []
    while let first = rest.first, (48...57).contains(first) {
      var length = 0
      while let digit = rest.first, (48...57).contains(digit), length < 1000 {
        length = length * 10 + Int(digit - 48)
        rest = rest.dropFirst()
      }
      guard length > 0, rest.count >= length else { return nil }
      parts.append(String(decoding: rest.prefix(length), as: UTF8.self))
      rest = rest.dropFirst(length)
    }
    return parts.count >= 2 ? parts.joined(separator: ".") : nil
  }

  /// The scheme of a text that starts like an address of an app's own; nil for others.
  static func scheme(of text: String) -> String? {
    guard let end = text.firstRange(of: "://")?.lowerBound, text.utf8.count <= 200 else {
      return nil
    }
    let scheme = text[..<end].lowercased()
    guard let first = scheme.utf8.first, (97...122).contains(first), scheme.utf8.count >= 3,
      scheme.utf8.allSatisfy({
        (97...122).contains($0) || (48...57).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
      }), !common.contains(scheme)
    else { return nil }
    return scheme
  }

  private static let common: Set<String> = [
    "http", "https", "ws", "wss", "file", "ftp", "data", "tel", "sms", "mailto", "itms",
    "itms-apps",
    "app-settings", "about", "blob", "content", "jdbc", "redis", "coap", "rtsp", "rtmp", "stun",
  ]

  mutating func finish() -> CodeNames {
    readSymbols()
    readSwiftTypes()
    return names
  }

  private static let classSymbol = "_OBJC_CLASS_$_"

  private mutating func readSymbols() {
    guard let symbols, let symbolNames else { return }
    let table = ByteWindow(symbols)
    let texts = ByteWindow(symbolNames)
    let size = is64 ? 16 : 12
    for place in stride(from: 0, to: table.count - size + 1, by: size) {
      guard let offset = table.int(4, at: place, bigEndian: isBig),
        let type = table.int(1, at: place + 4, bigEndian: isBig), type & 0xE0 == 0,
        offset > 0, let start = texts.slice(at: offset, Self.classSymbol.utf8.count),
        start.elementsEqual(Self.classSymbol.utf8),
        let text = texts.text(at: offset + Self.classSymbol.utf8.count)
      else { continue }
      // Undefined and external: of another library.
      if type & 0x0E == 0 {
        names.importedClasses.insert(text)
      } else {
        addClass(text)
      }
    }
  }

  /// Follows the relative pointers of the type section to the descriptors and their names.
  private mutating func readSwiftTypes() {
    guard let (bytes, address) = swiftTypes else { return }
    let records = ByteWindow(bytes)
    for place in stride(from: 0, to: min(records.count - 3, 400_000), by: 4) {
      guard let relative = signed(records, place) else { continue }
      let descriptor = address &+ UInt64(place) &+ UInt64(bitPattern: relative & ~3)
      // Flags, parent, then the name, relative to its own place.
      guard let name = constant(at: descriptor &+ 8, { signed($0, $1) }),
        let text = constant(
          at: descriptor &+ 8 &+ UInt64(bitPattern: name), { $0.text(at: $1, limit: 512) }),
        !text.isEmpty
      else { continue }
      names.swiftTypes.insert(text)
    }
  }

  private func signed(_ window: ByteWindow, _ place: Int) -> Int64? {
    window.unsigned(4, at: place, bigEndian: isBig).map {
      Int64(Int32(truncatingIfNeeded: $0))
    }
  }

  private func constant<Value>(
    at address: UInt64, _ read: (ByteWindow, Int) -> Value?
  ) -> Value? {
    for section in constants where address >= section.address {
      guard let place = Int(exactly: address - section.address), place < section.bytes.count else {
        continue
      }
      return read(ByteWindow(section.bytes), place)
    }
    return nil
  }
}
