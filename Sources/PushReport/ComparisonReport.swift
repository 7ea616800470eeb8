public import PushModel

import PushAnalysis

/// The comparison of two releases: what is worse, by how much, how sure, and what changed.
public enum ComparisonReport {
  /// Writes the comparison in one format.
  ///
  /// - Parameters:
  ///   - tables: counts of both releases.
  ///   - format: the form of the result.
  ///   - wording: words of steps and causes.
  public static func render(
    _ tables: ComparisonTables, format: ReportFormat, wording: CauseWording
  ) -> String {
    switch format {
    case .html: HTMLWriter.write(page(tables, wording))
    case .markdown: MarkdownWriter.write(page(tables, wording))
    case .text: TextWriter.write(page(tables, wording))
    case .json: json(tables, wording).written
    }
  }

  /// `5.2.0 (5203)`, with the bundle where the two differ.
  static func name(_ side: ReleaseSide, _ tables: ComparisonTables) -> String {
    let version = side.build.map { "\(side.version) (\($0))" } ?? side.version
    return tables.baseline.bundle == tables.candidate.bundle
      ? version : "\(side.bundle) \(version)"
  }

  static func page(_ tables: ComparisonTables, _ wording: CauseWording) -> Page {
    let definition = Definition(named: "compare")
    let comparison = ReleaseComparison(tables)
    let names = (name(tables.baseline, tables), name(tables.candidate, tables))
    return definition.page(
      name: "compare", title: "\(definition.value("title")) · \(names.1) against \(names.0)",
      subtitle: tables.baseline.bundle == tables.candidate.bundle
        ? "App \(tables.candidate.bundle)" : "Two apps",
      summary: findings(comparison, names, wording),
      replacements: [(name: "baseline", text: names.0), (name: "candidate", text: names.1)]
    ) { id in
      switch id {
      case "coverage": ([coverage(tables, names)], false)
      case "causes": (causes(comparison, names, wording), false)
      case "judgements": ([judgements(tables, comparison, names)], false)
      case "mix": (mixes(tables, comparison, names), false)
      case "timing": (timing(tables.timings, names), false)
      case "facts": ([facts(tables, names)], false)
      default: ([], false)
      }
    }
  }

  // MARK: Sections

  private static func coverage(_ tables: ComparisonTables, _ names: (String, String)) -> Block {
    let sides = [tables.baseline, tables.candidate]
    func row(_ what: String, _ value: (ReleaseSide) -> String) -> [Cell] {
      [Cell(what)] + sides.map { Cell(value($0)) }
    }
    func share(_ what: String, _ hits: KeyPath<ReleaseSide, Int?>, _ total: (ReleaseSide) -> Int?)
      -> [Cell]?
    {
      // What neither side was counted by is not a zero.
      guard sides.contains(where: { $0[keyPath: hits] != nil }) else { return nil }
      return row(what) { side in
        guard let hits = side[keyPath: hits], let total = total(side) else { return "not counted" }
        guard total > 0 else { return "none of 0" }
        return "\(Shown.fraction(hits, of: total)) "
          + "(\(Shown.percent(Double(hits) / Double(total))))"
      }
    }
    let seen = sides.contains { $0.installationsSeen != nil }
    return .table(
      Table(
        caption: "What is known of each release",
        columns: [
          .init(title: "What", isElastic: true), .init(title: names.0, isElastic: true),
          .init(title: names.1, isElastic: true),
        ],
        rows: [
          row("Sends") { DailyReport.period($0.from, $0.to) },
          row("Notifications") { Shown.count($0.notifications) },
          seen
            ? row("Installations sent to") {
              $0.installationsSeen.map(Shown.count) ?? "not counted"
            } : nil,
          share("Of those, have ever logged", \.installationsEverLogged) { $0.installationsSeen },
          share("Of those, log has no gap in the period", \.installationsGapless) {
            $0.installationsSeen
          },
          share("Tied to device records by an id", \.linkedExactly) { $0.notifications },
          share("Tied to device records by a guess", \.linkedByGuess) { $0.notifications },
          share("Without a device record", \.withoutDeviceRecord) { $0.notifications },
          row("Facts of the built app") { $0.hasFacts ? "read" : "not read" },
        ].compactMap { $0 }))
  }

  /// A word as the end of "the candidate has …".
  static func text(_ rate: ComparedRate) -> String {
    switch rate.word {
    case .more: "more"
    case .fewer: "fewer"
    case .noDifference: "no difference that these numbers can show"
    case .shiftedMix:
      "no such difference on the same \(rate.mix?.text ?? "phones"): the mix of phones explains it"
    case .fewPhones:
      rate.carriers < ComparedRate.leastCarriers
        ? "\(onPhones(rate)) only: too few to tell"
        : "no difference that these numbers can show: few phones make it"
    case .tooFew: "too few to compare"
    }
  }

  private static func onPhones(_ rate: ComparedRate) -> String {
    rate.carriers == 1 ? "on one phone" : "on \(Shown.count(rate.carriers)) phones"
  }

  private static func headline(_ comparison: ReleaseComparison, _ names: (String, String)) -> String
  {
    switch comparison.all.word {
    case .more: "\(names.1) has more broken notifications than \(names.0)"
    case .fewer: "\(names.1) has fewer broken notifications than \(names.0)"
    case .noDifference: "All causes together: no difference that these numbers can show"
    case .shiftedMix:
      "The shares of broken notifications differ, but not on the same "
        + "\(comparison.all.mix?.text ?? "phones"): the mix of phones explains it"
    case .fewPhones:
      "The shares of broken notifications differ, but too few phones make the difference to tell"
    case .tooFew: "Too few notifications can be told to compare the releases as a whole"
    }
  }

  private static func findings(
    _ comparison: ReleaseComparison, _ names: (String, String), _ wording: CauseWording
  ) -> [Block] {
    let found = comparison.causes.filter { $0.rate.word == .more || $0.rate.word == .fewer }
    let explained = comparison.causes.filter { $0.rate.word == .shiftedMix }
    let crowded = comparison.causes.filter { $0.rate.word == .fewPhones }
    let more = found.filter { $0.rate.word == .more }.count
    let fewer = found.count - more
    let title = headline(comparison, names)
    let tone: Tone =
      comparison.isRegression ? .bad : comparison.all.word == .fewer ? .good : .none
    var lines = [
      Labelled(names.0, side(comparison.all.baseline)),
      Labelled(names.1, side(comparison.all.candidate)),
      Labelled("Difference", difference(comparison.all)),
    ]
    if let mix = comparison.all.mix, let alike = comparison.all.alike[mix] {
      lines.append(Labelled("On the same \(mix.text)", difference(alike)))
    }
    lines += [
      Labelled(
        "By cause",
        found.isEmpty
          ? "no difference that these numbers can show in any single cause"
          : "more of \(Shown.counted(more, "cause", "causes")), fewer of "
            + Shown.counted(fewer, "cause", "causes"))
    ]
    for row in found {
      let id = row.counts.cause?.rawValue ?? "cause not determined"
      let meaning = row.counts.cause.map(wording.meaning) ?? ""
      lines.append(
        Labelled(
          row.rate.word == .more ? "More" : "Fewer",
          Cell(lines: [
            [.code(id), .quiet("at \(row.counts.step.rawValue)")],
            meaning.isEmpty ? [] : [Span(text: meaning)],
            [Span(text: difference(row.rate) + "; " + reach(row.rate))],
          ])))
    }
    if !explained.isEmpty {
      lines.append(Labelled("Explained by the mix of phones", named(explained.map(\.counts))))
    }
    if !crowded.isEmpty {
      lines.append(Labelled("On too few phones to tell", named(crowded.map(\.counts))))
    }
    return [.callout(tone, title: title, lines: lines)]
  }

  private static func named(_ causes: [ComparedCause]) -> String {
    Shown.counted(causes.count, "cause", "causes") + ": "
      + causes.map { $0.cause?.rawValue ?? $0.step.rawValue }.joined(separator: ", ")
  }

  private static func side(_ tally: Tally) -> String {
    guard tally.told > 0 else { return "nothing can be told" }
    return "\(Shown.fraction(tally.broken, of: tally.told)) that can be told "
      + "(\(Shown.percent(tally.shareOfTold))); of all \(Shown.count(tally.concerned)): "
      + Shown.bounds(tally)
  }

  private static func difference(_ rate: ComparedRate) -> String {
    guard let difference = rate.difference, let interval = rate.interval else {
      return "nothing to compare"
    }
    return points(difference, interval)
  }

  private static func difference(_ alike: StratifiedRate) -> String {
    points(alike.difference, alike.interval)
  }

  private static func points(_ difference: Double, _ interval: Interval) -> String {
    "\(Shown.points(difference)) percentage points (\(Shown.points(interval.low)) to "
      + "\(Shown.points(interval.high)))"
  }

  /// How far a word carries.
  private static func reach(_ rate: ComparedRate) -> String {
    if let mix = rate.mix, let alike = rate.alike[mix] {
      let isHidden = rate.word != .shiftedMix
      return "on the same \(mix.text) \(difference(alike))"
        + (isHidden ? ", hidden by the mix" : "")
    }
    return rate.holdsWhateverUnknown
      ? "holds whatever the unknown ones are"
      : "holds if the unknown ones are like those that can be told"
  }

  private static func causes(
    _ comparison: ReleaseComparison, _ names: (String, String), _ wording: CauseWording
  ) -> [Block] {
    let scale = scale(comparison)
    let few = comparison.causes.filter(isFew)
    let rows = comparison.causes.filter { !isFew($0) }.map { row -> [Cell] in
      let rate = row.rate
      let tone = DailyReport.tone(rate.word)
      let word = text(rate)
      var picture = Cell(lines: [], tone: tone)
      if let difference = rate.difference, let interval = rate.interval {
        picture.figure = Figure(
          kind: .range(
            low: place(interval.low, scale), middle: place(difference, scale),
            high: place(interval.high, scale)), label: self.difference(rate))
      }
      return [
        DailyReport.causeCell(row.counts.step, row.counts.cause, wording),
        share(rate.baseline, rate.intervals.baseline, row.counts.baselineSpread),
        share(rate.candidate, rate.intervals.candidate, row.counts.candidateSpread),
        Cell(lines: [
          [.strong(Shown.points(rate.difference))],
          rate.interval.map {
            [.quiet("\(Shown.points($0.low)) to \(Shown.points($0.high))")]
          } ?? [],
        ]), picture,
        Cell(
          lines: [
            [tone == .quiet ? Span(text: word) : .strong(word)],
            tone == .quiet && rate.mix == nil ? [] : [.quiet(reach(rate))],
          ], tone: tone),
        Cell(lines: row.counts.examples.map { [.code($0.id)] }),
      ]
    }
    let table = Table(
      caption: "",
      columns: [
        .init(title: "Cause and step", inTerminal: .above),
        .init(title: names.0, alignment: .right), .init(title: names.1, alignment: .right),
        .init(title: "Difference, points", alignment: .right),
        .init(
          title: "Interval, on a scale of \(Shown.points(-scale)) to \(Shown.points(scale))",
          isFigure: true, inTerminal: .omitted),
        .init(title: "What can be said", isElastic: true),
        .init(title: "Newest examples", inTerminal: .below),
      ], rows: rows,
      emptySentence: few.isEmpty
        ? "No notification of either release is shown to be broken."
        : "No cause has more than \(mostOfFew) broken notifications in either release.")
    guard !few.isEmpty else { return [.table(table)] }
    let names = few.map { $0.counts.cause?.rawValue ?? $0.counts.step.rawValue }
    return [
      .table(table),
      .sentence(
        "\(Shown.counted(few.count, "more cause", "more causes")) with at most \(mostOfFew) broken "
          + "notifications in each release, without a difference that these numbers can show: "
          + names.sorted().joined(separator: ", ") + "."),
    ]
  }

  /// Broken notifications up to which a cause without a finding is only named.
  private static let mostOfFew = 2

  private static func isFew(_ row: ReleaseComparison.Row) -> Bool {
    [.noDifference, .tooFew, .fewPhones].contains(row.rate.word)
      && max(row.counts.baseline.broken, row.counts.candidate.broken) <= mostOfFew
  }

  private static func share(
    _ tally: Tally, _ interval: Interval?, _ spread: PhoneSpread?
  ) -> Cell {
    guard tally.told > 0 else { return Cell("nothing can be told", tone: .quiet) }
    let interval =
      interval.map { "\(Shown.percent($0.low)) to \(Shown.percent($0.high))" } ?? ""
    return Cell(lines: [
      [.strong(Shown.percent(tally.shareOfTold))],
      [.quiet(Shown.fraction(tally.broken, of: tally.told))],
      spread.map {
        [.quiet("\(Shown.fraction($0.carriers.count, of: $0.installations)) phones")]
      } ?? [], [.quiet(interval)],
      tally.undetermined > 0 ? [.quiet("\(Shown.count(tally.undetermined)) unknown")] : [],
    ])
  }

  /// Half the width of the pictures: the farthest end of an interval of a finding, else of any, so
  /// that rows with few notifications do not press the others together.
  private static func scale(_ comparison: ReleaseComparison) -> Double {
    func farthest(_ rows: [ReleaseComparison.Row]) -> Double? {
      rows.compactMap { row in row.rate.interval.map { max(abs($0.low), abs($0.high)) } }.max()
    }
    let found = comparison.causes.filter { $0.rate.word == .more || $0.rate.word == .fewer }
    let shown = comparison.causes.filter { $0.rate.word != .tooFew && !isFew($0) }
    let wide = farthest(found) ?? farthest(shown)
    return max(0.001, wide ?? farthest(comparison.causes) ?? 0.01)
  }

  private static func place(_ difference: Double, _ scale: Double) -> Double {
    0.5 + difference / scale / 2
  }

  private static func judgements(
    _ tables: ComparisonTables, _ comparison: ReleaseComparison, _ names: (String, String)
  ) -> Block {
    let sides = [(names.0, tables.baseline), (names.1, tables.candidate)]
    return .table(
      Table(
        caption: "",
        columns: [
          .init(title: "Release"), .init(title: "Judged", alignment: .right),
          .init(title: "As meant", alignment: .right),
          .init(title: "Only accepted", alignment: .right),
          .init(title: "Broken", alignment: .right),
          .init(title: "Broken, bounds", alignment: .right),
          .init(title: "Conflicting", alignment: .right),
          .init(title: "Cannot tell", alignment: .right),
          .init(title: "", isFigure: true, inTerminal: .omitted),
        ],
        rows: sides.map { name, side in
          let counts = side.judgements
          return [
            Cell(name), Cell(Shown.count(counts.total)), Cell(Shown.count(counts.asMeant)),
            Cell(Shown.count(counts.onlyAccepted)), Cell(Shown.count(counts.broken)),
            Cell(Shown.bounds(counts.tally)),
            Cell(Shown.count(counts.conflicting)), Cell(Shown.count(counts.cannotTell)),
            Cell(DailyReport.bar(counts, label: name)),
          ]
        }, legend: DailyReport.judgementLegend))
  }

  /// Known OS versions in order of their numbers, device models by name, then the unknown.
  static func ordered(_ mix: ReleaseMix) -> [MixRow] {
    mix.rows.sorted { left, right in
      if (left.value == nil) != (right.value == nil) { return left.value != nil }
      if mix.kind == .osVersion {
        let versions = (
          left.value.flatMap { OSVersion($0) }?.number ?? .max,
          right.value.flatMap { OSVersion($0) }?.number ?? .max
        )
        if versions.0 != versions.1 { return versions.0 < versions.1 }
      }
      return (left.value ?? "") < (right.value ?? "")
    }
  }

  private static func mixes(
    _ tables: ComparisonTables, _ comparison: ReleaseComparison, _ names: (String, String)
  ) -> [Block] {
    guard !tables.mixes.isEmpty else {
      return [.sentence("Notifications were not counted by release and phone together.")]
    }
    return tables.mixes.sorted { $0.kind.rawValue < $1.kind.rawValue }.flatMap { mix in
      [.sentence(alike(comparison.all, mix.kind)), .table(table(mix, names))]
    }
  }

  /// What is left of the difference on phones that are alike.
  private static func alike(_ rate: ComparedRate, _ kind: MixKind) -> String {
    guard let alike = rate.alike[kind] else {
      return "No \(kind.text) has notifications of both releases that can be told, so what the "
        + "releases do on the same \(kind.text) cannot be compared."
    }
    return "On the same \(kind.text), all causes together: \(difference(alike)). "
      + "With both mixes as they are: \(difference(rate))."
  }

  /// Rows of a mix that are shown before the rest is added up.
  static let mostMixRows = 15

  private static func shown(_ mix: ReleaseMix) -> [MixRow] {
    let rows = ordered(mix)
    guard rows.count > mostMixRows else { return rows }
    let judged = rows.map { $0.baseline.total + $0.candidate.total }
    let frequent = rows.indices.sorted { (judged[$1], $0) < (judged[$0], $1) }
      .prefix(mostMixRows - 1).sorted()
    var rest = MixRow(
      value: "\(rows.count - frequent.count) others", baseline: JudgementCounts(),
      candidate: JudgementCounts())
    for index in Set(rows.indices).subtracting(frequent) {
      rest.baseline.add(rows[index].baseline)
      rest.candidate.add(rows[index].candidate)
    }
    return frequent.map { rows[$0] } + [rest]
  }

  private static func table(_ mix: ReleaseMix, _ names: (String, String)) -> Table {
    let totals = (
      mix.rows.reduce(0) { $0 + $1.baseline.total }, mix.rows.reduce(0) { $0 + $1.candidate.total }
    )
    func cells(_ counts: JudgementCounts, _ total: Int) -> [Cell] {
      [
        Cell(
          total > 0
            ? "\(Shown.count(counts.total)) (\(Shown.percent(Double(counts.total) / Double(total))))"
            : "0"),
        Cell(
          counts.total > 0
            ? "\(Shown.count(counts.broken)) (\(Shown.bounds(counts.tally)))" : "none"),
      ]
    }
    let title = mix.kind.text.prefix(1).uppercased() + mix.kind.text.dropFirst()
    return Table(
      caption: "",
      columns: [
        .init(title: title), .init(title: "\(names.0): judged", alignment: .right),
        .init(title: "\(names.0): broken, bounds", alignment: .right),
        .init(title: "\(names.1): judged", alignment: .right),
        .init(title: "\(names.1): broken, bounds", alignment: .right),
      ],
      rows: shown(mix).map { row in
        [row.value.map { Cell($0) } ?? Cell("not known", tone: .quiet)]
          + cells(row.baseline, totals.0) + cells(row.candidate, totals.1)
      }, emptySentence: "No notification was judged.")
  }

  private static func timing(_ timings: [ComparedTiming], _ names: (String, String)) -> [Block] {
    let rows = timings.sorted { $0.kind.rawValue < $1.kind.rawValue }.filter {
      $0.baseline.total > 0 || $0.candidate.total > 0
    }
    guard !rows.isEmpty else {
      return [.sentence("No device record of either release has a duration.")]
    }
    return [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "What", isElastic: true), .init(title: "Release"),
            .init(title: "Measured", alignment: .right),
          ] + DailyReport.shares.map { .init(title: $0.name, alignment: .right) } + [
            .init(title: "Distribution (log)", isFigure: true)
          ],
          rows: rows.flatMap { row -> [[Cell]] in
            [
              (names.0, row.baseline, row.candidate), (names.1, row.candidate, row.baseline),
            ].map { name, histogram, other in
              [
                Cell(DailyReport.title(row.kind)), Cell(name),
                Cell(Shown.count(Int(histogram.total))),
              ]
                + DailyReport.shares.map { Cell(Shown.quantile(histogram.quantile($0.share))) }
                + [
                  Cell(
                    DailyReport.figure(
                      histogram, beside: other, label: "\(DailyReport.title(row.kind)), \(name)"))
                ]
            }
          }))
    ]
  }

  static func text(_ value: Known<String>) -> String {
    switch value {
    case .unknown: "not known"
    case .missing: "missing"
    case .known(let text): text.isEmpty ? "empty" : text
    }
  }

  private static func facts(_ tables: ComparisonTables, _ names: (String, String)) -> Block {
    let empty =
      tables.baseline.hasFacts && tables.candidate.hasFacts
      ? "The facts that were read do not differ."
      : "The built apps of both releases are needed to compare their facts; not all were read."
    func cell(_ value: Known<String>) -> Cell {
      if case .known(let text) = value, !text.isEmpty { return .code(text) }
      return Cell(text(value), tone: .quiet)
    }
    return .table(
      Table(
        caption: "",
        columns: [
          .init(title: "Fact", isElastic: true), .init(title: names.0, isElastic: true),
          .init(title: names.1, isElastic: true),
        ],
        rows: tables.facts.sorted { $0.name < $1.name }.map {
          [.code($0.name), cell($0.baseline), cell($0.candidate)]
        }, emptySentence: empty))
  }
}
