import PushPipeline
/// A command line that cannot be understood. All wording is in `diagnostic`.
enum UsageProblem: Error, Equatable, Sendable {
  case missingCommand
  case unknownCommand(String, candidates: [String])
  case unknownOption(String, candidates: [String])
  /// The option as help shows it.
  case missingValue(String)
  /// A switch was given a value.
  case unexpectedValue(_ option: String, _ value: String)
  case invalidValue(String, of: String, Expectation)
  case missingArgument(String)
  case unexpectedArgument(String)
  /// The first option's day is after the second one's; both with their values.
  case reversedDays(String, String)
  /// No log format has this name.
  case unknownFormat(String)
  /// Two things that exclude each other, as typed.
  case conflict(String, String)

  /// What is printed, before usage and the pointer to help.
  var diagnostic: Diagnostic {
    switch self {
    case .missingCommand:
      Diagnostic("a command is missing")
    case .unknownCommand(let name, let candidates):
      Diagnostic("unknown command \(quoted(name))", help: suggestion(name, candidates))
    case .unknownOption(let name, let candidates):
      Diagnostic("unknown option \(quoted(name))", help: suggestion(name, candidates))
    case .missingValue(let option):
      Diagnostic("missing value for '\(option)'")
    case .unexpectedValue(let option, let value):
      Diagnostic("option '\(option)' takes no value, but \(quoted(value)) was given")
    case .invalidValue(let value, let place, let expectation):
      Diagnostic(
        "value \(quoted(value)) is invalid for '\(place)'", help: allowed(expectation, value))
    case .missingArgument(let argument):
      Diagnostic("missing argument '\(argument)'")
    case .unexpectedArgument(let text):
      Diagnostic("unexpected argument \(quoted(text))")
    case .reversedDays(let first, let last):
      Diagnostic("'\(first)' is after '\(last)'", help: ["no day lies between them; turn them"])
    case .unknownFormat(let name): Diagnostic(.unknownFormat(name))
    case .conflict(let first, let second):
      Diagnostic("'\(first)' and '\(second)' exclude each other", help: ["give one of the two"])
    }
  }
}

private func suggestion(_ typed: String, _ candidates: [String]) -> [String] {
  guard let nearest = byDistance(to: typed, candidates).first,
    editDistance(typed, nearest) <= max(1, typed.count / 3)
  else { return [] }
  return ["did you mean '\(nearest)'?"]
}

/// Up to five values fit a sentence; more are listed, nearest first.
private func allowed(_ expectation: Expectation, _ value: String) -> [String] {
  switch expectation {
  case .anything: []
  case .form(let form), .obviousForm(let form): ["expected \(form)"]
  case .oneOf(let values) where values.count <= 5:
    ["allowed values: \(values.joined(separator: ", "))"]
  case .oneOf(let values):
    ["allowed values, nearest first:\n  " + byDistance(to: value, values).joined(separator: "\n  ")]
  }
}

/// The candidates, nearest first; equally near ones keep their order.
func byDistance(to typed: String, _ candidates: [String]) -> [String] {
  candidates.enumerated()
    .map { (distance: editDistance(typed, $0.element), index: $0.offset, text: $0.element) }
    .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
    .map(\.text)
}

/// The least number of insertions, deletions and replacements between two texts.
private func editDistance(_ first: String, _ second: String) -> Int {
  let columns = Array(second)
  var previous = Array(0...columns.count)
  for (row, character) in first.enumerated() {
    var current = [row + 1]
    for (column, other) in columns.enumerated() {
      let replaced = previous[column] + (character == other ? 0 : 1)
      current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
    }
    previous = current
  }
  return previous[columns.count]
}
