/// A piece of JSON as examples write it: the order of keys stays.
public enum PlainJSON: Sendable, Equatable, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  case object([Member])
  case array([PlainJSON])
  case text(String)
  case number(Int64)
  case boolean(Bool)
  case null

  /// A key and its value.
  public struct Member: Sendable, Equatable {
    /// The key.
    public let key: String
    /// The value.
    public let value: PlainJSON
  }

  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .number(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A list.
  public init(arrayLiteral elements: PlainJSON...) { self = .array(elements) }
  /// An object with its keys in this order.
  public init(dictionaryLiteral elements: (String, PlainJSON)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }
  /// Null.
  public init(nilLiteral: ()) { self = .null }

  /// The value of a key of an object, nil where there is none.
  public subscript(key: String) -> PlainJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The members of an object, in their order; none of anything else.
  public var members: [Member] {
    if case .object(let members) = self { return members }
    return []
  }

  /// The text on one line.
  public var line: String { text(indent: nil) }

  /// The text on as many lines as needed, two spaces for each level; short values stay on one line.
  public var lines: String { text(indent: 0) }

  private func text(indent: Int?) -> String {
    switch self {
    case .text(let text): return PlainJSON.quote(text)
    case .number(let number): return String(number)
    case .boolean(let flag): return flag ? "true" : "false"
    case .null: return "null"
    case .array(let elements):
      return block("[", "]", indent, elements.map { ("", $0) })
    case .object(let members):
      return block("{", "}", indent, members.map { (PlainJSON.quote($0.key) + ": ", $0.value) })
    }
  }

  private func block(
    _ open: String, _ close: String, _ indent: Int?, _ parts: [(key: String, value: PlainJSON)]
  ) -> String {
    let inner = parts.map { $0.key + $0.value.text(indent: nil) }.joined(separator: ", ")
    guard let indent, inner.count + indent > 72 else { return open + inner + close }
    let space = String(repeating: " ", count: indent + 2)
    let rows = parts.map { space + $0.key + $0.value.text(indent: indent + 2) }
    return open + "\n" + rows.joined(separator: ",\n") + "\n"
      + String(repeating: " ", count: indent) + close
  }

  private static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
