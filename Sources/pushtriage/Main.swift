import Glibc

/// The command: words in, exit code out.
@main
struct Main {
  static func main() {
    // A reader that went away is noticed when writing, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    let context = CommandContext.fromProcess()
    exit(run(Array(CommandLine.arguments.dropFirst()), context).rawValue)
  }

  /// Runs one command line and reports every failure.
  static func run(_ words: [String], _ context: CommandContext) -> ExitCode {
    var command: Command?
    do {
      guard let first = words.first else { throw UsageProblem.missingCommand }
      let rest = Array(words.dropFirst())
      switch first {
      case "--help", "-h", "help": return try help(rest)
      case "--version":
        try write("pushtriage \(version)\n")
        return .done
      case _ where first.hasPrefix("-"):
        throw UsageProblem.unknownOption(first, candidates: ["--help", "--version"])
      default: break
      }
      let found = try CommandTable.command(named: first)
      command = found
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        try write(HelpText.command(found))
        return .done
      }
      return try found.parse(rest).run(context)
    } catch OutputFailure.closed {
      return .done
    } catch let problem as UsageProblem {
      let usage = command?.usage ?? "pushtriage <command> [options]"
      let subject = command.map { "pushtriage \($0.name)" } ?? "pushtriage"
      report(problem.diagnostic, context)
      writeToStandardError("\nusage: \(usage)\nsee '\(subject) --help'\n")
      return .wrongUse
    } catch {
      report(Diagnostic(describing: error), context)
      return .failed
    }
  }

  private static func help(_ words: [String]) throws -> ExitCode {
    if let name = words.first {
      try write(HelpText.command(CommandTable.command(named: name)))
    } else {
      try write(HelpText.overview(CommandTable.commands))
    }
    return .done
  }

  private static func write(_ text: String) throws(OutputFailure) {
    let output = try OutputWriter(to: nil)
    try output.write(text)
    try output.finish()
  }

  private static func report(_ diagnostic: Diagnostic, _ context: CommandContext) {
    writeToStandardError(diagnostic.text(coloured: context.coloursStandardError))
  }
}

/// Version of the program, as printed by `--version`.
let version = "0.1.0"
