/// `pushtriage ingest`: logs into the database.
struct IngestCommand: Subcommand {
  /// Of which notifications the raw lines are kept.
  enum RawLines: String, ArgumentChoice {
    case all
    case broken
    case none
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
  var isDryRun = false

  static let row = CommandRow<IngestCommand>(
    name: "ingest",
    summary: "Read provider and device logs into the database, join and judge them.",
    discussion: [
      """
      Reads plain, gzip, zstd, xz, bzip2, tar and zip. A file that was read before is skipped, a \
      longer version of it continues where it ended. A line that cannot be understood becomes a \
      note with its file and line, and reading goes on.
      """
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
      .toggle("dry-run", \.isDryRun, "Read and count, but write nothing."),
    ],
    example: "pushtriage ingest corpus/provider.ndjson corpus/device.ndjson")

  func run(_ context: CommandContext) throws -> ExitCode {
    throw Diagnostic.notBuiltIn("ingest")
  }
}
