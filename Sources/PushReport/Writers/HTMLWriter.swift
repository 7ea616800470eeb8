import Reports

/// Writes a page as one HTML file: style and pictures inline, no script.
///
/// Roles are written out on tables because narrow screens show rows as blocks, which would take the
/// meaning of the table away from readers of the screen.
struct HTMLWriter {
  /// The page in its frame.
  static func write(_ page: Page) -> String {
    let frame = ReportCatalogue.text(at: "shared/frame.html") ?? "{{about}}{{body}}"
    let layout = ReportCatalogue.text(at: "\(page.name)/page.html") ?? ""
    let body = fill(layout) { name in
      page.sections.first { $0.id == name }.map(section) ?? ""
    }
    return fill(frame) { name in
      switch name {
      case "title": escape(page.title)
      case "subtitle": escape(page.subtitle)
      case "style": ReportCatalogue.text(at: "shared/style.css") ?? ""
      case "summary": page.summary.map(block).joined(separator: "\n")
      case "about": about(page.about)
      case "contents": contents(page)
      case "name": escape(page.name)
      case "body": body
      default: ""
      }
    }
  }

  /// Replaces `{{name}}`; what is put in is not searched again.
  static func fill(_ template: String, _ value: (String) -> String) -> String {
    var result = ""
    var rest = Substring(template)
    while let open = firstRange(of: "{{", in: rest) {
      result += rest[..<open.lowerBound]
      let inner = rest[open.upperBound...]
      guard let close = firstRange(of: "}}", in: inner) else {
        rest = rest[open.lowerBound...]
        break
      }
      result += value(String(inner[..<close.lowerBound]))
      rest = rest[close.upperBound...]
    }
    return result + rest
  }

  private static func firstRange(of mark: String, in text: Substring) -> Range<String.Index>? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(mark) {
        return start..<text.index(start, offsetBy: mark.count)
      }
      start = text.index(after: start)
    }
    return nil
  }

  /// Text for use in elements and in quoted attributes.
  static func escape(_ text: String) -> String {
    var result = ""
    for scalar in Shown.clean(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func about(_ about: [Labelled]) -> String {
    guard !about.isEmpty else { return "" }
    return "<dl class=\"about\">\n"
      + about.map { "<div><dt>\(escape($0.label))</dt><dd>\(lines($0.cell.lines))</dd></div>\n" }
      .joined() + "</dl>"
  }

  private static func contents(_ page: Page) -> String {
    page.sections.map { "<li><a href=\"#\(escape($0.id))\">\(escape($0.title))</a></li>" }
      .joined(separator: "\n")
  }

  private static func section(_ section: Section) -> String {
    let note = section.note.isEmpty ? "" : "<p class=\"note\">\(escape(section.note))</p>\n"
    let blocks = section.blocks.map(block).joined(separator: "\n")
    return """
      <section id="\(escape(section.id))" aria-labelledby="\(escape(section.id))-title">
      <h2 id="\(escape(section.id))-title">\(escape(section.title))</h2>
      \(note)\(section.isGrid ? "<div class=\"grid\">\n\(blocks)\n</div>" : blocks)
      </section>
      """
  }

  private static func block(_ block: Block) -> String {
    switch block {
    case .sentence(let text): "<p>\(prose(text))</p>"
    case .callout(let tone, let title, let lines):
      """
      <div class="callout \(tone.rawValue)">
      <p class="headline">\(escape(title))</p>
      \(facts(lines))
      </div>
      """
    case .facts(let labelled): facts(labelled)
    case .table(let table): self.table(table)
    case .steps(let steps):
      "<ol class=\"steps\">\n\(steps.map(step).joined(separator: "\n"))\n</ol>"
    }
  }

  private static func facts(_ labelled: [Labelled]) -> String {
    guard !labelled.isEmpty else { return "" }
    return "<dl class=\"facts\">\n"
      + labelled.map {
        "<div><dt>\(escape($0.label))</dt><dd>\(lines($0.cell.lines))</dd></div>"
      }.joined(separator: "\n") + "\n</dl>"
  }

  private static func step(_ step: ShownStep) -> String {
    let mark =
      switch step.tone {
      case .good: "✓"
      case .bad: "✗"
      case .unsure: "?"
      default: "·"
      }
    let decisive = step.isDecisive ? " decisive" : ""
    var parts = [
      "<li class=\"step \(step.tone.rawValue)\(decisive)\">",
      "<p class=\"step-head\"><span class=\"mark\" aria-hidden=\"true\">\(mark)</span> "
        + "<strong>\(escape(step.title))</strong> "
        + (step.title == step.id ? "" : "<code>\(escape(step.id))</code> ")
        + "<span class=\"outcome\">\(escape(step.outcome))</span></p>",
    ]
    if !step.sentence.isEmpty { parts.append("<p>\(prose(step.sentence))</p>") }
    parts.append(facts(step.details))
    for line in step.evidence {
      let remark = line.remark.isEmpty ? "" : " <span class=\"quiet\">\(escape(line.remark))</span>"
      let text = line.text.isEmpty ? "" : "<pre>\(escape(line.text))</pre>"
      parts.append(
        "<figure class=\"evidence\"><figcaption><code>\(escape(line.place))</code>\(remark)"
          + "</figcaption>\(text)</figure>")
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n</li>"
  }

  private static func table(_ table: Table) -> String {
    guard !table.rows.isEmpty else {
      let caption = table.caption.isEmpty ? "" : "<h3>\(escape(table.caption))</h3>\n"
      return "<div>\(caption)<p class=\"quiet\">\(escape(table.emptySentence))</p></div>"
    }
    // What stands below a row in a terminal is too wide for a column here, too.
    let below = table.columns.indices.filter { table.columns[$0].inTerminal == .below }
    let head = table.columns.filter { $0.inTerminal != .below }.map {
      "<th scope=\"col\" role=\"columnheader\"\(classes($0, .none))>\(escape($0.title))</th>"
    }.joined()
    let rows = table.rows.map { row in
      let cells = table.columns.indices.filter { !below.contains($0) }.map { place in
        let (column, cell) = (table.columns[place], row[place])
        let label = column.title.isEmpty ? "" : " data-label=\"\(escape(column.title))\""
        var content = lines(cell.lines) + (cell.figure.map(figure) ?? "")
        if place == 0 { content += below.map { self.below(table.columns[$0], row[$0]) }.joined() }
        // On a narrow screen the label stands beside the whole content.
        if table.stacksWhenNarrow, place > 0, cell.lines.count + (cell.figure == nil ? 0 : 1) > 1 {
          content = "<div>\(content)</div>"
        }
        return place == 0
          ? "<th scope=\"row\" role=\"rowheader\"\(classes(column, cell.tone))\(label)>\(content)</th>"
          : "<td role=\"cell\"\(classes(column, cell.tone))\(label)>\(content)</td>"
      }
      return "<tr role=\"row\">\(cells.joined())</tr>"
    }
    let caption = table.caption.isEmpty ? "" : "<caption>\(escape(table.caption))</caption>\n"
    return """
      <div class="scroll"><table role="table"\(table.stacksWhenNarrow ? " class=\"stacks\"" : "")>
      \(caption)<thead role="rowgroup"><tr role="row">\(head)</tr></thead>
      <tbody role="rowgroup">
      \(rows.joined(separator: "\n"))
      </tbody>
      </table></div>\(legend(table.legend))
      """
  }

  private static func below(_ column: Table.Column, _ cell: Cell) -> String {
    guard !cell.lines.isEmpty else { return "" }
    let label = "<span class=\"line quiet below\">\(escape(column.title))</span>"
    return label
      + cell.lines.map { "<span class=\"line\">\($0.map(span).joined(separator: " "))</span>" }
      .joined()
  }

  private static func legend(_ legend: [Table.Legend]) -> String {
    guard !legend.isEmpty else { return "" }
    let items = legend.map {
      "<li><svg aria-hidden=\"true\" width=\"12\" height=\"12\">"
        + "<rect class=\"\($0.look)\" width=\"12\" height=\"12\"/></svg> \(escape($0.text))</li>"
    }
    return "\n<ul class=\"legend\">\(items.joined())</ul>"
  }

  private static func classes(_ column: Table.Column, _ tone: Tone) -> String {
    var names: [String] = []
    if column.alignment == .right { names.append("number") }
    if column.isFigure { names.append("figure") }
    if tone != .none { names.append(tone.rawValue) }
    return names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\""
  }

  private static func lines(_ lines: [[Span]]) -> String {
    let shown = lines.map { $0.map(span).joined(separator: " ") }
    return shown.count < 2
      ? shown.joined() : shown.map { "<span class=\"line\">\($0)</span>" }.joined()
  }

  private static func span(_ span: Span) -> String {
    switch span.style {
    case .plain: prose(span.text)
    case .strong: "<strong>\(prose(span.text))</strong>"
    case .code: "<code>\(escape(span.text))</code>"
    case .quiet: "<span class=\"quiet\">\(prose(span.text))</span>"
    }
  }

  /// Text in which names of code stand between backticks, as the checklist's words have them.
  static func prose(_ text: String) -> String {
    let parts = escape(text).split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 2, parts.count % 2 == 1 else { return parts.joined(separator: "`") }
    return parts.enumerated().map { $0 % 2 == 1 ? "<code>\($1)</code>" : String($1) }.joined()
  }
}

extension HTMLWriter {
  /// A picture as inline SVG. Bars and ranges use shares of the width, so that they fit any cell.
  private static func figure(_ figure: Figure) -> String {
    let label = escape(figure.label)
    let open = "<svg role=\"img\" aria-label=\"\(label)\""
    let title = "<title>\(label)</title>"
    switch figure.kind {
    case .bar(let parts):
      var left = 0.0
      var shapes = "<rect class=\"track\" width=\"100%\" height=\"12\"/>"
      for part in parts where part.share > 0 {
        // A part that is there stays visible, however small.
        let width = min(max(part.share, 0.004), 1 - left)
        shapes +=
          "<rect class=\"\(part.look)\" x=\"\(share(left))\" width=\"\(share(width))\" "
          + "height=\"12\"/>"
        left += width
      }
      return "\(open) class=\"bar\" width=\"100%\" height=\"12\">\(title)\(shapes)</svg>"
    case .days(let values):
      let most = values.compactMap { $0 }.max() ?? 0
      var shapes = ""
      for (place, value) in values.enumerated() {
        let left = place * 12
        guard let value else {
          shapes += "<rect class=\"absent\" x=\"\(left)\" y=\"25\" width=\"9\" height=\"1\"/>"
          continue
        }
        let height = most > 0 ? max(value > 0 ? 2 : 1, Int((value / most * 24).rounded())) : 1
        let look = place == values.count - 1 ? "today" : "earlier"
        shapes +=
          "<rect class=\"\(look)\" x=\"\(left)\" y=\"\(26 - height)\" width=\"9\" "
          + "height=\"\(height)\"/>"
      }
      let width = values.count * 12
      return
        "\(open) class=\"days\" width=\"\(width)\" height=\"26\" viewBox=\"0 0 \(width) 26\">"
        + "\(title)\(shapes)</svg>"
    case .range(let low, let middle, let high):
      let shapes =
        "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"17\" y2=\"17\"/>"
        + "<line class=\"zero\" x1=\"50%\" x2=\"50%\" y1=\"0\" y2=\"18\"/>"
        + "<line class=\"span\" x1=\"\(share(clip(low)))\" x2=\"\(share(clip(high)))\" "
        + "y1=\"9\" y2=\"9\"/>" + ends(low, high)
        + "<circle class=\"point\" cx=\"\(share(clip(middle)))\" cy=\"9\" r=\"4\"/>"
      return "\(open) class=\"range\" width=\"100%\" height=\"18\">\(title)\(shapes)</svg>"
    case .columns(let values, let from, let to):
      let most = values.max() ?? 0
      let width = 1 / Double(max(1, values.count))
      var shapes = "<rect class=\"absent\" y=\"25\" width=\"100%\" height=\"1\"/>"
      for (place, value) in values.enumerated() {
        let height = most > 0 ? max(value > 0 ? 1 : 0, Int((value / most * 24).rounded())) : 0
        shapes +=
          "<rect class=\"earlier\" x=\"\(share((Double(place) + 0.1) * width))\" "
          + "y=\"\(25 - height)\" width=\"\(share(0.8 * width))\" height=\"\(height)\"/>"
      }
      return
        "\(open) class=\"columns\" width=\"100%\" height=\"26\">\(title)\(shapes)</svg>"
        + "<span class=\"scale quiet\" aria-hidden=\"true\"><span>\(escape(from))</span> "
        + "<span>\(escape(to))</span></span>"
    }
  }

  private static func clip(_ place: Double) -> Double { min(1, max(0, place)) }

  /// Marks at the ends of a range that lie on the scale.
  private static func ends(_ low: Double, _ high: Double) -> String {
    [low, high].filter { (0...1).contains($0) }.map {
      "<line class=\"span\" x1=\"\(share($0))\" x2=\"\(share($0))\" y1=\"5\" y2=\"13\"/>"
    }.joined()
  }

  private static func share(_ value: Double) -> String {
    Shown.decimal(value * 100, places: 2) + "%"
  }
}
