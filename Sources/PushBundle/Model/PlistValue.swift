/// A value of a property list, or of a JSON file of facts.
public indirect enum PlistValue: Equatable, Sendable {
  case dictionary(PlistDictionary)
  case array([PlistValue])
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  /// Unix seconds, UTC.
  case date(Int64)
  case data([UInt8])
  /// Only JSON has it; known to be missing.
  case null

  /// The text, if it is one.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The Boolean, if it is one.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The elements, if it is an array.
  public var array: [PlistValue]? { if case .array(let values) = self { values } else { nil } }
  /// The dictionary, if it is one.
  public var dictionary: PlistDictionary? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  /// The number, if it is one; whole numbers too.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
  /// The texts of an array that holds nothing else, or a text alone as one of them.
  public var texts: [String]? {
    switch self {
    case .text(let text): return [text]
    case .array(let values):
      let texts = values.compactMap(\.text)
      return texts.count == values.count ? texts : nil
    default: return nil
    }
  }

  /// What kind of value it is, for people.
  public var kindName: String {
    switch self {
    case .dictionary: "a dictionary"
    case .array: "an array"
    case .text: "a string"
    case .integer, .real: "a number"
    case .boolean: "a Boolean"
    case .date: "a date"
    case .data: "data"
    case .null: "null"
    }
  }
}

/// Keys and values in the order of the file.
public struct PlistDictionary: Equatable, Sendable {
  /// All pairs, each key once.
  public private(set) var members: [(key: String, value: PlistValue)] = []
  private var places: [String: Int] = [:]

  /// An empty dictionary.
  public init() {}

  /// A dictionary of these pairs.
  public init(_ pairs: [(String, PlistValue)]) {
    for (key, value) in pairs { self[key] = value }
  }

  /// The value of a key. Setting nil takes the key away.
  public subscript(_ key: String) -> PlistValue? {
    get { places[key].map { members[$0].value } }
    set {
      if let place = places[key] {
        if let newValue {
          members[place].value = newValue
        } else {
          members.remove(at: place)
          places = Dictionary(
            uniqueKeysWithValues: members.enumerated().map { ($0.element.key, $0.offset) })
        }
      } else if let newValue {
        places[key] = members.count
        members.append((key, newValue))
      }
    }
  }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }
  /// Whether it has no key.
  public var isEmpty: Bool { members.isEmpty }

  /// The value at a path of keys.
  public func value(_ path: String...) -> PlistValue? {
    var current: PlistValue? = .dictionary(self)
    for key in path { current = current?.dictionary?[key] }
    return current
  }

  /// Equal if they have the same pairs, in whatever order.
  public static func == (left: PlistDictionary, right: PlistDictionary) -> Bool {
    left.members.count == right.members.count
      && left.members.allSatisfy { right[$0.key] == $0.value }
  }
}

extension PlistValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
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
  public init(arrayLiteral elements: PlistValue...) { self = .array(elements) }
  /// A dictionary.
  public init(dictionaryLiteral elements: (String, PlistValue)...) {
    self = .dictionary(PlistDictionary(elements))
  }
}
