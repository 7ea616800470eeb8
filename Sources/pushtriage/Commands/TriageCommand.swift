/// `pushtriage triage`: the whole chain of one notification.
struct TriageCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case json
    case md
    case html
  }

  var id = ""
  /// Installation, where one id went to several.
  var device: String?
  var format = Format.text
  var output: String?
  var database = "push.db"

  static let row = CommandRow<TriageCommand>(
    name: "triage",
    summary: "Show the chain of one notification, step by step, with its evidence.",
    arguments: [
      .one("id", \.id, "A notification id, APNs id, collapse id or request id.")
    ],
    options: [
      .optional(
        "device", "installation", \.device,
        "Installation, where the id went to several phones."),
      .format(\.format),
      .output(\.output),
      .database(\.database),
    ],
    // The id is one of the corpus that the example of `simulate` writes.
    example: "pushtriage triage 5b0f4c1e-7a39-4d58-9a60-2f1d6c0be1aa")

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("triage")
  }
}
