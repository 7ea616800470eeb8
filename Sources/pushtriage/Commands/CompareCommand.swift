import PushAnalysis
import PushReport
import PushStore

/// `pushtriage compare`: is one release worse than another?
struct CompareCommand: Subcommand {
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
    /// A cause is more frequent in the second release.
    case regression
  }

  /// `5.1.0` or `5.1.0(5101)`.
  var baseline = ""
  var candidate = ""
  /// Bundle id, where several apps have these versions.
  var app: String?
  /// UTC days of the sends.
  var since: Day?
  var until: Day?
  var failOn: [Condition] = []
  var format = Format.text
  var output: String?
  var database = "push.db"

  static let row = CommandRow<CompareCommand>(
    name: "compare",
    summary: "Compare two releases cause by cause: which is worse, and how sure that is.",
    arguments: [
      .one("baseline", \.baseline, "Release compared against, such as 5.1.0 or 5.1.0(5101)."),
      .one("candidate", \.candidate, "Release in question."),
    ],
    options: [
      .optional("app", "bundle-id", \.app, "App, where several have these versions."),
      .optional(
        "since", "day", \.since, otherwise: "the first day with sends",
        "First day of the sends, UTC."),
      .optional(
        "until", "day", \.until, otherwise: "the last day with sends",
        "Last day of the sends, UTC."),
      .failOn(\.failOn, "End with exit code 3 if this holds."),
      .format(\.format),
      .output(\.output),
      .database(\.database),
    ],
    example: "pushtriage compare 5.1.0 5.2.0")

  func check() throws(UsageProblem) {
    guard let since, let until else { return }
    // Days are written so that their order is that of their texts.
    let (first, last) = (since.argumentText, until.argumentText)
    if first > last { throw .reversedDays("--since \(first)", "--until \(last)") }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    let database = try Database(path: self.database, mode: .read)
    try database.forbidWriting()
    if try NotificationFinder(database: database).isEmpty() {
      throw Diagnostic.noNotifications(in: self.database)
    }
    let tables = try ComparisonLoader(database: database, concerns: .checklist).load(
      baseline: baseline, candidate: candidate, app: app,
      from: since.flatMap { CivilDay.number(of: $0.argumentText) },
      to: until.flatMap { CivilDay.number(of: $0.argumentText) })
    let output = try OutputWriter(to: output)
    try output.write(
      ComparisonReport.render(tables, format: format.ofReport, wording: .checklist()))
    try output.finish()
    let isRegression = !failOn.isEmpty && ReleaseComparison(tables).isRegression
    return isRegression ? .conditionHolds : .done
  }
}
