public import PushModel

import PushAnalysis

/// The daily failure report: what broke on a day, why, where, and how much of it is new.
public enum DailyReport {
  /// Writes the report in one format.
  ///
  /// - Parameters:
  ///   - tables: counts of the day.
  ///   - format: the form of the result.
  ///   - wording: words of steps and causes.
  public static func render(_ tables: DailyTables, format: ReportFormat, wording: CauseWording)
    -> String
  {
    switch format {
    case .html: HTMLWriter.write(page(tables, wording))
    case .markdown: MarkdownWriter.write(page(tables, wording))
    case .text: TextWriter.write(page(tables, wording))
    case .json: json(tables, wording).written
    }
  }

  /// Sources shown before the rest is added up.
  static let mostSources = 12
  /// Rows of a breakdown that are shown.
  static let mostRows = 5
  /// Rows of lines not understood that are shown.
  static let mostNotes = 20

  static func page(_ tables: DailyTables, _ wording: CauseWording) -> Page {
    let definition = Definition(named: "daily")
    let app = tables.app.map { "app \($0)" } ?? "all apps"
    let replacements = [
      (name: "date", text: tables.date), (name: "zone", text: tables.zone),
      (name: "app", text: app),
    ]
    return definition.page(
      name: "daily", title: "\(definition.value("title")) · \(tables.date)",
      subtitle: "Day in \(tables.zone), \(app)", summary: summary(tables, wording),
      replacements: replacements
    ) { id in
      switch id {
      case "coverage": (coverage(tables.coverage, isPruned: tables.isPruned), false)
      case "funnel": (funnel(tables.funnel), true)
      case "judgements": (judgements(tables), false)
      case "causes": (causes(tables, wording), false)
      case "refusals": (refusals(tables), false)
      case "breakdowns": (breakdowns(tables.breakdowns), false)
      case "timing": (timing(tables.timings), false)
      case "late": (late(tables.lateChanges), false)
      case "notes": (notes(tables.notes), false)
      default: ([], false)
      }
    }
  }

  // MARK: Coverage

  private static func coverage(_ coverage: CoverageTable, isPruned: Bool) -> [Block] {
    func row(_ what: String, _ hits: Int, _ total: Int?, _ of: String) -> [Cell] {
      guard let total else {
        return [Cell(what), Cell(Shown.count(hits)), Cell(""), Cell(""), Cell("")]
      }
      let share = total > 0 ? Double(hits) / Double(total) : nil
      return [
        Cell(what), Cell(Shown.count(hits)), Cell("\(Shown.count(total)) \(of)"),
        Cell(Shown.percent(share)),
        Cell(
          share.map {
            Figure(
              kind: .bar([.init(share: $0, look: "calm")]), label: "\(what): \(Shown.percent($0))")
          }),
      ]
    }
    var sentences: [Block] = []
    if coverage.notifications == 0 {
      sentences.append(
        .sentence("No notification of this day is in the database, so there is nothing to judge."))
    }
    if isPruned {
      sentences.append(
        .sentence(
          "The notifications of this day were pruned: its counts are complete, but there are no "
            + "examples, and records that no notification claims are no longer counted."))
    }
    sentences.append(.sentence(successes(coverage)))
    return sentences + [
      .table(
        Table(
          caption: "What is known",
          columns: [
            .init(title: "What", isElastic: true), .init(title: "Count", alignment: .right),
            .init(title: "Of", alignment: .right), .init(title: "Share", alignment: .right),
            .init(title: "", isFigure: true, inTerminal: .omitted),
          ],
          rows: [
            row(
              "Sent, with an answer", coverage.answered, coverage.sent, "notifications sent"),
            row(
              "Installations with a device record", coverage.installationsLogging,
              coverage.installationsSeen, "installations"),
            row(
              "Installations whose log has no gap then", coverage.installationsGapless,
              coverage.installationsSeen, "installations"),
            row(
              "Tied to device records by an id", coverage.linkedExactly, coverage.sent,
              "notifications sent"),
            row(
              "Tied to device records by a guess", coverage.linkedByGuess, coverage.sent,
              "notifications sent"),
            row(
              "Without a device record", coverage.withoutDeviceRecord, coverage.sent,
              "notifications sent"),
            row(
              "Known from device records only", coverage.onlyDeviceRecords, coverage.notifications,
              "notifications"),
            row("Device records that no notification claims", coverage.unlinkedRecords, nil, ""),
          ])),
      .table(sources(coverage.sources)),
    ] + (coverage.sources.isEmpty ? [] : [.table(absence(coverage.sources))])
  }

  /// Those that may prove something first: of the others the reasons are much alike.
  private static func absence(_ sources: [SourceRow]) -> Table {
    func rank(_ source: SourceRow) -> Int { source.absence.map { $0.canProve ? 0 : 1 } ?? 2 }
    let ordered = sources.sorted {
      (rank($0), $0.side.rawValue, $0.name, $0.adapter, $0.linesRead)
        < (rank($1), $1.side.rawValue, $1.name, $1.adapter, $1.linesRead)
    }
    var rows = ordered.prefix(mostSources).map { source in
      [
        Cell(lines: [[.code(source.name)], [.quiet(source.adapter)]]),
        Cell(source.absence.map { $0.canProve ? "it can" : "never" } ?? "not known"),
        Cell(source.absence?.text ?? "this program does not know the format"),
      ]
    }
    let rest = ordered.dropFirst(mostSources)
    if !rest.isEmpty {
      let can = rest.count { $0.absence?.canProve == true }
      rows.append([
        Cell(Shown.counted(rest.count, "further source", "further sources")),
        Cell(can == rest.count ? "it can" : can == 0 ? "never" : "some can"),
        Cell(can == 0 || can == rest.count ? "" : "\(Shown.count(can)) of them"),
      ])
    }
    return Table(
      caption: "What is missing in a source: whether that proves that it did not happen",
      columns: [
        .init(title: "Source"), .init(title: "Proves"), .init(title: "Why", isElastic: true),
      ], rows: rows)
  }

  private static func successes(_ coverage: CoverageTable) -> String {
    guard let share = coverage.successShare else {
      return "It is not known whether the send log records every accepted send."
    }
    if share >= 1 { return "The send log records every accepted send." }
    return
      "The send log records about \(Shown.percent(share)) of the accepted sends, so shares of "
      + "refused and broken sends look larger than they are."
  }

  private static func sources(_ sources: [SourceRow]) -> Table {
    let ordered = sources.sorted {
      ($0.side.rawValue, $0.name, $0.adapter, $0.linesRead)
        < ($1.side.rawValue, $1.name, $1.adapter, $1.linesRead)
    }
    func cells(_ source: SourceRow, name: [Span]) -> [Cell] {
      [
        Cell(lines: [name, [.quiet(source.adapter)]]), Cell(source.side.text),
        Cell(period(source.from, source.to)), Cell(Shown.count(source.linesRead)),
        Cell(Shown.count(source.linesKept)), Cell(Shown.count(source.linesDuplicate)),
        Cell(Shown.count(source.linesNoted)), Cell(Shown.count(source.linesSkipped)),
      ]
    }
    var rows = ordered.prefix(mostSources).map { cells($0, name: [.code($0.name)]) }
    let rest = ordered.dropFirst(mostSources)
    if !rest.isEmpty {
      var sum = SourceRow(name: "", adapter: "", side: .other, linesRead: 0, linesKept: 0)
      for source in rest {
        sum.linesRead += source.linesRead
        sum.linesKept += source.linesKept
        sum.linesDuplicate += source.linesDuplicate
        sum.linesNoted += source.linesNoted
        sum.linesSkipped += source.linesSkipped
        sum.from = [sum.from, source.from].compactMap { $0 }.min()
        sum.to = [sum.to, source.to].compactMap { $0 }.max()
      }
      var cells = cells(sum, name: [])
      cells[0] = Cell(Shown.counted(rest.count, "further source", "further sources"))
      cells[1] = Cell("")
      rows.append(cells)
    }
    return Table(
      caption: "Sources with records of the day: \(Shown.count(sources.count))",
      columns: [
        .init(title: "Source", isElastic: true), .init(title: "Side"),
        .init(title: "Period", isElastic: true), .init(title: "Lines read", alignment: .right),
        .init(title: "Kept", alignment: .right), .init(title: "Duplicate", alignment: .right),
        .init(title: "Noted", alignment: .right), .init(title: "Skipped", alignment: .right),
      ], rows: rows, emptySentence: "No source has records of this day.")
  }

  /// `2026-11-29 00:00:01 to 23:59:58`, or with both dates.
  static func period(_ from: Int64?, _ to: Int64?) -> String {
    guard let from, let to else { return "not known" }
    let first = Shown.moment(from)
    let last = Shown.moment(to)
    return first.date == last.date
      ? "\(first.date) \(first.seconds) to \(last.seconds)"
      : "\(first.date) \(first.seconds) to \(last.date) \(last.seconds)"
  }

  // MARK: Funnel

  /// Stages that the notifications of a group can come to, in order.
  static func stages(_ group: MeantGroup) -> [Stage] {
    switch group {
    case .rich:
      [.sent, .accepted, .received, .extensionRan, .modified, .presented, .expanded, .acted]
    case .plain: [.sent, .accepted, .received, .presented, .acted]
    case .silent: [.sent, .accepted, .received, .woken, .handled]
    case .other: [.sent, .accepted, .received, .presented, .acted]
    }
  }

  private static func funnel(_ funnel: FunnelTable) -> [Block] {
    let groups = MeantGroup.allCases.filter { funnel.total($0) > 0 }
    guard !groups.isEmpty else {
      return [.sentence("No notification of this day is in the database.")]
    }
    return groups.map { group in
      let total = funnel.total(group)
      // A stage that only another kind of notification should reach is shown where it was seen.
      let expected = stages(group)
      let shown = Stage.allCases.filter {
        $0 != .none && (expected.contains($0) || funnel.row($0, group).shown > 0)
      }
      let rows = shown.map { stage in
        let row = funnel.row(stage, group)
        let share = Double(row.shown) / Double(total)
        return [
          Cell(stage.text), Cell(Shown.count(row.shown)), Cell(Shown.percent(share)),
          Cell(
            Figure(
              kind: .bar([.init(share: share, look: "calm")]),
              label: "\(stage.text): \(Shown.fraction(row.shown, of: total))")),
          Cell(Shown.count(row.last)),
        ]
      }
      return .table(
        Table(
          caption:
            "Meant to be \(group.text): "
            + Shown.counted(total, "notification", "notifications"),
          columns: [
            .init(title: "Stage"), .init(title: "Shown", alignment: .right),
            .init(title: "Of all", alignment: .right), .init(title: "", isFigure: true),
            .init(title: "Last seen here", alignment: .right),
          ], rows: rows, stacksWhenNarrow: false))
    }
  }

  // MARK: Judgements

  static func bar(_ counts: JudgementCounts, label: String) -> Figure? {
    guard counts.total > 0 else { return nil }
    let total = Double(counts.total)
    return Figure(
      kind: .bar([
        .init(share: Double(counts.asMeant - counts.onlyAccepted) / total, look: "good-part"),
        .init(share: Double(counts.onlyAccepted) / total, look: "accepted-part"),
        .init(share: Double(counts.broken) / total, look: "bad-part"),
        .init(share: Double(counts.conflicting) / total, look: "conflict-part"),
        .init(share: Double(counts.cannotTell) / total, look: "unsure-part"),
      ]),
      label: "\(label): \(Shown.count(counts.asMeant)) as meant, "
        + "\(Shown.count(counts.onlyAccepted)) of them only accepted, \(Shown.count(counts.broken)) "
        + "broken, \(Shown.count(counts.conflicting)) conflicting, "
        + "\(Shown.count(counts.cannotTell)) cannot tell")
  }

  static func total(_ tables: DailyTables) -> JudgementCounts {
    tables.judgements.reduce(into: JudgementCounts()) { $0.add($1.counts) }
  }

  /// Causes that the summary names.
  private static let mostNamed = 3

  /// The answer in short: how much, what, what of it is new, and what that rests on.
  private static func summary(_ tables: DailyTables, _ wording: CauseWording) -> [Block] {
    let total = total(tables)
    guard total.total > 0 else {
      return [.sentence("No notification of this day is in the database, so there is no answer.")]
    }
    let change = Change.over([(total.tally, tables.previousDays)])[0]
    let ordered = orderedCauses(tables)
    var lines = [
      Labelled("Broken", Shown.rate(total.tally)),
      Labelled("Against the 7 days before", Cell(lines: [spans(change)])),
    ]
    func add(_ label: String, _ rows: [(row: CauseRow, change: Change)]) {
      guard !rows.isEmpty else { return }
      var named = rows.prefix(mostNamed).map { row, _ in
        [
          .strong(Shown.count(row.tally.broken)), .code(row.cause?.rawValue ?? row.step.rawValue),
          Span(text: row.cause.map(wording.meaning) ?? "Cause not determined"),
        ] as [Span]
      }
      if rows.count > mostNamed {
        let rest = rows.dropFirst(mostNamed)
        let broken = rest.reduce(0) { $0 + $1.row.tally.broken }
        named.append([
          .quiet(
            "\(Shown.count(broken)) for \(Shown.counted(rest.count, "more cause", "more causes"))")
        ])
      }
      lines.append(Labelled(label, Cell(lines: named)))
    }
    add("Most frequent", ordered)
    add("More than usual", ordered.filter { $0.change.word == .more })
    add("New", ordered.filter { $0.change.word == .new })
    lines.append(Labelled("Rests on", basis(tables.coverage, total)))
    return [
      .callout(
        total.broken > 0 ? .bad : .none,
        title: "\(Shown.count(total.broken)) of "
          + "\(Shown.counted(total.total, "notification", "notifications")) "
          + (total.total == 1 ? "is" : "are") + " shown to be broken",
        lines: lines)
    ]
  }

  private static func basis(_ coverage: CoverageTable, _ total: JudgementCounts) -> String {
    let known = coverage.withDeviceRecord
    let share =
      coverage.notifications > 0
      ? " (\(Shown.percent(Double(known) / Double(coverage.notifications))))" : ""
    let unsent =
      coverage.onlyDeviceRecords > 0
      ? ", of \(Shown.count(coverage.onlyDeviceRecords)) of which no send is known" : ""
    return "device records of \(Shown.fraction(known, of: coverage.notifications)) "
      + "notifications\(share)\(unsent); of \(Shown.count(total.tally.undetermined)) it cannot be "
      + "told whether they are broken"
  }

  private static func judgements(_ tables: DailyTables) -> [Block] {
    let total = total(tables)
    guard total.total > 0 else { return [.sentence("No notification of this day was judged.")] }
    var rows = MeantGroup.allCases.compactMap { group -> [Cell]? in
      guard let row = tables.judgements.first(where: { $0.group == group }), row.counts.total > 0
      else { return nil }
      return judgementRow("Meant to be \(group.text)", row.counts)
    }
    if rows.count > 1 { rows.append(judgementRow("All", total)) }
    return [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "What was meant"), .init(title: "Judged", alignment: .right),
            .init(title: "As meant", alignment: .right),
            .init(title: "Only accepted", alignment: .right),
            .init(title: "Broken", alignment: .right),
            .init(title: "Broken, bounds", alignment: .right),
            .init(title: "Conflicting", alignment: .right),
            .init(title: "Cannot tell", alignment: .right),
            .init(title: "", isFigure: true, inTerminal: .omitted),
          ], rows: rows, legend: judgementLegend))
    ]
  }

  /// The parts of a bar of judgements.
  static let judgementLegend: [Table.Legend] = [
    .init(look: "good-part", text: "as meant"),
    .init(look: "accepted-part", text: "as meant, only accepted"),
    .init(look: "bad-part", text: "broken"),
    .init(look: "conflict-part", text: "conflicting"),
    .init(look: "unsure-part", text: "cannot tell"),
  ]

  private static func judgementRow(_ name: String, _ counts: JudgementCounts) -> [Cell] {
    [
      Cell(name), Cell(Shown.count(counts.total)), Cell(Shown.count(counts.asMeant)),
      Cell(Shown.count(counts.onlyAccepted)), Cell(Shown.count(counts.broken)),
      Cell(Shown.bounds(counts.tally)),
      Cell(Shown.count(counts.conflicting)), Cell(Shown.count(counts.cannotTell)),
      Cell(bar(counts, label: name)),
    ]
  }

  // MARK: Causes

  /// Causes with their changes, largest first.
  static func orderedCauses(_ tables: DailyTables) -> [(row: CauseRow, change: Change)] {
    zip(tables.causes, Change.ofCauses(tables)).map { ($0, $1) }.sorted { left, right in
      if left.row.tally.broken != right.row.tally.broken {
        return left.row.tally.broken > right.row.tally.broken
      }
      return key(left.row.step, left.row.cause) < key(right.row.step, right.row.cause)
    }
  }

  /// Order of the path, then of the id.
  static func key(_ step: StepID, _ cause: CauseID?) -> (Int, String) {
    (StepID.allCases.firstIndex(of: step) ?? 0, cause?.rawValue ?? "")
  }

  /// A cause, what it is and at which step, for the first column of a table.
  static func causeCell(_ step: StepID, _ cause: CauseID?, _ wording: CauseWording) -> Cell {
    let meaning = cause.map(wording.meaning) ?? "Cause not determined"
    let id = cause.map { [Span.code($0.rawValue)] } ?? []
    let title = wording.title(step)
    return Cell(lines: [
      meaning.isEmpty ? [] : [.strong(meaning)], id,
      [
        .quiet(
          title.isEmpty || title == step.rawValue ? step.rawValue : "\(title) (\(step.rawValue))")
      ],
    ])
  }

  private static func causes(_ tables: DailyTables, _ wording: CauseWording) -> [Block] {
    let ordered = orderedCauses(tables)
    let most = Double(max(1, ordered.map(\.row.tally.broken).max() ?? 1))
    let rows = ordered.map { row, change -> [Cell] in
      [
        causeCell(row.step, row.cause, wording),
        Cell(lines: [
          [.strong(Shown.count(row.tally.broken))],
          [.quiet("of \(Shown.count(row.tally.concerned))")],
        ]),
        Cell(lines: [
          [Span(text: Shown.bounds(row.tally))],
          [.quiet("\(Shown.count(row.tally.undetermined)) unknown")],
        ]),
        certainty(row, most),
        Cell(
          days(row.previous.map(\.tally) + [row.tally], what: "Share broken")),
        Cell(lines: spans(change).map { [$0] }, tone: tone(change.word)),
        Cell(lines: row.examples.map { [.code($0.id)] }),
      ]
    }
    return [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "Cause and step", inTerminal: .above),
            .init(title: "Broken of concerned", alignment: .right),
            .init(title: "If unknown fine to broken", alignment: .right),
            .init(title: "How sure", isFigure: true, isElastic: true),
            .init(title: "8 days", isFigure: true),
            .init(title: "Against the 7 days before", isElastic: true),
            .init(title: "Newest examples", inTerminal: .below),
          ], rows: rows, emptySentence: "No notification of this day is shown to be broken.",
          legend: [
            .init(look: "certain", text: "certain"), .init(look: "likely", text: "likely"),
            .init(look: "possible", text: "possible"), .init(look: "today", text: "this day"),
            .init(look: "earlier", text: "days before, share broken of those that can be told"),
          ]))
    ]
  }

  private static func certainty(_ row: CauseRow, _ most: Double) -> Cell {
    let parts = [
      (row.certain, "certain"), (row.likely, "likely"), (row.possible, "possible"),
    ]
    let texts = parts.filter { $0.0 > 0 }.map { "\(Shown.count($0.0)) \($0.1)" }
    let label = texts.joined(separator: ", ")
    var cell = Cell(lines: texts.map { [Span(text: $0)] })
    cell.figure = Figure(
      kind: .bar(parts.map { .init(share: Double($0.0) / most, look: $0.1) }), label: label)
    return cell
  }

  /// Columns of the days, the last one being the day itself.
  static func days(_ tallies: [Tally], what: String) -> Figure? {
    guard tallies.count > 1 else { return nil }
    let shares = tallies.map(\.shareOfTold)
    return Figure(
      kind: .days(shares),
      label: "\(what) by day, oldest first: "
        + shares.map { $0.map { Shown.percent($0) } ?? "nothing to tell" }.joined(separator: ", "))
  }

  static func tone(_ word: Change.Word) -> Tone {
    switch word {
    case .new, .more: .bad
    case .fewer: .good
    case .noDifference, .tooFew, .fewPhones: .quiet
    }
  }

  /// A change in words.
  static func text(_ change: Change) -> String {
    switch change.word {
    case .new: "new: none in the days before"
    case .more: "more than usual"
    case .fewer: "fewer than usual"
    case .fewPhones:
      "more than usual, but on \(change.phones == 1 ? "one phone" : "\(change.phones ?? 0) phones") only"
    case .noDifference: "no difference that these numbers can show"
    case .tooFew: "too few days to compare"
    }
  }

  /// A change in words, with what was expected.
  static func spans(_ change: Change) -> [Span] {
    let word = text(change)
    let first: Span = tone(change.word) == .quiet ? Span(text: word) : .strong(word)
    guard change.word != .tooFew, change.word != .new, let expected = change.expected else {
      return [first]
    }
    let places = expected < 10 ? 1 : 0
    return [first, .quiet("(expected \(Shown.decimal(expected, places: places)))")]
  }
}
