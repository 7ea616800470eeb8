/// A value of a case file: JSON with whole numbers kept whole and keys in their order.
public indirect enum CaseValue: Hashable, Sendable {
  /// Known to be missing.
  case null
  /// A truth value.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// A text.
  case text(String)
  /// An array.
  case list([CaseValue])
  /// An object.
  case object([Member])

  /// A key of an object and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// Its value.
    public var value: CaseValue

    /// A key and its value.
    public init(_ key: String, _ value: CaseValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a key, nil where the key is absent or this is no object. Setting nil takes it out.
  public subscript(key: String) -> CaseValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.last { $0.key == key }?.value
    }
    set {
      var members = self.members
      members.removeAll { $0.key == key }
      if let newValue { members.append(Member(key, newValue)) }
      self = .object(members)
    }
  }

  /// The value at a place of an array, nil where there is none.
  public subscript(place: Int) -> CaseValue? {
    guard case .list(let items) = self, items.indices.contains(place) else { return nil }
    return items[place]
  }

  /// The members of an object; none for every other value.
  public var members: [Member] {
    if case .object(let members) = self { return members }
    return []
  }

  /// The items of an array; none for every other value.
  public var items: [CaseValue] {
    if case .list(let items) = self { return items }
    return []
  }

  /// The value at a dotted path. A key may itself hold dots (`gcm.notification.x`,
  /// `com.apple.developer.…`), so the longest key that fits is taken first.
  public func value(at path: String) -> CaseValue? {
    // Where only system lines made somebody look, there is nothing to take a path apart for.
    if case .object(let members) = self, members.isEmpty { return nil }
    return value(at: path.split(separator: ".")[...])
  }

  private func value(at parts: ArraySlice<Substring>) -> CaseValue? {
    guard !parts.isEmpty else { return self }
    if case .list = self, let first = parts.first, let place = Int(first) {
      return self[place]?.value(at: parts.dropFirst())
    }
    guard case .object = self else { return nil }
    for count in (1...parts.count).reversed() {
      let key = parts.prefix(count).joined(separator: ".")
      if let inner = self[key], let found = inner.value(at: parts.dropFirst(count)) { return found }
    }
    return nil
  }

  /// Whether it is null.
  public var isNull: Bool { self == .null }

  /// The text, nil for every other value.
  public var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  /// The whole number, also one that is written as a number with an empty fraction.
  public var whole: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The number.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The truth value.
  public var bool: Bool? {
    if case .bool(let flag) = self { return flag }
    return nil
  }

  /// What kind of value it is, for messages.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .real: "a number"
    case .text: "a string"
    case .list: "an array"
    case .object: "an object"
    }
  }
}

extension Known where Value == CaseValue {
  /// What is known of a key's value: absent is unknown, null is missing.
  public init(_ value: CaseValue?) {
    switch value {
    case nil: self = .unknown
    case .null?: self = .missing
    case let value?: self = .known(value)
    }
  }

  /// The same knowledge of a value made from this one; unknown where nothing can be made of it.
  public func read<Other: Sendable>(_ transform: (CaseValue) -> Other?) -> Known<Other> {
    switch self {
    case .unknown: .unknown
    case .missing: .missing
    case .known(let value): Known<Other>(optional: transform(value))
    }
  }
}

extension Double {
  /// The number without its fraction, within what times and sizes can be: 2^61 either way, so that
  /// sums and differences of two never overflow. Not a number is 0.
  public var clamped: Int64 {
    guard !isNaN else { return 0 }
    let most = Double(1 << 61)
    return Int64(Swift.max(-most, Swift.min(most, self)))
  }
}
