/// The commands, in the order of the overview and of the reference.
enum CommandTable {
  /// Names and rows; a row is made when it is asked for, since making them all takes as long as a
  /// short command's work.
  private static let rows: [(name: String, make: @Sendable () -> Command)] = [
    ("ingest", { Command(IngestCommand.self) }),
    ("report", { Command(ReportCommand.self) }),
    ("triage", { Command(TriageCommand.self) }),
    ("compare", { Command(CompareCommand.self) }),
    ("query", { Command(QueryCommand.self) }),
    ("simulate", { Command(SimulateCommand.self) }),
    ("formats", { Command(FormatsCommand.self) }),
    ("explain", { Command(ExplainCommand.self) }),
    ("check", { Command(CheckCommand.self) }),
    ("inspect", { Command(InspectCommand.self) }),
    ("prune", { Command(PruneCommand.self) }),
    ("docs", { Command(DocsCommand.self) }),
  ]

  static let commands: [Command] = rows.map { $0.make() }

  static func command(named name: String) throws(UsageProblem) -> Command {
    if let row = rows.first(where: { $0.name == name }) { return row.make() }
    let candidates = commands.filter { !$0.isHidden }.map(\.name) + ["help"]
    throw .unknownCommand(name, candidates: candidates)
  }
}
