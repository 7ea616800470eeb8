import PushPipeline
import PushBundle
import PushStore

/// Something that went wrong, in the parts in which it is printed.
///
/// No part carries a whole device token: put values of the user into `quoted`.
struct Diagnostic: Error, Equatable, Sendable {
  /// Where in an input it happened.
  struct Place: Equatable, Sendable {
    /// File as the user named it.
    var source: String
    /// From 1.
    var line: Int?
    /// The offending text, without private values.
    var text: String?
    /// Column of the caret under the text, in characters, from 1.
    var column: Int?
  }

  /// What could not be done. Lower case, no period.
  var error: String
  var reason: String?
  var place: Place?
  /// What was tried or assumed.
  var notes: [String]
  /// What to do next.
  var help: [String]

  init(
    _ error: String, reason: String? = nil, at place: Place? = nil, notes: [String] = [],
    help: [String] = []
  ) {
    self.error = error
    self.reason = reason
    self.place = place
    self.notes = notes
    self.help = help
  }

  /// The diagnostic for whatever a command threw: the one place where the errors of the modules
  /// become text for the user.
  init(describing failure: any Error) {
    switch failure {
    case let diagnostic as Diagnostic: self = diagnostic
    case let problem as UsageProblem: self = problem.diagnostic
    case let failure as OutputFailure: self = failure.diagnostic
    case let failure as StoreError: self = Diagnostic(failure)
    case let failure as PipelineError: self = Diagnostic(failure)
    case let problem as BundleProblem: self = Diagnostic(problem)
    case let problem as QueryProblem: self = Diagnostic(problem)
    case let problem as ComparisonProblem: self = Diagnostic(problem)
    default: self.init("the command failed", reason: String(describing: failure))
    }
  }

  /// The printed form; each part starts a line of its own.
  func text(coloured: Bool = false) -> String {
    func label(_ word: String, _ colour: Int) -> String {
      coloured ? "\u{1B}[1;\(colour)m\(word):\u{1B}[0m" : "\(word):"
    }
    var lines = ["\(label("error", 31)) \(error)"]
    if let reason { lines.append("\(label("reason", 36)) \(reason)") }
    if let place {
      let line = place.line.map { ":\($0)" } ?? ""
      lines.append("\(label("at", 36)) \(place.source)\(line)")
      if let text = place.text {
        lines.append(" | \(text)")
        if let column = place.column {
          lines.append(" | " + String(repeating: " ", count: max(0, column - 1)) + "^")
        }
      }
    }
    lines += notes.map { "\(label("note", 36)) \($0)" }
    lines += help.map { "\(label("help", 32)) \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A value of the user in quotes. What may be a device token (32 hex digits or more in a row) keeps
/// only its first and last four; line ends and other control characters cannot break the message.
func quoted(_ text: String) -> String {
  var shown = ""
  var digits = ""
  func flush() {
    shown += digits.count >= 32 ? "\(digits.prefix(4))…\(digits.suffix(4))" : digits
    digits = ""
  }
  for character in text {
    if character.isHexDigit {
      digits.append(character)
    } else {
      flush()
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      shown.append(isControl ? "�" : character)
    }
  }
  flush()
  return "'\(shown)'"
}
