/// `pushtriage check`: a diagnosis without a database.
struct CheckCommand: Subcommand {
  static let row = CommandRow<CheckCommand>(
    name: "check",
    summary: "Diagnose one notification from a payload and a few log lines.",
    example: "pushtriage check",
    isHidden: true)

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("check")
  }
}
