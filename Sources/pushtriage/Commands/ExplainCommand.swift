/// `pushtriage explain`: what a step, a cause or an APNs reason means.
struct ExplainCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case md
    case json
  }

  var id: String?
  var format = Format.text

  static let row = CommandRow<ExplainCommand>(
    name: "explain",
    summary: "Explain a step, a cause or a reason of APNs; without one, list them all.",
    arguments: [
      .atMostOne("id", \.id, "A step or cause, or a reason such as BadDeviceToken.")
    ],
    options: [.format(\.format)],
    example: "pushtriage explain BadDeviceToken",
    isHidden: true)

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("explain")
  }
}
