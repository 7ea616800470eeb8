/// Writes a page as Markdown (tables as GitHub reads them).
struct MarkdownWriter {
  /// The page.
  static func write(_ page: Page) -> String {
    var parts = ["# \(escape(page.title))"]
    if !page.subtitle.isEmpty { parts.append(escape(page.subtitle)) }
    parts += page.summary.map(block)
    parts.append(list(page.about))
    for section in page.sections {
      parts.append("## \(escape(section.title))")
      if !section.note.isEmpty { parts.append(escape(section.note)) }
      parts += section.blocks.map(block)
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static func block(_ block: Block) -> String {
    switch block {
    case .sentence(let text): escape(text)
    case .callout(_, let title, let lines):
      (["**\(escape(title))**"] + (lines.isEmpty ? [] : ["", list(lines)]))
        .joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? ">" : "> \($0)" }.joined(separator: "\n")
    case .facts(let facts): list(facts)
    case .table(let table): self.table(table)
    case .steps(let steps):
      steps.enumerated().map { step($1, number: $0 + 1) }.joined(separator: "\n")
    }
  }

  private static func list(_ labelled: [Labelled]) -> String {
    labelled.map {
      let texts = $0.cell.lines.map { $0.map { span($0) }.joined(separator: " ") }
      return "- **\(escape($0.label)):** \(texts.joined(separator: "; "))"
    }.joined(separator: "\n")
  }

  private static func step(_ step: ShownStep, number: Int) -> String {
    let indent = String(repeating: " ", count: "\(number). ".count)
    var lines = [
      "\(number). **\(escape(step.title))**\(step.title == step.id ? "" : " " + code(step.id)): \(escape(step.outcome)). "
        + escape(step.sentence)
    ]
    for detail in step.details {
      let texts = detail.cell.lines.map { $0.map { span($0) }.joined(separator: " ") }
      lines.append("\(indent)- \(escape(detail.label)): \(texts.joined(separator: "; "))")
    }
    for line in step.evidence {
      let remark = line.remark.isEmpty ? "" : " (\(escape(line.remark)))"
      let text = line.text.isEmpty ? "" : ": \(code(line.text))"
      lines.append("\(indent)- \(code(line.place))\(remark)\(text)")
    }
    return lines.map { trimmed($0) }.joined(separator: "\n")
  }

  private static func table(_ table: Table) -> String {
    let caption = table.caption.isEmpty ? "" : "**\(escape(table.caption))**\n\n"
    guard !table.rows.isEmpty else { return caption + escape(table.emptySentence) }
    // Days are worth their characters; bars only repeat the numbers.
    let places = table.columns.indices.filter { place in
      !table.columns[place].isFigure
        || table.rows.contains {
          if case .days? = $0[place].figure?.kind { true } else { !$0[place].lines.isEmpty }
        }
    }
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    var lines = [
      row(places.map { escape(table.columns[$0].title) }),
      row(places.map { table.columns[$0].alignment == .right ? "---:" : "---" }),
    ]
    for cells in table.rows {
      lines.append(
        row(
          places.map { place in
            let cell = cells[place]
            var texts = cell.lines.map {
              $0.map { span($0, inTable: true) }.joined(separator: " ")
            }
            if case .days? = cell.figure?.kind, let drawn = cell.figure.flatMap(TextWriter.draw) {
              texts.append(drawn)
            }
            return texts.joined(separator: "<br>")
          }))
    }
    return caption + lines.joined(separator: "\n")
  }

  private static func span(_ span: Span, inTable: Bool = false) -> String {
    switch span.style {
    case .plain, .quiet: escape(span.text)
    case .strong: "**\(escape(span.text))**"
    case .code: code(span.text, inTable: inTable)
    }
  }

  /// Text with everything quoted that Markdown, or HTML in it, would read.
  static func escape(_ text: String) -> String {
    var result = ""
    for character in Shown.clean(text) {
      switch character {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "$": result += "\\\(character)"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      default: result.append(character)
      }
    }
    return result
  }

  /// Text as code; the fence is longer than any run of backticks in it.
  static func code(_ text: String, inTable: Bool = false) -> String {
    let text = Shown.clean(text)
    guard !text.isEmpty else { return "" }
    var longest = 0
    var run = 0
    for character in text {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let gap = longest > 0 || text.first == " " ? " " : ""
    // A bar would end the cell of a table even inside of code.
    let quoted =
      inTable
      ? text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      : text
    return fence + gap + quoted + gap + fence
  }

  private static func trimmed(_ line: String) -> String {
    var line = Substring(line)
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
