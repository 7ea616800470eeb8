/// `pushtriage formats`: the log formats that `ingest` reads.
struct FormatsCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case json
  }

  var format = Format.text

  static let row = CommandRow<FormatsCommand>(
    name: "formats",
    summary: "List the log formats that ingest reads.",
    options: [.format(\.format)],
    example: "pushtriage formats")

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("formats")
  }
}
