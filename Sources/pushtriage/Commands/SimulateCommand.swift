import PushSimulator

/// `pushtriage simulate`: logs with planted faults, and their truth.
struct SimulateCommand: Subcommand {
  var notifications = 100_000
  var seed: UInt64 = 1
  var days = 8
  /// Share of device events that never arrive.
  var lost = Share(0.02)
  /// Share of sends that log no id at all.
  var withoutIDs = Share(0)
  /// Share of accepted sends that the send log records.
  var logged = Share(1)
  var hasSequence = true
  var folder = "corpus"

  static let row = CommandRow<SimulateCommand>(
    name: "simulate",
    summary: "Write logs with planted faults, and the truth about each notification.",
    discussion: [
      """
      The same options write the same bytes: provider.ndjson, device.ndjson, truth.ndjson, \
      facts.json, and the built app of each release in bundles/.
      """
    ],
    options: [
      .value("notifications", "count", \.notifications, "Notifications to write.")
        .limited(to: 1...100_000_000),
      .value("seed", "number", \.seed, "Start of the random sequence."),
      .value("days", "count", \.days, "Days that the sends are spread over.").limited(to: 1...366),
      .value("lost", "share", \.lost, "Share of device events that never arrive."),
      .value("without-ids", "share", \.withoutIDs, "Share of sends that log no id at all."),
      .value("successes", "share", \.logged, "Share of accepted sends that are logged."),
      .toggle("seq", \.hasSequence, "Leave out the counter of device events."),
      .value("output", letter: "o", "folder", \.folder, "Folder that is written to."),
    ],
    example: "pushtriage simulate --notifications 2000 --seed 7 -o corpus")

  func run(_ context: CommandContext) throws -> ExitCode {
    let summary: SimulatorSummary
    do {
      summary = try Simulator.run(
        SimulatorConfiguration(
          notifications: notifications, seed: seed, days: days, lostDeviceEvents: lost.value,
          idlessSends: withoutIDs.value, loggedSuccesses: logged.value,
          sequenceNumbers: hasSequence),
        to: folder)
    } catch {
      throw Diagnostic("the corpus cannot be written", reason: error.description)
    }
    for file in summary.files {
      context.say("\(folder)/\(file.name): \(file.lines) lines, \(ProgressLine.size(file.bytes))")
    }
    context.say("\(folder)/bundles: \(summary.bundles) built apps")
    context.say(
      "\(summary.notifications) notifications to \(summary.phones) phones, \(summary.broken) broken "
        + "by \(summary.causes.count) causes")
    return .done
  }
}
