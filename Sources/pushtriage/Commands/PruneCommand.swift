import PushStore

/// `pushtriage prune`: old notifications go, their daily counts stay.
struct PruneCommand: Subcommand {
  /// First UTC day that stays.
  var before: Day?
  /// Days that stay, today among them.
  var keep: Int?
  var isDryRun = false
  var shrinks = false
  var database = "push.db"

  static let row = CommandRow<PruneCommand>(
    name: "prune",
    summary: "Remove notifications of old days, and keep the counts of those days.",
    discussion: [
      """
      A notification goes with its records, its verdict, its stored lines and its ids, by the UTC day \
      of its send; one that only a phone recorded goes by the phone's clock. Phones of which nothing \
      newer is known go too. The counts of each day stay, so reports and comparisons of old days go \
      on, without examples.
      """,
      """
      A notification with records of a day that stays, such as a tap on the next morning, stays with \
      them. So do the last four days of what each phone said of its settings.
      """,
      """
      Whatever an ingest reads of pruned days later is left out and counted as skipped: old files \
      bring nothing back.
      """,
      """
      All of it happens in one transaction. The room that becomes free is used by later ingests; \
      --shrink gives it back to the system, and until then the file may still hold what was removed.
      """,
    ],
    options: [
      .optional(
        "before", "day", \.before, "First day that stays, UTC."),
      .optional("keep", "days", \.keep, "Days that stay: today and those before it.")
        .limited(to: 1...36_500),
      .toggle("dry-run", \.isDryRun, "Change nothing; say what would go."),
      .toggle("shrink", \.shrinks, "Write the file anew, without free room."),
      .database(\.database),
    ],
    example: "pushtriage prune --before 2026-11-25 --dry-run")

  func check() throws(UsageProblem) {
    if before == nil, keep == nil { throw .missingArgument("--before or --keep") }
    if before != nil, keep != nil { throw .conflict("--before", "--keep") }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    let day =
      before.flatMap { CivilDay.number(of: $0.argumentText) } ?? context.today() + 1
      - Int64(keep ?? 0)
    // Opened for reading first: a database is not made for having nothing removed.
    _ = try Database(path: database, mode: .read)
    let database = try Database(path: self.database, mode: .write)
    let pruning = Pruning(database: database)
    let summary = try pruning.run(before: day, isDryRun: isDryRun)
    if shrinks, !isDryRun { try pruning.shrink() }
    let output = try OutputWriter(to: nil)
    try output.write(text(summary))
    try output.finish()
    return .done
  }

  private func text(_ summary: PruneSummary) -> String {
    let day = CivilDay.text(of: summary.before)
    guard !summary.isEmpty else { return "Nothing is older than \(day).\n" }
    let span = summary.days.map {
      let from = CivilDay.text(of: $0.lowerBound)
      let to = CivilDay.text(of: $0.upperBound)
      return from == to ? " of \(from)" : " of \(from) to \(to)"
    }
    let rows: [(count: Int, what: String)] = [
      (summary.notifications, "notifications\(span ?? "")"),
      (summary.brokenSteps, "broken steps of them"),
      (summary.installationDays, "days of phones' own records"),
      (summary.installations, "phones of which nothing newer is known"),
      (summary.blocks, "blocks of stored lines"),
      (summary.shortenedBlocks, "blocks of stored lines in part: what stays has lines in them too"),
    ]
    let width = rows.map { String($0.count).count }.max() ?? 0
    var lines = [isDryRun ? "Older than \(day), would go:" : "Older than \(day), gone:"]
    for row in rows where row.count > 0 {
      let count = String(row.count)
      lines.append(
        "  " + String(repeating: " ", count: width - count.count) + "\(count) \(row.what)")
    }
    if summary.staying > 0 {
      lines.append(
        "Older notifications that stay, because they have records of \(day) or later: "
          + "\(summary.staying)")
    }
    lines.append(room(Int(summary.freedBytes)))
    return lines.joined(separator: "\n") + "\n"
  }

  /// What becomes of the room in the file.
  private func room(_ bytes: Int) -> String {
    let size = ProgressLine.size(bytes)
    if isDryRun { return "\(size) of the file would become free. Nothing was changed." }
    if shrinks { return "\(size) became free and were given back to the system." }
    return "\(size) of the file are free for later ingests; --shrink gives them back to the system."
  }
}
