public import PushModel

/// Writes what inspection of a built app found, for a terminal or as Markdown.
public enum InspectionReport {
  /// One app. `isMarkdown` false is for a terminal.
  public static func render(
    _ tables: InspectionTables, isMarkdown: Bool, wording: CauseWording
  ) -> String {
    let page = page(tables, wording)
    return isMarkdown ? MarkdownWriter.write(page) : TextWriter.write(page)
  }

  /// What differs between two.
  public static func render(
    _ tables: BundleChangeTables, isMarkdown: Bool, wording: CauseWording
  ) -> String {
    let page = page(tables, wording)
    return isMarkdown ? MarkdownWriter.write(page) : TextWriter.write(page)
  }

  private static func page(_ tables: InspectionTables, _ wording: CauseWording) -> Page {
    var sections = tables.sheets.map { sheet in
      Section(
        id: "part", title: sheet.title, note: sheet.path == sheet.title ? "" : sheet.path,
        blocks: [.facts(sheet.rows.map { Labelled($0.label, $0.value) })])
    }
    if !tables.entitlements.rows.isEmpty {
      sections.append(
        Section(
          id: "entitlements", title: "Entitlements",
          blocks: [.table(grid(tables.entitlements, head: "Entitlement") { Cell($0) })]))
    }
    if !tables.checks.rows.isEmpty {
      sections.append(
        Section(
          id: "checks", title: "Checks",
          note: "+ sound, x breaks, ! warns, i informs, ? not known, – does not arise",
          blocks: [.table(grid(tables.checks, head: "Check", cell))]))
    }
    if !tables.names.rows.isEmpty {
      sections.append(
        Section(
          id: "names", title: "Display names by language",
          note: "+ has one, ! has none, – another one serves",
          blocks: [.table(grid(tables.names, head: "Language", cell))]))
    }
    sections.append(findings(tables, wording))
    if !tables.problems.isEmpty {
      sections.append(
        Section(
          id: "problems", title: "Could not be read",
          blocks: [.facts(tables.problems.map { Labelled($0.label, $0.value) })]))
    }
    return Page(
      name: "inspection", title: tables.title, subtitle: "Read from \(tables.source)", about: [],
      sections: sections)
  }

  private static func findings(_ tables: InspectionTables, _ wording: CauseWording) -> Section {
    func count(_ mark: InspectionTables.Mark) -> Int {
      tables.findings.count { $0.severity == mark }
    }
    let note =
      tables.findings.isEmpty
      ? ""
      : "breaks: \(count(.breaks)), warns: \(count(.warns)), informs: \(count(.informs))"
    return Section(
      id: "findings", title: "Findings", note: note,
      blocks: tables.findings.isEmpty
        ? [.sentence("Nothing was found that the checklist knows.")]
        : [.steps(tables.findings.map { step($0, wording) })])
  }

  private static func step(
    _ row: InspectionTables.FindingRow, _ wording: CauseWording
  ) -> ShownStep {
    var details = [Labelled("Place", row.place)]
    if let cause = row.cause {
      details.append(Labelled("Cause", cause.rawValue))
      let repair = wording.repair(cause)
      if !repair.isEmpty { details.append(Labelled("Repair", repair)) }
    }
    details.append(Labelled("Facts", row.facts.joined(separator: ", ")))
    return ShownStep(
      title: "\(row.part): \(wording.title(row.step))", id: row.step.rawValue,
      outcome: row.severity.rawValue, tone: tone(row.severity),
      sentence: "\(row.part): \(row.sentence)", details: details, evidence: [],
      isDecisive: row.severity == .breaks)
  }

  private static func tone(_ mark: InspectionTables.Mark) -> Tone {
    switch mark {
    case .sound: .good
    case .breaks: .bad
    case .warns, .unknown: .unsure
    case .informs, .none: .quiet
    }
  }

  private static func cell(_ mark: InspectionTables.Mark) -> Cell {
    let text =
      switch mark {
      case .sound: "+"
      case .breaks: "x"
      case .warns: "!"
      case .informs: "i"
      case .unknown: "?"
      case .none: "–"
      }
    return Cell(text, tone: tone(mark))
  }

  private static func grid<Value>(
    _ grid: InspectionTables.Grid<Value>, head: String, _ cell: (Value) -> Cell
  ) -> Table {
    Table(
      caption: "",
      columns: [.init(title: head, isElastic: true)]
        + grid.columns.map { .init(title: $0, isElastic: Value.self == String.self) },
      rows: grid.rows.map { row in [Cell(row.name)] + row.cells.map(cell) })
  }

  // MARK: Two releases

  private static func page(_ tables: BundleChangeTables, _ wording: CauseWording) -> Page {
    let changes = Table(
      caption: "",
      columns: [
        .init(title: "Part", isElastic: true), .init(title: "What", isElastic: true),
        .init(title: "Before", isElastic: true), .init(title: "After", isElastic: true),
        .init(title: "Meaning", isElastic: true, inTerminal: .below),
      ],
      rows: tables.changes.map { change in
        [
          Cell(change.part), Cell(change.what), Cell(change.before.isEmpty ? "–" : change.before),
          Cell(change.after.isEmpty ? "–" : change.after), Cell(change.meaning),
        ]
      }, emptySentence: "Nothing that matters for notifications differs.")
    var sections = [Section(id: "changes", title: "What changed", blocks: [.table(changes)])]
    for (title, rows) in [
      ("New findings", tables.newFindings), ("Findings that are gone", tables.goneFindings),
    ] where !rows.isEmpty {
      sections.append(
        Section(
          id: "findings", title: title, blocks: [.steps(rows.map { step($0, wording) })]))
    }
    return Page(
      name: "inspection", title: "\(tables.names.before) against \(tables.names.after)",
      subtitle: "", about: [], sections: sections)
  }
}
