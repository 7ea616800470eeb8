/// One positional argument of a command.
struct ArgumentRow<Options: Sendable>: Sendable {
  var shape: ArgumentShape
  /// Stores a value; false if the text is invalid.
  var assign: @Sendable (inout Options, _ text: String) -> Bool
}

/// The part of an argument row that does not depend on the command's type.
struct ArgumentShape: Sendable {
  enum Count: Sendable {
    case one
    case atMostOne
    case oneOrMore
  }
  /// What the value means, shown as `<placeholder>`.
  var placeholder: String
  var count: Count
  var expectation: Expectation
  var help: String

  /// As shown in the usage line.
  var display: String {
    switch count {
    case .one: "<\(placeholder)>"
    case .atMostOne: "[<\(placeholder)>]"
    case .oneOrMore: "<\(placeholder)>..."
    }
  }
}

extension ArgumentRow {
  /// Must be given once; what the path held before is replaced.
  static func one<Value: ArgumentValue>(
    _ placeholder: String, _ path: OptionPath<Options, Value>, _ help: String
  ) -> ArgumentRow {
    ArgumentRow(
      shape: ArgumentShape(
        placeholder: placeholder, count: .one, expectation: Value.expectation, help: help),
      assign: { options, text in
        guard let value = Value(argument: text) else { return false }
        options[keyPath: path] = value
        return true
      })
  }

  static func atMostOne(
    _ placeholder: String, _ path: OptionPath<Options, String?>, _ help: String
  ) -> ArgumentRow {
    ArgumentRow(
      shape: ArgumentShape(
        placeholder: placeholder, count: .atMostOne, expectation: .anything, help: help),
      assign: { options, text in
        options[keyPath: path] = text
        return true
      })
  }

  static func oneOrMore(
    _ placeholder: String, _ path: OptionPath<Options, [String]>, _ help: String
  ) -> ArgumentRow {
    ArgumentRow(
      shape: ArgumentShape(
        placeholder: placeholder, count: .oneOrMore, expectation: .anything, help: help),
      assign: { options, text in
        options[keyPath: path].append(text)
        return true
      })
  }
}
