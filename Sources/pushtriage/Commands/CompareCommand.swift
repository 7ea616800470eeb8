/// `pushtriage compare`: is one release worse than another?
struct CompareCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case html
    case md
    case json
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
      .failOn(\.failOn, "End with exit code 3 if this holds."),
      .format(\.format),
      .output(\.output),
      .database(\.database),
    ],
    example: "pushtriage compare 5.1.0 5.2.0")

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("compare")
  }
}
