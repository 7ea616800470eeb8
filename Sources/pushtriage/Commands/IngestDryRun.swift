import Foundation
import PushIngest
import PushModel
import PushPipeline

extension IngestCommand {
  /// Reads everything, stores nothing, and says how each file was read.
  func dryRun(_ options: IngestOptions, _ context: CommandContext) throws -> ExitCode {
    let writer = try OutputWriter(to: nil)
    let isText = output == .text
    let result = try DryRun.run(
      options, eachRecord: isText ? nil : { try writer.write($0 + "\n") })
    for problem in result.problems { say(problem, context) }
    var noted = 0
    for source in result.sources {
      noted += source.noted
      if isText { try write(source, to: writer) }
    }
    try writer.finish()
    let unrecognised = result.sources.filter { $0.format == nil && !$0.isBlank }.map(\.name)
    sayUnrecognised(unrecognised, context)
    sayAssumptions(
      zones: result.sources.filter { $0.assumedZones > 0 }.map(\.name),
      times: result.sources.filter { $0.assumedTimes > 0 }.map(\.name),
      years: result.sources.filter { $0.assumedYears > 0 }.map(\.name), context)
    sayWaiting(
      result.sources.filter { $0.waitingLines > 0 }.map { ($0.name, $0.waitingLines) }, context)
    return exitCode(
      isUsable: result.sources.contains { $0.records > 0 || $0.format == "release-facts" },
      isIncomplete: hasFailures(result.problems) || noted > 0 || !unrecognised.isEmpty,
      isEmpty: result.sources.allSatisfy { $0.waitingLines > 0 && $0.isBlank })
  }

  private func write(_ source: DryRun.Source, to writer: OutputWriter) throws {
    guard let format = source.format else {
      if source.isBlank { return try writer.write("\(source.name): nothing to read yet\n") }
      return try writer.write("\(source.name): of no known format\n")
    }
    try writer.write("\(source.name): \(format)\n  \(source.title)\n")
    if format == "release-facts" { return }
    try writer.write(
      "  \(source.records) records, \(source.noted) not understood, \(source.skipped) passed over\n"
    )
    if let absence = source.absence {
      let verb = absence.canProve ? "proves something" : "proves nothing:"
      try writer.write("  what is not in it \(verb) \(absence.text)\n")
    }
    for record in source.firstRecords { try writer.write("  \(record)\n") }
    for note in source.firstNotes { try writer.write("  \(note)\n") }
  }

  /// Says what could not be read.
  func say(_ problem: ReadingProblem, _ context: CommandContext) {
    let diagnostic = Diagnostic(
      problem.isRemark ? "part of the input was passed over" : "part of the input cannot be read",
      reason: problem.reason, at: Diagnostic.Place(source: problem.input), help: [problem.advice])
    context.say(diagnostic.text().trimmingCharacters(in: .newlines))
  }

  /// Says of which sources what is missing in them proves something, and which show themselves that
  /// it proves nothing; of the others their formats say it.
  func sayAbsences(
    _ absences: [(source: String, absence: Absence, isOwn: Bool)], _ context: CommandContext
  ) {
    let most = 12
    let told =
      absences.filter(\.absence.canProve)
      + absences.filter { $0.isOwn && !$0.absence.canProve }
    for (source, absence, _) in told.prefix(most) {
      let verb = absence.canProve ? "proves something" : "proves nothing:"
      context.say("what is not in \(quoted(source)) \(verb) \(absence.text)")
    }
    let rest = told.dropFirst(most)
    let can = rest.count { $0.absence.canProve }
    if can > 0 { context.say("what is not in \(can) further sources proves something too") }
    let cannot = absences.count - told.count + rest.count - can
    if cannot > 0 {
      let which = told.isEmpty ? "the sources" : "\(cannot) further sources"
      context.say(
        "what is not in \(which) proves nothing; the daily report says of each why not")
    }
  }

  /// Says which sources are of no known format.
  func sayUnrecognised(_ names: [String], _ context: CommandContext) {
    // A sysdiagnose holds hundreds of files of other kinds.
    for name in names.prefix(5) {
      context.say("note: \(quoted(name)) is of no known format and was passed over")
    }
    if names.count > 5 {
      context.say("note: \(names.count - 5) more files are of no known format")
    }
    if !names.isEmpty {
      context.say("help: 'pushtriage formats' lists the formats; --as names one for all files")
    }
  }

  /// Says which sources end within a line.
  func sayWaiting(_ sources: [(source: String, lines: Int)], _ context: CommandContext) {
    for (name, lines) in sources.prefix(5) {
      let what =
        lines == 1 ? "1 line without its end waits" : "\(lines) lines without their end wait"
      context.say("note: \(quoted(name)) ends within a line: \(what) for the rest")
    }
    if sources.count > 5 {
      context.say("note: \(sources.count - 5) more files end within a line")
    }
    if !sources.isEmpty {
      context.say(
        "help: read it again when it has grown; a file that is complete is read through standard "
          + "input: ingest - < <file>")
    }
  }

  /// Says of which sources records are kept that are not what is said of them now.
  func sayKeptOtherwise(
    _ sources: [(source: String, what: KeptOtherwise)], _ context: CommandContext
  ) {
    for (name, what) in sources.prefix(5) {
      let (was, rest) =
        switch what {
        case .format(let format): ("as \(format)", "those records stay beside what is read now")
        case .zone(let zone): ("with times without a zone taken as \(zone)", "they stay so")
        case .year(let year): ("with times without a year taken as \(year)", "they stay so")
        case .time: ("with another --assume-time", "those records stay so")
        case .attributes:
          ("with other --attribute", "records that differ now stay beside what is read now")
        case .payloads: ("without --keep-payloads", "the lines of its records are not added")
        }
      context.say("note: \(quoted(name)) was read before \(was); \(rest)")
    }
    if sources.count > 5 {
      context.say("note: so were \(sources.count - 5) more files, in this way or another")
    }
    if !sources.isEmpty {
      context.say("help: to have all of it as said now, ingest it into another database")
    }
  }

  /// Says what was assumed of sources that do not say it.
  func sayAssumptions(
    zones: [String], times: [String], years: [String], _ context: CommandContext
  ) {
    let zone = assumedZone?.argumentText ?? "UTC"
    for name in zones {
      let help = assumedZone == nil ? "; --assume-zone names another" : ""
      context.say("note: \(quoted(name)) has times without a zone, taken as \(zone)\(help)")
    }
    if let assumedYear {
      for name in years {
        context.say("note: \(quoted(name)) has times without a year, taken as \(assumedYear)")
      }
    }
    for name in times {
      context.say("note: \(quoted(name)) has records without a time, taken as --assume-time says")
    }
  }
}
