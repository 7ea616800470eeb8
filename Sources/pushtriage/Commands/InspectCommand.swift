/// `pushtriage inspect`: facts about a built app.
struct InspectCommand: Subcommand {
  static let row = CommandRow<InspectCommand>(
    name: "inspect",
    summary: "Read the facts about a built app and its extensions.",
    example: "pushtriage inspect",
    isHidden: true)

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("inspect")
  }
}
