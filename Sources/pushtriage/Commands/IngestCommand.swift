import Foundation
import PushIngest
import PushPipeline
import PushStore

/// `pushtriage ingest`: logs into the database.
struct IngestCommand: Subcommand {
  /// Of which notifications the raw lines are kept.
  enum RawLines: String, ArgumentChoice {
    case all
    case broken
    case none
  }

  /// Form of a dry run's output.
  enum Format: String, ArgumentChoice {
    case text
    case ndjson
  }

  var paths: [String] = []
  var database = "push.db"
  /// Name of a log format; nil lets each file's first lines decide.
  var format: String?
  var rawLines = RawLines.broken
  var keepsPayloads = false
  /// Files of release facts.
  var factFiles: [String] = []
  /// Nil for one per processor.
  var threads: Int?
  /// Nil for the file beside the database.
  var keyFile: String?
  /// Whether nothing is stored.
  var isDryRun = false
  var output = Format.text
  var assumedZone: AssumedZone?
  var assumedYear: Int?
  var assumedTime: AssumedTime?
  var attributes: [AttributeName] = []

  static let row = CommandRow<IngestCommand>(
    name: "ingest",
    summary: "Read provider and device logs into the database, join and judge them.",
    discussion: [
      """
      Reads plain, gzip, zstd, xz, bzip2, tar and zip. A file that was read before is skipped, a \
      longer version of it continues where it ended. A line that cannot be understood becomes a \
      note with its file and line, and reading goes on.
      """,
      """
      A file of which nothing was kept is read again, and so is one whose lines may be understood by \
      what is said now with --as, --assume-year or the like. A last line without its end waits until \
      the file has grown, unless it is whole JSON or comes through a pipe or a packed file.
      """,
      """
      A dry run stores nothing. It says what each file would be read as and shows its first three \
      records as they would be stored; with --format ndjson it prints all of them, one a line.
      """,
    ],
    arguments: [
      .oneOrMore("path", \.paths, "Log files, facts files and folders; - reads standard input.")
    ],
    options: [
      .database(\.database, "Database to add to; made if absent."),
      .optional(
        "as", "log-format", \.format, otherwise: "found per file",
        "Format of all files; 'pushtriage formats' lists them."),
      .value("raw", "share", \.rawLines, "Notifications whose raw lines are kept."),
      .toggle(
        "keep-payloads", \.keepsPayloads, "Keep full payloads and lines, private values too."),
      .list("facts", "file", \.factFiles, "Facts about built apps, as JSON."),
      .optional(
        "threads", "count", \.threads, otherwise: "one per processor",
        "Threads that parse and judge."
      ).limited(to: 1...64),
      .optional(
        "key", "file", \.keyFile, otherwise: "the file beside the database",
        "Key of the token digests, 16 bytes."),
      .optional(
        "assume-zone", "zone", \.assumedZone, otherwise: "UTC",
        "Zone of times that are written without one."),
      .optional(
        "assume-year", "year", \.assumedYear, otherwise: "such records are not understood",
        "Year of times that are written without one."
      ).limited(to: 2008...2100),
      .optional(
        "assume-time", "time", \.assumedTime, otherwise: "such records are not understood",
        "Time of records that carry none."),
      .list(
        "attribute", "name=field", \.attributes,
        "What an attribute of a format without fixed names (OTLP) is, as a field of the own logs."),
      .toggle("dry-run", \.isDryRun, "Store nothing; show how each file would be read."),
      .value("format", "format", \.output, "Form of a dry run's output."),
    ],
    example: "pushtriage ingest corpus/provider.ndjson corpus/device.ndjson")

  func check() throws(UsageProblem) {
    if let format, AdapterRegistry.adapter(id: format) == nil { throw .unknownFormat(format) }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    var options = IngestOptions(inputs: paths, databasePath: database)
    options.factFiles = factFiles
    options.adapter = format
    options.rawPolicy = RawPolicy(rawValue: rawLines.rawValue) ?? .broken
    options.keepsPayloads = keepsPayloads
    options.threads = threads ?? min(8, max(1, ProcessInfo.processInfo.activeProcessorCount))
    options.keyPath = keyFile
    options.hints = hints
    if isDryRun { return try dryRun(options, context) }
    if output != .text { throw UsageProblem.missingArgument("--dry-run") }
    let progress = context.progressLine()
    let start = context.nowNanoseconds()
    let summary: IngestSummary
    do {
      summary = try IngestRun.run(options) { reading in
        progress.update(
          doneBytes: Int(reading.doneBytes), totalBytes: reading.totalBytes.map { Int($0) })
      }
    } catch {
      progress.clear()
      throw error
    }
    progress.clear()
    let seconds = Double(context.nowNanoseconds() - start) / 1e9
    return report(summary, seconds: seconds, context)
  }

  /// What is said of sources that do not say it themselves.
  private var hints: SourceHints {
    var hints = SourceHints()
    switch assumedZone {
    case .offset(let seconds): hints.assumedZoneSeconds = seconds
    case .name(let name): hints.assumedZoneName = name
    case nil: break
    }
    hints.assumedYear = assumedYear
    hints.assumedTime = assumedTime?.microseconds
    for attribute in attributes { hints.attributeNames[attribute.name] = attribute.field }
    return hints
  }

  /// Says what could not be read, then the counts.
  private func report(_ summary: IngestSummary, seconds: Double, _ context: CommandContext)
    -> ExitCode
  {
    for problem in summary.problems { say(problem, context) }
    sayUnrecognised(summary.unrecognised, context)
    sayAssumptions(
      zones: summary.assumedZones, times: summary.assumedTimes, years: summary.assumedYears,
      context)
    sayAbsences(summary.absences, context)
    sayWaiting(summary.waiting, context)
    sayKeptOtherwise(summary.keptOtherwise, context)
    if summary.noted > 0 || summary.fieldNotes > 0 {
      context.say(
        "note: \(summary.noted) lines and \(summary.fieldNotes) fields were not understood; "
          + "see 'pushtriage query notes'")
    }
    if summary.outdated > 0, let day = summary.prunedBefore {
      context.say(
        "note: \(summary.outdated) records are of days before \(CivilDay.text(of: day)), which were "
          + "pruned; they were left out")
    }
    let keys = summary.unknownKeys.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !keys.isEmpty {
      let shown = keys.prefix(5).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
      context.say("note: keys that no format knows: \(shown)\(keys.count > 5 ? ", …" : "")")
    }
    let known = summary.knownSources > 0 ? ", \(summary.knownSources) known from before" : ""
    let facts = summary.releases > 0 ? ", facts of \(summary.releases) releases" : ""
    let more =
      summary.moreRecords > 0 ? " and \(summary.moreRecords) records beyond one a line" : ""
    context.say(
      "\(summary.sources) sources read\(known)\(facts): \(summary.linesRead) lines\(more) = "
        + "\(summary.kept) kept + \(summary.duplicate) duplicate + \(summary.noted) noted + "
        + "\(summary.skipped) skipped, in \(String(format: "%.1f", seconds)) s")
    let isUsable =
      summary.kept + summary.duplicate > 0 || summary.releases > 0 || summary.knownSources > 0
      || summary.hasKnownRecords || summary.outdated > 0
    return exitCode(
      isUsable: isUsable,
      isIncomplete: hasFailures(summary.problems) || summary.noted > 0
        || !summary.unrecognised.isEmpty || !summary.keptOtherwise.isEmpty,
      isEmpty: summary.sources == 0 || (!summary.waiting.isEmpty && summary.linesRead == 0))
  }

  /// How a run ends, dry or not.
  ///
  /// - Parameters:
  ///   - isUsable: whether anything is there of any input, from this run or from an earlier one.
  ///   - isIncomplete: whether something was not understood.
  ///   - isEmpty: whether there was nothing to read, or not yet.
  func exitCode(isUsable: Bool, isIncomplete: Bool, isEmpty: Bool) -> ExitCode {
    if isUsable { return isIncomplete ? .partlyUnderstood : .done }
    return isIncomplete || isEmpty ? .failed : .done
  }

  /// Whether something that was meant to be read could not be. Folders and archives hold much else
  /// beside logs; what a person names is meant.
  func hasFailures(_ problems: [ReadingProblem]) -> Bool {
    let named = Set(paths + factFiles)
    return problems.contains { !$0.isRemark || ($0.isNoLog && named.contains($0.input)) }
  }
}
