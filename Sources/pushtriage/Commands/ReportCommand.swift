import PushAnalysis
import PushIngest
import PushModel
import PushReport
import PushStore

/// `pushtriage report daily`: what failed on a day.
struct ReportCommand: Subcommand {
  enum Name: String, ArgumentChoice {
    case daily
  }
  enum Format: String, ArgumentChoice {
    case text
    case html
    case md
    case json

    fileprivate var ofReport: ReportFormat {
      switch self {
      case .text: .text
      case .html: .html
      case .md: .markdown
      case .json: .json
      }
    }
  }
  enum Condition: String, ArgumentChoice {
    /// A cause is more frequent than in the seven days before.
    case regression
    /// A cause that the seven days before did not have.
    case newCause = "new-cause"
  }

  var name = Name.daily
  var day: Day?
  var zone = Zone.utc
  var format = Format.text
  var output: String?
  var database = "push.db"
  var failOn: [Condition] = []

  static let row = CommandRow<ReportCommand>(
    name: "report",
    summary: "Tell what failed on a day, why, where, and what of it is new.",
    discussion: [
      """
      A day is the day of the send in the zone. Coverage comes first: a rate counts only what the \
      logs can show.
      """
    ],
    arguments: [.one("report", \.name, "Which report.")],
    options: [
      .optional("date", "day", \.day, otherwise: "the newest day with sends", "Day to tell."),
      .value("zone", "zone", \.zone, "Time zone in which a day begins."),
      .format(\.format),
      .output(\.output),
      .database(\.database),
      .failOn(\.failOn, "End with exit code 3 if this holds."),
    ],
    example: "pushtriage report daily --format html --output report.html")

  func run(_ context: CommandContext) throws -> ExitCode {
    let database = try Database(path: self.database, mode: .read)
    try database.forbidWriting()
    let loader = DailyLoader(
      database: database, concerns: .checklist, side: side(ofAdapter:),
      absence: { AdapterRegistry.adapter(id: $0)?.absence })
    let tables = try day.map { try load($0, with: loader) } ?? newest(with: loader)
    let output = try OutputWriter(to: output)
    try output.write(
      DailyReport.render(tables, format: format.ofReport, wording: .checklist()))
    try output.finish()
    return holds(tables) ? .conditionHolds : .done
  }

  private func load(_ day: Day, with loader: DailyLoader) throws -> DailyTables {
    guard let span = zone.span(of: day) else {
      throw Diagnostic(
        "the zone \(zone.name) has no day \(day.argumentText)",
        reason: "its clocks were set over that day", help: ["choose another day"])
    }
    if span.utcDay == nil, try loader.isPruned(span) {
      throw Diagnostic(
        "the notifications of \(day.argumentText) were pruned",
        reason: "what is left of it are counts of days of UTC", help: ["leave '--zone' out"])
    }
    let before = try (1...7).reversed().compactMap { day.before($0).flatMap(zone.span(of:)) }
      .filter { try $0.utcDay != nil || !loader.isPruned($0) }
    let tables = try loader.load(span, before: before, zone: zone.name)
    if tables.coverage.notifications == 0 {
      let days = try loader.daysWithData()
      guard !days.isEmpty else { throw Diagnostic.noNotifications(in: database) }
      throw Diagnostic(
        "no notification of \(day.argumentText) is in the database",
        help: ["days with notifications (UTC): \(Diagnostic.spans(of: days))"])
    }
    return tables
  }

  /// The newest day with sends, in the zone.
  private func newest(with loader: DailyLoader) throws -> DailyTables {
    guard let number = try loader.newestDay(), let day = Day(number: number) else {
      throw Diagnostic.noNotifications(in: database)
    }
    // Ahead of UTC the newest sends may be of the next day already, behind it of the day
    // before.
    for candidate in [day.before(-1), day, day.before(1)] {
      guard let candidate, let span = zone.span(of: candidate), span.utcDay ?? number == number,
        try !loader.isEmpty(span)
      else { continue }
      return try load(candidate, with: loader)
    }
    return try load(day, with: loader)
  }

  private func holds(_ tables: DailyTables) -> Bool {
    guard !failOn.isEmpty else { return false }
    let total = tables.judgements.reduce(into: JudgementCounts()) { $0.add($1.counts) }
    let words = Change.ofCauses(tables).map(\.word)
    let all = Change.over([(total.tally, tables.previousDays)]).map(\.word)
    return failOn.contains { condition in
      switch condition {
      case .regression: (words + all).contains(.more)
      case .newCause: words.contains(.new)
      }
    }
  }
}

extension Zone {
  /// A day of this zone; nil for a day that it skipped.
  fileprivate func span(of day: Day) -> DaySpan? {
    microseconds(of: day).map { DaySpan(date: day.argumentText, microseconds: $0) }
  }
}

extension Day {
  /// A day by its number since 1970-01-01.
  init?(number: Int64) { self.init(argument: CivilDay.text(of: number)) }

  /// So many days before this one.
  fileprivate func before(_ days: Int) -> Day? {
    CivilDay.number(of: argumentText).flatMap { Day(number: $0 - Int64(days)) }
  }
}
