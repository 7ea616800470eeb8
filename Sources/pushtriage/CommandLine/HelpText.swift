/// Help, made from the command table. No line is over 80 columns.
enum HelpText {
  /// The overview of all commands that are listed.
  static func overview(_ commands: [Command]) -> String {
    let rows = commands.filter { !$0.isHidden }.map { (left: $0.name, right: $0.summary) }
    return """
      Joins provider logs and device logs per notification and names the first broken
      step.

      usage: pushtriage <command> [options]

      Commands:
      \(table(rows))

      Exit codes:
      \(table(exitCodes))

      See 'pushtriage <command> --help' for the options of a command.

      """
  }

  /// The help of one command.
  static func command(_ command: Command) -> String {
    var blocks = [command.summary, "usage: \(command.usage)"]
    blocks += command.discussion.map { wrap($0, width: columns).joined(separator: "\n") }
    if !command.arguments.isEmpty {
      let rows = command.arguments.map {
        (left: $0.display, right: sentence($0.help, $0.expectation, nil))
      }
      blocks.append("Arguments:\n\(table(rows))")
    }
    var rows = command.options.map { option in
      let letter = option.letter.map { "-\($0), " } ?? ""
      return (
        left: letter + option.display,
        right: sentence(
          option.help + (option.isRepeatable ? " May be given several times." : ""),
          option.expectation, option.defaultText)
      )
    }
    rows.append((left: "-h, --help", right: "Print this help."))
    blocks.append("Options:\n\(table(rows))")
    blocks.append("Exit codes:\n\(table(exitCodes))")
    blocks.append("Example:\n  \(command.example)")
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static let columns = 80
  /// Texts start here; a longer left side gets a line of its own.
  private static let indent = 26

  private static var exitCodes: [(left: String, right: String)] {
    ExitCode.allCases.map { (left: String($0.rawValue), right: $0.meaning) }
  }

  private static func sentence(
    _ help: String, _ expectation: Expectation, _ defaultText: String?
  ) -> String {
    var notes: [String] = []
    switch expectation {
    case .anything, .obviousForm: break
    case .oneOf(let values): notes.append("values: \(values.joined(separator: ", "))")
    case .form(let form): notes.append(form)
    }
    if let defaultText { notes.append("default: \(defaultText)") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }

  private static func table(_ rows: [(left: String, right: String)]) -> String {
    let widest = rows.map(\.left.count).max() ?? 0
    let start = min(indent, widest + 4)
    var lines: [String] = []
    for row in rows {
      let texts = wrap(row.right, width: columns - start)
      var left = "  " + row.left
      if left.count > start - 2 {
        lines.append(left)
        left = ""
      }
      for text in texts {
        lines.append(left + String(repeating: " ", count: start - left.count) + text)
        left = ""
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func wrap(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
