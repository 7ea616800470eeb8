/// `pushtriage prune`: old raw data goes, daily counts stay.
struct PruneCommand: Subcommand {
  static let row = CommandRow<PruneCommand>(
    name: "prune",
    summary: "Drop old raw data and keep the daily counts.",
    example: "pushtriage prune",
    isHidden: true)

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("prune")
  }
}
