public import PushModel

/// Reads what the daily report shows.
///
/// A day of UTC comes from the roll-ups, in milliseconds whatever the size of the database. A day
/// of another zone is counted from the rows of the UTC days that it touches.
public struct DailyLoader {
  private let database: Database
  private let concerns: StepConcerns
  private let side: (String) -> SourceRow.Side
  private let absence: (String) -> Absence?
  private let words = StepWords()

  /// Examples shown of a cause.
  static let examples = 3
  /// Newest notifications of a cause that are looked through for examples.
  static let candidates = 8

  /// A loader on one connection.
  ///
  /// - Parameters:
  ///   - database: open for reading.
  ///   - concerns: for which notifications each step matters.
  ///   - side: which side the sources of an adapter record.
  ///   - absence: whether what is missing in sources of an adapter proves anything.
  public init(
    database: Database, concerns: StepConcerns,
    side: @escaping (String) -> SourceRow.Side,
    absence: @escaping (String) -> Absence?
  ) {
    self.database = database
    self.concerns = concerns
    self.side = side
    self.absence = absence
  }

  /// The newest UTC day with a send, days since 1970; without any send, with a notification. A phone
  /// whose clock is years ahead makes days of its own. Nil in a database without notifications.
  public func newestDay() throws(StoreError) -> Int64? {
    if let sent = try database.sentDays() { return sent.upperBound }
    let rows = try database.named("newest_day")
    defer { rows.reset() }
    return try rows.step() ? rows.optionalInteger(0) : nil
  }

  /// UTC days with notifications, oldest first, days since 1970.
  public func daysWithData() throws(StoreError) -> [Int64] {
    let rows = try database.named("days_with_data")
    defer { rows.reset() }
    var days: [Int64] = []
    while try rows.step() { days.append(rows.integer(0)) }
    return days
  }

  /// Whether a day has nothing by which ``newestDay()`` goes.
  public func isEmpty(_ day: DaySpan) throws(StoreError) -> Bool {
    let isOfSends = try database.sentDays() != nil
    let rows = try scanned("span_is_empty", day)
    defer { rows.reset() }
    return try !rows.step() || rows.integer(isOfSends ? 1 : 0) != 0
  }

  /// Whether rows of a day were pruned; of a day of UTC the counts are left.
  public func isPruned(_ day: DaySpan) throws(StoreError) -> Bool {
    try database.prunedBefore().map { day.microseconds.lowerBound < $0 * RowID.microsecondsOfDay }
      ?? false
  }

  /// The tables of a UTC day and the seven before it.
  public func load(utcDay day: Int64) throws(StoreError) -> DailyTables {
    try load(
      DaySpan(utcDay: day), before: (1...7).reversed().map { DaySpan(utcDay: day - Int64($0)) },
      zone: "UTC")
  }

  /// The tables of a day and of the days before it, oldest first.
  public func load(_ day: DaySpan, before: [DaySpan], zone: String) throws(StoreError)
    -> DailyTables
  {
    var tables = DailyTables(date: day.date, zone: zone)
    var counts = try self.counts(day, countsStages: true)
    let replaced = try self.replaced(day)
    for row in replaced { counts.addReplaced(row.count, group: row.group) }
    var earlier: [(span: DaySpan, counts: StepCounts)] = []
    for span in before { earlier.append((span, try self.counts(span, countsStages: false))) }

    tables.isPruned = try isPruned(day)
    tables.funnel = counts.funnel
    tables.judgements = MeantGroup.allCases.compactMap { group in
      counts.judgements[group].map { MeantJudgements(group: group, counts: $0) }
    }
    tables.previousDays = earlier.map { DayTally(date: $0.span.date, tally: broken($0.counts)) }

    let reader = try ExampleReader(database: database)
    let examples = try self.examples(day, reader)
    for key in counts.broken.keys.sorted() {
      let sure = counts.broken[key] ?? StepCounts.Broken()
      tables.causes.append(
        CauseRow(
          step: key.step, cause: key.cause, certain: sure.certain, likely: sure.likely,
          possible: sure.possible, tally: counts.tally(key, concerns: concerns),
          previous: earlier.map {
            DayTally(date: $0.span.date, tally: $0.counts.tally(key, concerns: concerns))
          },
          installations: tables.isPruned ? nil : examples.installations[key],
          examples: try reader.shown((examples.broken[key] ?? []).prefix(DailyLoader.examples))))
    }
    try loadAnswers(day, before: before, examples: examples.answered, reader, into: &tables)
    tables.breakdowns = try breakdowns(day, replaced)
    tables.timings = try timings(day, before: before)
    try loadCoverage(day, notifications: counts.total.total, into: &tables)
    tables.lateChanges = try lateChanges(day)
    tables.notes = try notes(day)
    return tables
  }

  private func broken(_ counts: StepCounts) -> Tally {
    let total = counts.total
    return Tally(
      broken: total.broken, concerned: total.total,
      undetermined: total.undetermined)
  }

  /// The query of the roll-ups for a day of UTC, else the one over rows, with its parameters.
  private func rows(_ rollup: String, _ scan: String, _ span: DaySpan) throws(StoreError)
    -> Statement
  {
    if let day = span.utcDay {
      let rows = try database.named(rollup)
      rows.bind("day", day)
      return rows
    }
    return try scanned(scan, span)
  }

  private func scanned(_ query: String, _ span: DaySpan) throws(StoreError) -> Statement {
    let rows = try database.named(query)
    rows.bind("first", span.rows.lowerBound)
    rows.bind("last", span.rows.upperBound)
    rows.bind("from", span.microseconds.lowerBound)
    rows.bind("to", span.microseconds.upperBound)
    return rows
  }

  private func counts(_ span: DaySpan, countsStages: Bool) throws(StoreError) -> StepCounts {
    var counts = StepCounts()
    try counts.add(
      try rows("day_counts", "span_counts", span), words: words, countsStages: countsStages)
    return counts
  }

  /// Notifications as meant that a newer send replaced.
  private struct Replaced {
    var group: MeantGroup
    var app: String
    /// By the name of the dimension.
    var values: [(dimension: String, value: String)]
    var count: Int
  }

  private func replaced(_ span: DaySpan) throws(StoreError) -> [Replaced] {
    let rows = try rows("day_replaced", "span_replaced", span)
    defer { rows.reset() }
    var replaced: [Replaced] = []
    while try rows.step() {
      replaced.append(
        Replaced(
          group: MeantGroup(rawValue: UInt8(truncatingIfNeeded: rows.integer(0))) ?? .other,
          app: rows.text(1),
          values: [
            ("release", rows.text(2)), ("os", rows.text(3)), ("topic", rows.text(4)),
            ("campaign", rows.text(5)),
          ], count: Int(rows.integer(6))))
    }
    return replaced
  }

  // MARK: Answers

  private struct Answer: Hashable, Comparable {
    var status: Int64
    var reason: String
    static func < (left: Answer, right: Answer) -> Bool {
      (left.status, left.reason) < (right.status, right.reason)
    }
  }

  private struct Answers {
    var sent = 0
    var answered = 0
    var refused: [Answer: Int] = [:]
    /// By link: exact, guess, no device record, no send.
    var links = [0, 0, 0, 0]
  }

  private func answers(_ span: DaySpan) throws(StoreError) -> Answers {
    let rows = try rows("day_answers", "span_answers", span)
    defer { rows.reset() }
    var answers = Answers()
    while try rows.step() {
      let status = rows.integer(0)
      let count = Int(rows.integer(3))
      let link = Int(rows.integer(2))
      if answers.links.indices.contains(link) { answers.links[link] += count }
      guard status >= 0 else { continue }
      answers.sent += count
      if status > 0 { answers.answered += count }
      if status != 200 {
        answers.refused[Answer(status: status, reason: rows.text(1)), default: 0] += count
      }
    }
    return answers
  }

  private func loadAnswers(
    _ day: DaySpan, before: [DaySpan], examples: [Example], _ reader: ExampleReader,
    into tables: inout DailyTables
  ) throws(StoreError) {
    let today = try answers(day)
    var earlier: [(date: String, answers: Answers)] = []
    for span in before { earlier.append((span.date, try answers(span))) }
    tables.refusals = RefusalTable(notifications: today.sent)
    for (answer, count) in today.refused.sorted(by: { $0.key < $1.key }) {
      let fitting = examples.filter {
        $0.status == answer.status && ($0.reason ?? "") == answer.reason
      }
      tables.refusals.rows.append(
        RefusalTable.Row(
          status: Int(answer.status), reason: answer.reason.isEmpty ? nil : answer.reason,
          notifications: count,
          previous: earlier.map {
            DayTally(
              date: $0.date,
              tally: Tally(
                broken: $0.answers.refused[answer] ?? 0, concerned: $0.answers.sent))
          },
          examples: try reader.shown(
            fitting.sorted(by: Example.isNewer).prefix(DailyLoader.examples))))
    }
    tables.coverage.sent = today.sent
    tables.coverage.answered = today.answered
    tables.coverage.linkedExactly = today.links[0]
    tables.coverage.linkedByGuess = today.links[1]
    tables.coverage.withoutDeviceRecord = today.links[2]
    tables.coverage.onlyDeviceRecords = today.links[3]
  }

  // MARK: Examples

  /// The newest notifications of the day for each cause, newest first.
  private struct Examples {
    /// Broken for the cause.
    var broken: [StepAndCause: [Example]] = [:]
    /// With an answer of which examples may be shown, whatever the verdict.
    var answered: [Example] = []
    /// Installations with a broken one.
    var installations: [StepAndCause: Int] = [:]
  }

  private func examples(
    _ day: DaySpan, _ reader: ExampleReader
  ) throws(StoreError) -> Examples {
    let newest = try NewestSteps(
      try scanned("broken_steps", day), words: words, keeping: DailyLoader.candidates)
    var examples = Examples()
    examples.installations = newest.installations
    // Only answers of the request's own steps need more than what is shown.
    func isOfRequest(_ key: StepAndCause) -> Bool { key.step.place <= StepID.apnsAccepted.place }
    for (key, rows) in newest.broken {
      for row in rows
      where isOfRequest(key) || examples.broken[key]?.count ?? 0 < DailyLoader.examples {
        guard let example = try reader.example(row) else { continue }
        if isOfRequest(key) { examples.answered.append(example) }
        // Databases of older builds name conflicting evidence as a verdict too.
        if example.judgement == .broken { examples.broken[key, default: []].append(example) }
      }
    }
    for (key, rows) in newest.others where isOfRequest(key) {
      for row in rows {
        if let example = try reader.example(row) { examples.answered.append(example) }
      }
    }
    return examples
  }

  // MARK: Breakdowns and durations

  private func breakdowns(_ day: DaySpan, _ replaced: [Replaced]) throws(StoreError) -> [Breakdown]
  {
    struct Key: Hashable {
      var app: String
      var value: String
    }
    let rows = try rows("day_breakdown", "span_breakdown", day)
    defer { rows.reset() }
    var found: [String: [Key: JudgementCounts]] = [:]
    var value: UInt64?
    var dimension = ""
    var key = Key(app: "", value: "")
    var counts = JudgementCounts()
    func keep() {
      if counts.total != 0 {
        found[dimension, default: [:]][key, default: JudgementCounts()].add(counts)
      }
      counts = JudgementCounts()
    }
    while try rows.step() {
      // Rows of one value follow each other: its texts are made once.
      let next = StableHash.mix(
        StableHash.mix(rows.hash(0) ?? 1, (rows.hash(1) ?? 2) ^ StableHash.k0),
        (rows.hash(2) ?? 3) ^ StableHash.k1)
      if next != value {
        keep()
        value = next
        dimension = rows.text(0)
        key = Key(app: rows.text(1), value: rows.text(2))
      }
      if let judgement = Judgement(rawValue: UInt8(truncatingIfNeeded: rows.integer(3))) {
        counts[judgement] += Int(rows.integer(5))
        if rows.integer(4) != 0 { counts.onlyAccepted += Int(rows.integer(5)) }
      }
    }
    keep()
    for row in replaced {
      for (dimension, value) in row.values {
        found[dimension]?[Key(app: row.app, value: value)]?.replaced += row.count
      }
    }
    return Breakdown.Dimension.allCases.map { wanted in
      let name =
        switch wanted {
        case .release: "release"
        case .osVersion: "os"
        case .topic: "topic"
        case .campaign: "campaign"
        }
      let all = found[name] ?? [:]
      // The same version of two apps is two releases.
      let namesApp = wanted == .release && Set(all.keys.map(\.app)).subtracting([""]).count > 1
      var merged: [String: JudgementCounts] = [:]
      for (key, counts) in all {
        let value =
          namesApp && !key.app.isEmpty && !key.value.isEmpty
          ? "\(key.app) \(key.value)" : key.value
        merged[value, default: JudgementCounts()].add(counts)
      }
      return Breakdown(
        dimension: wanted,
        rows: merged.sorted { $0.key < $1.key }.map {
          Breakdown.Row(key: $0.key.isEmpty ? nil : $0.key, counts: $0.value)
        })
    }
  }

  private func timings(_ day: DaySpan, before: [DaySpan]) throws(StoreError) -> [TimingRow] {
    var today = Durations()
    var earlier = Durations()
    try add(day, to: &today)
    if let first = before.first?.utcDay, let last = before.last?.utcDay {
      // Days of UTC in a row are one query.
      try earlier.addBuckets(try bucketRows(first, last))
    } else {
      for span in before { try add(span, to: &earlier) }
    }
    return [
      TimingRow(kind: .download, day: today.download, previous: earlier.download),
      TimingRow(kind: .handler, day: today.handler, previous: earlier.handler),
    ]
  }

  private func bucketRows(_ first: Int64, _ last: Int64) throws(StoreError) -> Statement {
    let rows = try database.named("day_timings")
    rows.bind("from_day", first)
    rows.bind("to_day", last)
    return rows
  }

  private func add(_ span: DaySpan, to durations: inout Durations) throws(StoreError) {
    if let day = span.utcDay {
      try durations.addBuckets(try bucketRows(day, day))
    } else {
      try durations.addMicroseconds(try scanned("span_timings", span))
    }
  }

  // MARK: Coverage, late changes, notes

  private func loadCoverage(
    _ day: DaySpan, notifications: Int, into tables: inout DailyTables
  ) throws(StoreError) {
    tables.coverage.notifications = notifications
    let installations = try rows("day_installations", "span_installations", day)
    if try installations.step() {
      tables.coverage.installationsSeen = Int(installations.integer(0))
      tables.coverage.installationsLogging = Int(installations.integer(1))
      tables.coverage.installationsGapless = Int(installations.integer(2))
    }
    installations.reset()

    // Records of an installation are kept by UTC day.
    let unlinked = try database.named("day_unlinked")
    unlinked.bind("day", day.nearestUTCDay)
    if try unlinked.step() { tables.coverage.unlinkedRecords = Int(unlinked.integer(0)) }
    unlinked.reset()

    let sources = try database.named("span_sources")
    sources.bind("from", day.microseconds.lowerBound)
    sources.bind("to", day.microseconds.upperBound)
    defer { sources.reset() }
    while try sources.step() {
      let adapter = sources.text(2)
      tables.coverage.sources.append(
        SourceRow(
          name: fileName(sources.text(1)), adapter: adapter, side: side(adapter),
          from: sources.optionalInteger(3), to: sources.optionalInteger(4),
          linesRead: Int(sources.integer(5)), linesKept: Int(sources.integer(6)),
          linesDuplicate: Int(sources.integer(7)), linesNoted: Int(sources.integer(8)),
          linesSkipped: Int(sources.integer(9)),
          absence: absence(adapter)?.inSource(
            Completeness(sources, from: 10), unreadable: sources.integer(8))))
    }
    let ofFormats = Dictionary(
      grouping: tables.coverage.sources.filter { !$0.adapter.isEmpty }, by: \.adapter)
    tables.coverage.formats = ofFormats.sorted { $0.key < $1.key }.map { adapter, sources in
      FormatCoverage(
        adapter: adapter, sources: sources.count,
        records: sources.reduce(0) { $0 + $1.linesKept }, absence: absence(adapter))
    }
  }

  private func lateChanges(_ day: DaySpan) throws(StoreError) -> [LateChangeRow] {
    let rows = try database.named("day_late_changes")
    rows.bind("day", day.nearestUTCDay)
    defer { rows.reset() }
    var changes: [LateChangeRow] = []
    while try rows.step() {
      guard let now = Judgement(rawValue: UInt8(truncatingIfNeeded: rows.integer(2))) else {
        continue
      }
      changes.append(
        LateChangeRow(
          date: CivilDay.text(of: rows.integer(0)),
          from: Judgement(rawValue: UInt8(truncatingIfNeeded: rows.integer(1))), to: now,
          count: Int(rows.integer(3))))
    }
    return changes
  }

  private func notes(_ day: DaySpan) throws(StoreError) -> [IngestNoteRow] {
    let rows = try database.named("span_notes")
    rows.bind("from", day.microseconds.lowerBound)
    rows.bind("to", day.microseconds.upperBound)
    defer { rows.reset() }
    var notes: [IngestNoteRow] = []
    while try rows.step() {
      let field = rows.text(1)
      notes.append(
        IngestNoteRow(
          source: fileName(rows.text(0)),
          reason: field == "line" ? rows.text(2) : "\(field) \(rows.text(2))",
          count: Int(rows.integer(3)), firstLine: Int(rows.integer(4))))
    }
    return notes
  }
}

extension Database {
  /// The first and the newest UTC day with a send, days since 1970; nil in a database without any.
  func sentDays() throws(StoreError) -> ClosedRange<Int64>? {
    let rows = try named("sent_days")
    defer { rows.reset() }
    guard try rows.step(), let first = rows.optionalInteger(0), let newest = rows.optionalInteger(1)
    else { return nil }
    return first...newest
  }
}

/// The name of a source without the folders of the machine that read it.
func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}

/// Durations of downloads and handlers.
struct Durations {
  var download = Histogram()
  var handler = Histogram()

  /// Adds rows of measure, bucket and count.
  mutating func addBuckets(_ rows: Statement) throws(StoreError) {
    defer { rows.reset() }
    while try rows.step() {
      let bucket = Int(rows.integer(1))
      let isDownload = rows.withText(0) { $0.first == UInt8(ascii: "d") }
      if isDownload {
        download.add(bucket: bucket, count: rows.integer(2))
      } else {
        handler.add(bucket: bucket, count: rows.integer(2))
      }
    }
  }

  /// Adds rows of two durations in microseconds.
  mutating func addMicroseconds(_ rows: Statement) throws(StoreError) {
    defer { rows.reset() }
    while try rows.step() {
      if let duration = rows.optionalInteger(0) { download.add(duration) }
      if let duration = rows.optionalInteger(1) { handler.add(duration) }
    }
  }
}
