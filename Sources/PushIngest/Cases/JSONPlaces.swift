/// Where things stand in a JSON text: the fault of a broken one, and the value at a dotted path.
///
/// The parser that reads values says that a text is broken, not where; this one only looks for
/// places, and only where there is something to complain of.
public struct JSONPlaces {
  /// A place in a text, both counted from 1; columns in bytes.
  public struct Place: Sendable, Hashable {
    /// The line.
    public var line: Int
    /// The column.
    public var column: Int
  }

  private struct Fault: Error {
    var offset: Int
    var reason: String
  }

  private let bytes: [UInt8]
  private var at = 0
  private var found: Int?
  private static let deepest = 200

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first fault of a text and where it stands; nil where none is found.
  public static func fault(of bytes: [UInt8]) -> (place: Place, reason: String)? {
    var walk = JSONPlaces(bytes)
    do {
      try walk.whole("\u{0}")
      return nil
    } catch {
      return (place(of: error.offset, in: bytes), error.reason)
    }
  }

  /// Where the value at a dotted path stands, or the innermost part of the path that is there.
  public static func place(of path: String, in bytes: [UInt8]) -> Place? {
    var path = path[...]
    while !path.isEmpty {
      var walk = JSONPlaces(bytes)
      try? walk.whole(String(path))
      if let found = walk.found { return place(of: found, in: bytes) }
      path = path.lastIndex(of: ".").map { path[..<$0] } ?? ""
    }
    return nil
  }

  private static func place(of offset: Int, in bytes: [UInt8]) -> Place {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    return Place(line: before.count { $0 == 0x0a } + 1, column: offset - start + 1)
  }

  // MARK: Walking

  private mutating func whole(_ path: String) throws(Fault) {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
    try value(0, path[...])
    skipSpace()
    if at < bytes.count {
      throw Fault(offset: at, reason: "something follows the end of the object")
    }
  }

  private mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[at]) { at += 1 }
  }

  /// Walks one value; `left` is what is left of the path, nil off the path.
  private mutating func value(_ depth: Int, _ left: Substring?) throws(Fault) {
    skipSpace()
    if left?.isEmpty == true, found == nil { found = at }
    guard at < bytes.count else {
      throw Fault(offset: at, reason: "the text ends before its value")
    }
    guard depth < Self.deepest else { throw Fault(offset: at, reason: "it is nested too deeply") }
    switch bytes[at] {
    case 0x7b: try object(depth, left)
    case 0x5b: try list(depth, left)
    case 0x22: _ = try text()
    default: try word()
    }
  }

  /// Steps into an object or a list; true if it is closed at once.
  private mutating func isEmpty(_ closing: UInt8) -> Bool {
    at += 1
    skipSpace()
    guard at < bytes.count, bytes[at] == closing else { return false }
    at += 1
    return true
  }

  private mutating func object(_ depth: Int, _ left: Substring?) throws(Fault) {
    if isEmpty(0x7d) { return }
    while true {
      skipSpace()
      guard at < bytes.count, bytes[at] == 0x22 else {
        let isComma = at < bytes.count && bytes[at] == 0x7d
        throw Fault(
          offset: at, reason: isComma ? "a comma stands before '}'" : "a key in quotes is expected")
      }
      let key = try text()
      skipSpace()
      guard at < bytes.count, bytes[at] == 0x3a else {
        throw Fault(offset: at, reason: "':' is expected after the key")
      }
      at += 1
      try value(depth + 1, Self.inner(left, key))
      if try isEnd(0x7d, "',' or '}' is expected") { return }
    }
  }

  private mutating func list(_ depth: Int, _ left: Substring?) throws(Fault) {
    if isEmpty(0x5d) { return }
    var place = 0
    while true {
      skipSpace()
      if at < bytes.count, bytes[at] == 0x5d {
        throw Fault(offset: at, reason: "a comma stands before ']'")
      }
      try value(depth + 1, Self.inner(left, "\(place)"))
      place += 1
      if try isEnd(0x5d, "',' or ']' is expected") { return }
    }
  }

  /// What is left of a path inside a key; keys may hold dots themselves.
  private static func inner(_ left: Substring?, _ key: String) -> Substring? {
    guard let left, left.hasPrefix(key) else { return nil }
    let rest = left.dropFirst(key.count)
    if rest.isEmpty { return rest }
    return rest.first == "." && rest.count > 1 ? rest.dropFirst() : nil
  }

  private mutating func isEnd(_ closing: UInt8, _ reason: String) throws(Fault) -> Bool {
    skipSpace()
    guard at < bytes.count else {
      throw Fault(offset: at, reason: "the text ends where \(reason)")
    }
    let byte = bytes[at]
    guard byte == closing || byte == 0x2c else { throw Fault(offset: at, reason: reason) }
    at += 1
    return byte == closing
  }

  private mutating func text() throws(Fault) -> String {
    let start = at
    at += 1
    while at < bytes.count {
      switch bytes[at] {
      case 0x22:
        at += 1
        return String(decoding: bytes[(start + 1)..<(at - 1)], as: UTF8.self)
      case 0x5c: at += 2
      case 0x0a: throw Fault(offset: start, reason: "a string is not closed in its line")
      case 0..<0x20: throw Fault(offset: at, reason: "a control character stands in a string")
      default: at += 1
      }
    }
    throw Fault(offset: start, reason: "a string is not closed")
  }

  private mutating func word() throws(Fault) {
    let start = at
    while at < bytes.count, !" \t\r\n,]}:".utf8.contains(bytes[at]) { at += 1 }
    let word = String(decoding: bytes[start..<at], as: UTF8.self)
    let isNumber = word.first.map { "-0123456789".contains($0) } == true && Double(word) != nil
    guard ["true", "false", "null"].contains(word) || isNumber else {
      let reason =
        word.isEmpty
        ? "a value is expected" : "a string stands without quotes, or a word is none of JSON's"
      throw Fault(offset: start, reason: reason)
    }
  }
}
