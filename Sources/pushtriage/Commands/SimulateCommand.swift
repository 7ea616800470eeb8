/// `pushtriage simulate`: logs with planted faults, and their truth.
struct SimulateCommand: Subcommand {
  var notifications = 100_000
  var seed: UInt64 = 1
  var days = 14
  /// Share of device events that never arrive.
  var lost = Share(0.02)
  var compresses = false
  var folder = "corpus"

  static let row = CommandRow<SimulateCommand>(
    name: "simulate",
    summary: "Write logs with planted faults, and the truth about each notification.",
    discussion: [
      "The same options write the same bytes: provider.ndjson, device.ndjson and truth.ndjson."
    ],
    options: [
      .value("notifications", "count", \.notifications, "Notifications to write.")
        .limited(to: 1...100_000_000),
      .value("seed", "number", \.seed, "Start of the random sequence."),
      .value("days", "count", \.days, "Days that the sends are spread over.").limited(to: 1...366),
      .value("lost", "share", \.lost, "Share of device events that never arrive."),
      .toggle("zstd", \.compresses, "Compress the files."),
      .value("output", letter: "o", "folder", \.folder, "Folder that is written to."),
    ],
    example: "pushtriage simulate --notifications 2000 --seed 7 -o corpus")

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("simulate")
  }
}
