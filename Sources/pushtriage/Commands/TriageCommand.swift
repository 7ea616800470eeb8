import PushChecklist
import PushIngest
import PushModel
import PushPipeline
import PushReport
import PushStore

/// `pushtriage triage`: the whole chain of one notification.
struct TriageCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case json
    case md
    case html

    fileprivate var ofReport: ReportFormat {
      switch self {
      case .text: .text
      case .html: .html
      case .md: .markdown
      case .json: .json
      }
    }
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
    example: "pushtriage triage 20c439fb-d102-4196-a021-c6ab2d66bdb5")

  func run(_ context: CommandContext) throws -> ExitCode {
    let database = try Database(path: self.database, mode: .read)
    try database.forbidWriting()
    try database.beginReading()
    let (found, others, further) = try find(in: database)
    guard let row = try TriageRow(database: database, number: found.row) else {
      throw Diagnostic(
        "the notification with the id \(quoted(id)) is gone",
        reason: "the database was changed meanwhile", help: ["try again"])
    }
    let lines = try LineFinder(
      database: database, block: row.rawBlock, redact: { LineRedactor.shown($0, of: $1) })
    // The chain is made again from what is stored around it, so every step has its say.
    let tables: TriageTables
    if let loaded = try ChainLoader.load(database: database, notification: found.row) {
      tables = try TriageTables(
        asked: id, row: row, chain: loaded.chain,
        steps: try TriageSteps.rows(
          of: loaded.chain, loaded.walk, texts: loaded.texts, row: row, lines: lines),
        verdict: TriageSteps.verdict(of: loaded.walk, isReplaced: row.verdict.isReplaced),
        lines: lines, others: others, further: further)
    } else {
      tables = try TriageTables(
        asked: id, row: row, chain: nil, steps: TriageSteps.stored(row), lines: lines,
        others: others, further: further)
    }
    let output = try OutputWriter(to: output)
    try output.write(
      TriageReport.render(tables, format: format.ofReport, wording: .checklist()))
    try output.finish()
    return .done
  }

  /// The notification to show, the others that the id fits, newest first, and how many there are
  /// beside those, by their judgement.
  private func find(in database: Database) throws
    -> (FoundNotification, [FoundNotification], JudgementCounts)
  {
    let finder = NotificationFinder(database: database)
    // Which phone one of them went to is known when it is read: then all are.
    let (found, further) = try finder.find(
      id, newest: device == nil ? TriageTables.shownMatches + 1 : .max)
    guard !found.isEmpty else {
      if try finder.isEmpty() { throw Diagnostic.noNotifications(in: self.database) }
      throw Diagnostic(
        "no notification has the id \(quoted(id))",
        notes: [
          "looked for it as notification id, apns-id, collapse id, request id and row number"
        ] + (try Diagnostic.pruningNote(database)),
        help: [
          "give the whole id as the log has it; only in UUIDs the letters' case does not count",
          "'pushtriage query verdicts' lists the ids there are",
        ])
    }
    // Of a UUID the letters' case does not count, as in every id.
    let wanted =
      device.map(StableHash.ofIdentifier).map { device in
        found.filter { $0.match.device.map(StableHash.ofIdentifier) == device }
      } ?? found
    guard let shown = wanted.first else {
      let devices = Array(Set(found.compactMap(\.match.device))).sorted()
      throw Diagnostic(
        "the id \(quoted(id)) did not go to the installation \(quoted(device ?? ""))",
        help: [
          devices.isEmpty
            ? "it is not known to which installation it went"
            : "it went to: \(devices.prefix(5).map(quoted).joined(separator: ", "))"
              + (devices.count > 5 ? ", …" : "")
        ])
    }
    return (shown, found.filter { $0.row != shown.row }, further)
  }
}
