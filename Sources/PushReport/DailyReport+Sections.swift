import PushAnalysis
import PushModel

extension DailyReport {
  // MARK: Refusals

  /// Changes of the refusals, in the order of the rows.
  static func refusalChanges(_ refusals: RefusalTable) -> [Change] {
    Change.over(
      refusals.rows.map {
        (Tally(broken: $0.notifications, concerned: refusals.notifications), $0.previous)
      })
  }

  /// Refusals with their changes, most frequent first.
  static func orderedRefusals(_ refusals: RefusalTable) -> [(row: RefusalTable.Row, change: Change)]
  {
    zip(refusals.rows, refusalChanges(refusals)).map { ($0, $1) }.sorted { left, right in
      if left.row.notifications != right.row.notifications {
        return left.row.notifications > right.row.notifications
      }
      return (left.row.status, left.row.reason ?? "") < (right.row.status, right.row.reason ?? "")
    }
  }

  static func refusals(_ tables: DailyTables) -> [Block] {
    let refusals = tables.refusals
    guard refusals.notifications > 0 else {
      return [.sentence("The send log has no notification of this day.")]
    }
    let rows = orderedRefusals(refusals).map { row, change -> [Cell] in
      let tally = Tally(broken: row.notifications, concerned: refusals.notifications)
      return [
        Cell(row.status == 0 ? "0 (no answer)" : String(row.status)),
        row.reason.map { Cell.code($0) } ?? Cell("none given", tone: .quiet),
        Cell(lines: [
          [.strong(Shown.count(row.notifications))],
          [.quiet("of \(Shown.count(refusals.notifications))")],
        ]),
        Cell(Shown.percent(tally.shareIfUnknownFine)),
        Cell(days(row.previous.map(\.tally) + [tally], what: "Share of those sent")),
        Cell(lines: spans(change).map { [$0] }, tone: tone(change.word)),
        Cell(lines: row.examples.map { [.code($0.id)] }),
      ]
    }
    return [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "HTTP status"), .init(title: "Reason", isElastic: true),
            .init(title: "Notifications", alignment: .right),
            .init(title: "Share", alignment: .right), .init(title: "8 days", isFigure: true),
            .init(title: "Against the 7 days before", isElastic: true),
            .init(title: "Newest examples", inTerminal: .below),
          ], rows: rows,
          emptySentence:
            "The last answer to "
            + (refusals.notifications == 1
              ? "the only notification"
              : "all \(Shown.count(refusals.notifications)) notifications")
            + " was 200."))
    ]
  }

  // MARK: Breakdowns

  static func title(_ dimension: Breakdown.Dimension) -> String {
    switch dimension {
    case .release: "Releases"
    case .osVersion: "OS versions"
    case .topic: "Topics"
    case .campaign: "Campaigns"
    }
  }

  /// What stands for the value of notifications that have none.
  static func textWithoutValue(_ dimension: Breakdown.Dimension) -> String {
    switch dimension {
    // Sends name it or have none.
    case .campaign: "none given"
    case .release, .osVersion, .topic: "not known"
    }
  }

  /// A word of a comparison with the rest.
  static func textAgainstRest(_ word: ComparedRate.Word) -> String {
    switch word {
    case .more: "more than the rest"
    case .fewer: "fewer than the rest"
    case .noDifference: "no difference that these numbers can show"
    // A breakdown is given neither by phones that are alike nor by phone.
    case .shiftedMix: "no such difference on the same phones"
    case .fewPhones: "on too few phones to tell"
    case .tooFew: "too few to compare"
    }
  }

  static func tone(_ word: ComparedRate.Word) -> Tone {
    switch word {
    case .more: .bad
    case .fewer: .good
    case .noDifference, .tooFew, .shiftedMix, .fewPhones: .quiet
    }
  }

  static func breakdowns(_ breakdowns: [Breakdown]) -> [Block] {
    guard breakdowns.contains(where: { !$0.rows.isEmpty }) else {
      return [.sentence("No notification of this day was judged.")]
    }
    return breakdowns.sorted { $0.dimension.rawValue < $1.dimension.rawValue }.map { breakdown in
      let ranked = breakdown.worstFirst
      let count = ranked.count
      let rows = ranked.prefix(mostRows).map { ranked -> [Cell] in
        let counts = ranked.row.counts
        let word = count > 1 ? textAgainstRest(ranked.rate.word) : "there is no other"
        let key = ranked.row.key
        return [
          key.map { Cell.code($0) }
            ?? Cell(textWithoutValue(breakdown.dimension), tone: .quiet),
          Cell(Shown.fraction(counts.broken, of: counts.total)), Cell(Shown.bounds(counts.tally)),
          Cell(Shown.count(counts.undetermined)),
          Cell(bar(counts, label: key ?? textWithoutValue(breakdown.dimension))),
          Cell(
            lines: [[tone(ranked.rate.word) == .quiet ? Span(text: word) : .strong(word)]],
            tone: tone(ranked.rate.word)),
        ]
      }
      let left = ranked.count - rows.count
      let more = left > 0 ? ", worst \(rows.count) of \(Shown.count(ranked.count))" : ""
      return .table(
        Table(
          caption: title(breakdown.dimension) + more,
          columns: [
            .init(title: "Value", isElastic: true), .init(title: "Broken", alignment: .right),
            .init(title: "If unknown fine to broken", alignment: .right),
            .init(title: "Unknown", alignment: .right),
            .init(title: "Judgements", isFigure: true, inTerminal: .omitted),
            .init(title: "Against the rest", isElastic: true),
          ], rows: rows, emptySentence: "No value is known.", legend: judgementLegend))
    }
  }

  // MARK: Timing

  static func title(_ kind: TimingKind) -> String {
    switch kind {
    case .download: "Media download"
    case .handler: "From didReceive to the content handler"
    }
  }

  /// The three quantiles that reports show.
  static let shares: [(name: String, share: Double)] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)]

  /// Counts by doubling of the duration: below 1.024 ms, the doublings, and what has no end.
  private static func doublings(_ histogram: Histogram) -> [(from: Int64, count: Int64)] {
    var columns: [(from: Int64, count: Int64)] = []
    var bucket = 0
    while bucket < Histogram.bucketCount {
      // Bucket 0 stands alone, then eight buckets make a doubling.
      let next = bucket == 0 ? 1 : min(Histogram.bucketCount, bucket + 8)
      columns.append(
        (
          Histogram.lowerBound(of: bucket),
          (bucket..<next).reduce(0) { $0 + histogram.counts[$1] }
        ))
      bucket = next
    }
    return columns
  }

  /// A distribution as a picture, on one scale with the one that it is compared with.
  static func figure(_ histogram: Histogram, beside other: Histogram, label: String) -> Figure? {
    guard histogram.total > 0 else { return nil }
    var both = histogram
    both.merge(other)
    let filled = doublings(both)
    guard let first = filled.firstIndex(where: { $0.count > 0 }),
      let last = filled.lastIndex(where: { $0.count > 0 })
    else { return nil }
    let from = Shown.duration(filled[first].from)
    let to = last + 1 < filled.count ? Shown.duration(filled[last + 1].from) : "longer"
    return Figure(
      kind: .columns(
        doublings(histogram)[first...last].map { Double($0.count) }, from: from, to: to),
      label:
        "\(label): \(Shown.counted(Int(histogram.total), "duration", "durations")), one column "
        + "a doubling, from \(from) to \(to)")
  }

  static func timing(_ timings: [TimingRow]) -> [Block] {
    let rows = timings.sorted { $0.kind.rawValue < $1.kind.rawValue }.filter {
      $0.day.total > 0 || $0.previous.total > 0
    }
    guard !rows.isEmpty else {
      return [.sentence("No device record of this day has a duration.")]
    }
    return [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "What", isElastic: true), .init(title: "When"),
            .init(title: "Measured", alignment: .right),
          ] + shares.map { .init(title: $0.name, alignment: .right) } + [
            .init(title: "Distribution (log)", isFigure: true)
          ],
          rows: rows.flatMap { row -> [[Cell]] in
            [("this day", row.day, row.previous), ("7 days before", row.previous, row.day)].map {
              when, histogram, other in
              [
                Cell(title(row.kind)), Cell(when), Cell(Shown.count(Int(histogram.total))),
              ] + shares.map { Cell(Shown.quantile(histogram.quantile($0.share))) } + [
                Cell(
                  figure(
                    histogram, beside: other,
                    label: "\(title(row.kind)), \(when)"))
              ]
            }
          }))
    ]
  }

  // MARK: Late changes and notes

  static func text(_ judgement: Judgement?) -> String {
    switch judgement {
    case nil: "not there"
    case .asMeant: "as meant"
    case .broken: "broken"
    case .cannotTell: "cannot tell"
    case .conflicting: "conflicting evidence"
    }
  }

  static func orderedLate(_ changes: [LateChangeRow]) -> [LateChangeRow] {
    changes.sorted { left, right in
      if left.date != right.date { return left.date > right.date }
      if left.count != right.count { return left.count > right.count }
      return (Int(left.from?.rawValue ?? 99), left.to.rawValue)
        < (Int(right.from?.rawValue ?? 99), right.to.rawValue)
    }
  }

  static func late(_ changes: [LateChangeRow]) -> [Block] {
    [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "Day"), .init(title: "Notifications", alignment: .right),
            .init(title: "Before"), .init(title: "Now"),
          ],
          rows: orderedLate(changes).map {
            [
              Cell($0.date), Cell(Shown.count($0.count)), Cell(text($0.from)), Cell(text($0.to)),
            ]
          }, emptySentence: "No earlier day changed.", stacksWhenNarrow: false))
    ]
  }

  static func orderedNotes(_ notes: [IngestNoteRow]) -> [IngestNoteRow] {
    notes.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      return (left.source, left.reason, left.firstLine)
        < (right.source, right.reason, right.firstLine)
    }
  }

  static func notes(_ notes: [IngestNoteRow]) -> [Block] {
    let ordered = orderedNotes(notes)
    let rest = ordered.dropFirst(mostNotes)
    var blocks: [Block] = [
      .table(
        Table(
          caption: "",
          columns: [
            .init(title: "Source and first line", isElastic: true),
            .init(title: "Lines", alignment: .right), .init(title: "Reason", isElastic: true),
            .init(title: "First text", isElastic: true),
          ],
          rows: ordered.prefix(mostNotes).map {
            [
              .code($0.firstLine > 0 ? "\($0.source):\($0.firstLine)" : $0.source),
              Cell(Shown.count($0.count)), Cell($0.reason),
              $0.firstText.map { Cell.code($0) } ?? Cell("not kept", tone: .quiet),
            ]
          }, emptySentence: "Every line was understood."))
    ]
    if !rest.isEmpty {
      blocks.append(
        .sentence(
          "\(Shown.counted(rest.count, "further reason", "further reasons")) with "
            + "\(Shown.counted(rest.reduce(0) { $0 + $1.count }, "line", "lines")) are not shown."))
    }
    return blocks
  }
}
