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
      .optional("date", "day", \.day, otherwise: "the newest day in the database", "Day to tell."),
      .value("zone", "zone", \.zone, "Time zone in which a day begins."),
      .format(\.format),
      .output(\.output),
      .database(\.database),
      .failOn(\.failOn, "End with exit code 3 if this holds."),
    ],
    example: "pushtriage report daily --format html --output report.html")

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("report")
  }
}
