/// One page of text that is written once and read twice: as Markdown in the documentation, and as
/// plain text of a fixed width in a terminal.
public struct ReferencePage: Sendable {
  /// One block of a page.
  enum Block: Sendable {
    case heading(Int, String)
    case paragraph(String)
    case table(head: [String], rows: [[String]])
    case code(language: String, text: String)
    case facts([Fact])
  }

  private(set) var blocks: [Block] = []

  /// An empty page.
  init() {}

  mutating func heading(_ level: Int, _ text: String) { blocks.append(.heading(level, text)) }

  mutating func line(_ text: String) { blocks.append(.paragraph(text)) }

  mutating func table(_ head: [String], _ rows: [[String]]) {
    if !rows.isEmpty { blocks.append(.table(head: head, rows: rows)) }
  }

  mutating func code(_ language: String, _ text: String) {
    blocks.append(.code(language: language, text: text))
  }

  mutating func facts(_ facts: [Fact]) { blocks.append(.facts(facts)) }

  mutating func append(_ other: ReferencePage) { blocks += other.blocks }

  // MARK: Markdown

  /// The page as Markdown; blocks are parted by one empty line.
  public var markdown: String {
    blocks.map { block in
      switch block {
      case .heading(let level, let text): String(repeating: "#", count: level) + " " + text
      case .paragraph(let text): text
      case .table(let head, let rows): markdownTable(head, rows)
      case .facts(let facts):
        markdownTable(
          ["fact", "what it says", "how sure", "source", "copy read"],
          facts.map { [$0.id.text, $0.claim, $0.certainty, $0.source, $0.checked] })
      case .code(let language, let text): "```\(language)\n\(text)\n```"
      }
    }.joined(separator: "\n\n") + "\n"
  }

  private func markdownTable(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map(markdownRow).joined(separator: "\n")
  }

  private func markdownRow(_ cells: [String]) -> String {
    let escaped = cells.map { cell in
      var text = ""
      for character in cell { text += character == "|" ? "\\|" : String(character) }
      return text
    }
    return "| " + escaped.joined(separator: " | ") + " |"
  }

  // MARK: Plain text

  /// The page as plain text, no line longer than `width` characters except in blocks of code and
  /// where a single word is longer.
  public func plain(width: Int = 90) -> String {
    blocks.map { block in
      switch block {
      case .heading(1, let text):
        text + "\n" + String(repeating: "=", count: min(text.count, width))
      case .heading(_, let text):
        text + "\n" + String(repeating: "-", count: min(text.count, width))
      case .paragraph(let text):
        wrap(text.replacing("**", with: ""), width).joined(separator: "\n")
      case .table(let head, let rows): plainTable(head, rows, width)
      case .facts(let facts): facts.map { plainFact($0, width) }.joined(separator: "\n")
      case .code(_, let text):
        text.split(separator: "\n", omittingEmptySubsequences: false)
          .map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
      }
    }.joined(separator: "\n\n") + "\n"
  }

  /// Columns where they fit, the last one wrapped; else one row after another as a list.
  private func plainTable(_ head: [String], _ rows: [[String]], _ width: Int) -> String {
    var widths = head.map(\.count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    let before = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    let last = min(widths.last ?? 0, width - before)
    guard last >= min(widths.last ?? 0, 36) else { return plainList(head, rows, width) }
    var lines: [String] = []
    for row in [head] + rows {
      var start = ""
      for (column, cell) in row.dropLast().enumerated() {
        start += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      for (number, text) in wrap(row.last ?? "", last).enumerated() {
        let line = (number == 0 ? start : String(repeating: " ", count: before)) + text
        lines.append(trimmed(line))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Number and claim, and below it how sure that is and where it stands.
  private func plainFact(_ fact: Fact, _ width: Int) -> String {
    let number = fact.id.text + String(repeating: " ", count: max(2, 7 - fact.id.text.count))
    let space = String(repeating: " ", count: number.count)
    let origin = "(\(fact.certainty): \(fact.source), copy read \(fact.checked))"
    let lines =
      wrap(fact.claim, width - number.count) + wrap(origin, width - number.count)
    return lines.enumerated().map { ($0.offset == 0 ? number : space) + $0.element }
      .joined(separator: "\n")
  }

  private func plainList(_ head: [String], _ rows: [[String]], _ width: Int) -> String {
    rows.map { row in
      var lines: [String] = []
      for (column, cell) in row.enumerated() where !cell.isEmpty {
        let label = column == 0 ? "" : head[column] + ": "
        let indent = column == 0 ? "" : "  "
        for (number, text) in wrap(label + cell, width - 4).enumerated() {
          lines.append((number == 0 ? indent : indent + "  ") + text)
        }
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func wrap(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    lines.append(line)
    return lines
  }

  private func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
