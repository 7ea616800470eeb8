/// A value that an option or an argument takes on the command line.
protocol ArgumentValue: Sendable {
  /// What a valid text looks like, for help and for the error about an invalid one.
  static var expectation: Expectation { get }
  /// Reads the text as typed; nil if it is no such value.
  init?(argument: String)
  /// The text that would be typed for this value.
  var argumentText: String { get }
}

/// What an option or argument accepts.
enum Expectation: Equatable, Sendable {
  /// Any text.
  case anything
  /// One of a closed set, in the order shown.
  case oneOf([String])
  /// Everything of a form, worded so that it can follow "expected".
  case form(String)
  /// Everything of a form that goes without saying in help.
  case obviousForm(String)
}

/// A closed set of values; the raw values are what people type.
protocol ArgumentChoice: ArgumentValue, CaseIterable, RawRepresentable where RawValue == String {}

extension ArgumentChoice {
  static var expectation: Expectation { .oneOf(allCases.map(\.rawValue)) }
  init?(argument: String) { self.init(rawValue: argument) }
  var argumentText: String { rawValue }
}

extension String: ArgumentValue {
  static var expectation: Expectation { .anything }
  init?(argument: String) { self = argument }
  var argumentText: String { self }
}

extension Int: ArgumentValue {
  static var expectation: Expectation { .form("a whole number") }
  init?(argument: String) { self.init(argument, radix: 10) }
  var argumentText: String { String(self) }
}

extension UInt64: ArgumentValue {
  static var expectation: Expectation { .form("a whole number of 0 or more") }
  init?(argument: String) { self.init(argument, radix: 10) }
  var argumentText: String { String(self) }
}

/// A version of iOS: numbers with dots between them.
struct SystemVersion: ArgumentValue, Equatable {
  var argumentText: String

  static var expectation: Expectation { .obviousForm("a version such as 17.4") }

  init?(argument: String) {
    let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count),
      parts.allSatisfy({ $0.count <= 4 && !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } })
    else { return nil }
    argumentText = argument
  }
}

/// A share between nothing (0) and all (1).
struct Share: ArgumentValue, Equatable {
  /// From 0 to 1.
  var value: Double

  static var expectation: Expectation { .form("a share from 0 to 1, such as 0.05") }

  init(_ value: Double) { self.value = value }

  init?(argument: String) {
    guard let value = Double(argument), (0...1).contains(value) else { return nil }
    self.value = value
  }

  var argumentText: String { value == value.rounded() ? String(Int(value)) : String(value) }
}

/// A value for a named parameter of a query.
struct QueryParameter: ArgumentValue, Equatable {
  var name: String
  /// As typed; the query's header says what type it is read as.
  var value: String

  static var expectation: Expectation { .form("name=value, such as day=2026-11-29") }

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
      return nil
    }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }

  var argumentText: String { "\(name)=\(value)" }
}
