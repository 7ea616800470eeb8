/// One option of a command: how it is typed, what help says, and where its value goes.
///
/// The default is not part of the row: help reads it from a fresh `Options`, so it is written once.
struct OptionRow<Options: Sendable>: Sendable {
  /// What people type and read.
  var shape: OptionShape
  /// Stores a value; false if the text is invalid.
  var assign: @Sendable (inout Options, _ text: String) -> Bool
}

/// The part of an option row that does not depend on the command's type.
struct OptionShape: Sendable {
  /// Without the hyphens.
  var name: String
  /// One-letter form, without the hyphen.
  var letter: Character?
  /// What the value means, shown as `<placeholder>`; nil for a switch.
  var placeholder: String?
  var isRepeatable = false
  /// A switch that is on unless `--no-<name>` is given.
  var isOnByDefault = false
  var expectation = Expectation.anything
  /// Said in help where no default is stored ("the newest day in the database").
  var defaultText: String?
  /// One sentence or more; capital, period.
  var help: String

  /// `--name`, or `--no-name` for what is on by default.
  var typed: String { isOnByDefault ? "--no-\(name)" : "--\(name)" }
  /// `--name <placeholder>`.
  var display: String { placeholder.map { "\(typed) <\($0)>" } ?? typed }
}

extension OptionRow {
  /// An option with a default value.
  static func value<Value: ArgumentValue>(
    _ name: String, letter: Character? = nil, _ placeholder: String,
    _ path: OptionPath<Options, Value>, _ help: String
  ) -> OptionRow where Options: Subcommand {
    OptionRow(
      shape: OptionShape(
        name: name, letter: letter, placeholder: placeholder, expectation: Value.expectation,
        defaultText: Options()[keyPath: path].argumentText, help: help),
      assign: { options, text in
        guard let value = Value(argument: text) else { return false }
        options[keyPath: path] = value
        return true
      })
  }

  /// An option that may be absent; `otherwise` says what happens then.
  static func optional<Value: ArgumentValue>(
    _ name: String, letter: Character? = nil, _ placeholder: String,
    _ path: OptionPath<Options, Value?>, otherwise: String? = nil, _ help: String
  ) -> OptionRow {
    OptionRow(
      shape: OptionShape(
        name: name, letter: letter, placeholder: placeholder, expectation: Value.expectation,
        defaultText: otherwise, help: help),
      assign: { options, text in
        guard let value = Value(argument: text) else { return false }
        options[keyPath: path] = value
        return true
      })
  }

  /// An option that may be given several times.
  static func list<Value: ArgumentValue>(
    _ name: String, letter: Character? = nil, _ placeholder: String,
    _ path: OptionPath<Options, [Value]>, _ help: String
  ) -> OptionRow {
    OptionRow(
      shape: OptionShape(
        name: name, letter: letter, placeholder: placeholder, isRepeatable: true,
        expectation: Value.expectation, help: help),
      assign: { options, text in
        guard let value = Value(argument: text) else { return false }
        options[keyPath: path].append(value)
        return true
      })
  }

  /// A switch: `--name` and `--no-name`.
  static func toggle(
    _ name: String, _ path: OptionPath<Options, Bool>, _ help: String
  ) -> OptionRow where Options: Subcommand {
    OptionRow(
      shape: OptionShape(
        name: name, placeholder: nil, isOnByDefault: Options()[keyPath: path], help: help),
      assign: { options, text in
        options[keyPath: path] = text == "true"
        return true
      })
  }

  /// The same row for whole numbers of a range only.
  func limited(to range: ClosedRange<Int>) -> OptionRow {
    var row = self
    let assign = self.assign
    row.shape.expectation = .form("a whole number from \(range.lowerBound) to \(range.upperBound)")
    row.assign = { options, text in
      guard let number = Int(argument: text), range.contains(number) else { return false }
      return assign(&options, text)
    }
    return row
  }
}

extension OptionRow {
  /// The same row for paths of database files only. SQLite takes an empty path, `:memory:` and URIs for
  /// databases that are gone with the process.
  func limitedToFiles() -> OptionRow {
    var row = self
    let assign = self.assign
    row.shape.expectation = .obviousForm(
      "the path of a file; ./ before a name that begins with 'file:'")
    row.assign = { options, text in
      guard !text.isEmpty, text != ":memory:", !text.hasPrefix("file:") else { return false }
      return assign(&options, text)
    }
    return row
  }
}

// Options that mean the same in every command.
extension OptionRow where Options: Subcommand {
  static func database(
    _ path: OptionPath<Options, String>,
    _ help: String = "Database that an ingest wrote."
  ) -> OptionRow {
    .value("db", "file", path, help).limitedToFiles()
  }

  static func format<Format: ArgumentChoice>(
    _ path: OptionPath<Options, Format>
  ) -> OptionRow {
    .value("format", "format", path, "Form of the output.")
  }

  static func output(_ path: OptionPath<Options, String?>) -> OptionRow {
    .optional(
      "output", letter: "o", "file", path, otherwise: "standard output",
      "File that the result is written to.")
  }

  static func failOn<Condition: ArgumentChoice>(
    _ path: OptionPath<Options, [Condition]>, _ help: String
  ) -> OptionRow {
    .list("fail-on", "condition", path, help)
  }
}
