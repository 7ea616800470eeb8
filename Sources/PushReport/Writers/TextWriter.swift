/// Writes a page for a terminal: at most 100 columns, aligned, no colour.
struct TextWriter {
  /// Widest line.
  static let width = 100

  /// The page as lines.
  static func write(_ page: Page) -> String {
    var lines = wrap(page.title, width)
    if !page.subtitle.isEmpty { lines += wrap(page.subtitle, width) }
    for block in page.summary { lines += [""] + self.block(block) }
    lines.append("")
    lines += labelled(page.about)
    for section in page.sections {
      lines.append("")
      lines += wrap(section.title.uppercased(), width)
      lines.append(String(repeating: "─", count: min(width, columns(section.title))))
      if !section.note.isEmpty { lines += wrap(section.note, width) }
      for block in section.blocks {
        lines.append("")
        lines += self.block(block)
      }
    }
    // Two empty lines would only push things off the screen.
    var result: [String] = []
    for line in lines where !(line.isEmpty && result.last == "") { result.append(line) }
    return result.joined(separator: "\n") + "\n"
  }

  private static func block(_ block: Block) -> [String] {
    switch block {
    case .sentence(let text): wrap(text, width)
    case .callout(_, let title, let lines): wrap(title, width) + labelled(lines, indent: 2)
    case .facts(let facts): labelled(facts)
    case .table(let table): self.table(table)
    case .steps(let steps): steps.flatMap(step)
    }
  }

  private static func step(_ step: ShownStep) -> [String] {
    let mark =
      switch step.tone {
      case .good: "+"
      case .bad: "x"
      case .unsure: "?"
      default: "-"
      }
    let head = "\(mark) \(pad(step.id, 24)) \(pad(step.outcome, 17))"
    let indent = columns(head) + 1
    let sentence = wrap(step.sentence, width - indent)
    var lines = [head + (sentence.first.map { " " + $0 } ?? "")]
    lines += sentence.dropFirst().map { spaces(indent) + $0 }
    lines += labelled(step.details, indent: 4)
    for line in step.evidence {
      let remark = line.remark.isEmpty ? "" : "  (\(line.remark))"
      lines += wrap(line.place + remark, width - 4).map { spaces(4) + $0 }
      lines += wrap(line.text, width - 6).map { spaces(6) + $0 }
    }
    return lines.map(trimmed)
  }

  /// Widest label that stands beside its text; wider ones stand above it.
  private static let widestLabel = 26

  private static func labelled(_ labelled: [Labelled], indent: Int = 0) -> [String] {
    let labels = labelled.map { Shown.clean($0.label) }
    let widest = labels.map(columns).filter { $0 <= widestLabel }.max() ?? 2
    let left = indent + widest + 2
    return zip(labels, labelled).flatMap { label, item in
      let texts = item.cell.lines.map { $0.map(\.text).joined(separator: " ") }
      let wrapped = texts.flatMap { wrap($0, width - left) }
      if columns(label) > widestLabel {
        return wrap(label, width - indent).map { spaces(indent) + $0 }
          + wrapped.map { spaces(left) + $0 }
      }
      return wrapped.enumerated().map { place, text in
        place == 0 ? spaces(indent) + pad(label, widest) + "  " + text : spaces(left) + text
      }
    }.map(trimmed)
  }

  // MARK: Tables

  private static func table(_ table: Table) -> [String] {
    var lines = table.caption.isEmpty ? [] : wrap(table.caption, width)
    guard !table.rows.isEmpty else { return lines + wrap(table.emptySentence, width) }
    let above = table.columns.indices.filter { table.columns[$0].inTerminal == .above }
    let below = table.columns.indices.filter { table.columns[$0].inTerminal == .below }
    let places = table.columns.indices.filter { place in
      table.columns[place].inTerminal == .column
        && !(table.columns[place].isFigure
          && table.rows.allSatisfy { text($0[place]).allSatisfy(\.isEmpty) })
    }
    let heads = places.map { Shown.clean(table.columns[$0].title) }
    let cells = table.rows.map { row in places.map { text(row[$0]) } }
    var widths = places.indices.map { place in
      max(
        longestWord(heads[place]),
        cells.map { $0[place].map(columns).max() ?? 0 }.max() ?? 0)
    }
    // A heading may take two lines; it widens a column only while there is room.
    for place in widths.indices {
      let room = width - widths.reduce(0, +) - 2 * (widths.count - 1)
      let wish = min(columns(heads[place]), 16) - widths[place]
      if wish > 0 { widths[place] += max(0, min(wish, room)) }
    }
    shrink(&widths, places.map { table.columns[$0].isElastic })
    func line(_ texts: [[String]]) -> [String] {
      let wrapped = texts.enumerated().map { place, lines in
        lines.flatMap { wrap($0, widths[place]) }
      }
      let height = max(1, wrapped.map(\.count).max() ?? 1)
      return (0..<height).map { row in
        trimmed(
          wrapped.enumerated().map { place, lines in
            let text = row < lines.count ? lines[row] : ""
            return table.columns[places[place]].alignment == .right
              ? spaces(widths[place] - columns(text)) + text : pad(text, widths[place])
          }.joined(separator: "  "))
      }
    }
    lines += line(heads.map { [$0] })
    lines.append(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "))
    for (row, cells) in zip(table.rows, cells) {
      if !above.isEmpty { lines.append("") }
      for place in above {
        lines += wrap(text(row[place]).joined(separator: " · "), width)
      }
      lines += line(cells)
      for place in below where !row[place].lines.isEmpty {
        let label = table.columns[place].title + ": "
        lines += wrap(label + text(row[place]).joined(separator: ", "), width)
      }
    }
    return lines
  }

  /// Takes what is too wide from the elastic columns, widest first, then from any.
  private static func shrink(_ widths: inout [Int], _ elastic: [Bool]) {
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    for isElasticOnly in [true, false] {
      while excess > 0 {
        let candidates = widths.indices.filter {
          (elastic[$0] || !isElasticOnly) && widths[$0] > (isElasticOnly ? 16 : 6)
        }
        guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
        widths[widest] -= 1
        excess -= 1
      }
    }
  }

  private static func text(_ cell: Cell) -> [String] {
    let lines = cell.lines.map { $0.map { Shown.clean($0.text) }.joined(separator: " ") }
    guard let figure = cell.figure, let drawn = draw(figure) else { return lines }
    guard case .columns(_, let from, let to) = figure.kind else { return lines + [drawn] }
    return lines + [drawn, "\(from) to \(to)"]
  }

  /// A picture in characters, where that says anything.
  static func draw(_ figure: Figure) -> String? {
    let steps = Array("▁▂▃▄▅▆▇█")
    switch figure.kind {
    case .bar(let parts):
      let marks: [Character] = ["█", "▓", "▒", "░"]
      var line = ""
      var total = 0.0
      for (place, part) in parts.enumerated() where part.share > 0 {
        total += part.share
        let length = max(1, Int((total * 20).rounded()) - line.count)
        line += String(repeating: marks[min(place, marks.count - 1)], count: length)
      }
      return String(line.prefix(20))
    case .days(let values), .columns(let values as [Double?], _, _):
      let most = values.compactMap { $0 }.max() ?? 0
      return String(
        values.map { value in
          guard let value else { return " " }
          guard most > 0, value > 0 else { return "_" }
          return steps[min(7, Int(value / most * 7.999))]
        })
    case .range: return nil
    }
  }

  // MARK: Lines

  /// Words in lines of at most `width` columns; longer words are cut.
  static func wrap(_ text: String, _ width: Int) -> [String] {
    let width = max(4, width)
    let text = Shown.clean(text)
    guard columns(text) > width else { return text.isEmpty ? [] : [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var word = String(word)
      if line.isEmpty {
        line = word
      } else if columns(line) + 1 + columns(word) <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = word
      }
      while columns(line) > width {
        var head = ""
        var used = 0
        for character in line {
          let next = columns(String(character))
          if used + next > width { break }
          head.append(character)
          used += next
        }
        lines.append(head)
        word = String(line.dropFirst(head.count))
        line = word
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  private static func longestWord(_ text: String) -> Int {
    text.split(separator: " ").map { columns(String($0)) }.max() ?? 0
  }

  /// Columns that a terminal gives a text; East Asian wide characters and pictures take two.
  static func columns(_ text: String) -> Int {
    // Nearly all texts are printable ASCII, a byte a column.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text.utf8.count }
    return wideColumns(text)
  }

  private static func wideColumns(_ text: String) -> Int {
    text.reduce(0) { sum, character in
      guard let first = character.unicodeScalars.first else { return sum }
      switch first.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        return sum + 2
      default: return sum + 1
      }
    }
  }

  private static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + spaces(width - columns(text))
  }

  private static func trimmed(_ line: String) -> String {
    var line = Substring(line)
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
