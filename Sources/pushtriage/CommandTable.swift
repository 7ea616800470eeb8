/// The commands, in the order of the overview and of the reference.
enum CommandTable {
  static let commands: [Command] = [
    Command(IngestCommand.self),
    Command(ReportCommand.self),
    Command(TriageCommand.self),
    Command(CompareCommand.self),
    Command(QueryCommand.self),
    Command(SimulateCommand.self),
    Command(FormatsCommand.self),
    Command(ExplainCommand.self),
    Command(CheckCommand.self),
    Command(InspectCommand.self),
    Command(PruneCommand.self),
    Command(DocsCommand.self),
  ]

  static func command(named name: String) throws(UsageProblem) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let candidates = commands.filter { !$0.isHidden }.map(\.name) + ["help"]
    throw .unknownCommand(name, candidates: candidates)
  }
}
