/// A value in a chain: nothing is known of it, it is known to be missing, or it is known.
///
/// An absent key never means false, empty or fine; a `null` in a case file means `missing`.
public enum Known<Value: Sendable>: Sendable {
  /// Nobody said anything about it.
  case unknown
  /// It is known not to be there.
  case missing
  /// It is there, and this is its value.
  case known(Value)

  /// The value, where it is known.
  @inlinable public var value: Value? {
    if case .known(let value) = self { return value }
    return nil
  }

  /// Whether nothing is known.
  @inlinable public var isUnknown: Bool {
    if case .unknown = self { return true }
    return false
  }

  /// Whether it is known to be missing.
  @inlinable public var isMissing: Bool {
    if case .missing = self { return true }
    return false
  }

  /// A known value, or `unknown` for nil.
  @inlinable public init(optional value: Value?) {
    if let value { self = .known(value) } else { self = .unknown }
  }

  /// The same knowledge about a value made from this one.
  @inlinable public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Known<Other> {
    switch self {
    case .unknown: .unknown
    case .missing: .missing
    case .known(let value): .known(transform(value))
    }
  }
}

extension Known: Equatable where Value: Equatable {
  /// Whether both know the same.
  // Written out because a synthesised comparison is neither inlined nor specialised in other
  // modules, and rules compare millions of times a second.
  /// Whether both are the same.
  @inlinable public static func == (left: Known, right: Known) -> Bool {
    switch (left, right) {
    case (.known(let left), .known(let right)): left == right
    case (.unknown, .unknown), (.missing, .missing): true
    default: false
    }
  }
}
extension Known: BitwiseCopyable where Value: BitwiseCopyable {}
