/// A command: its options as typed values, and what it does.
///
/// A conforming type holds one `var` per option and argument with its default as initial value. Its
/// `row` is the only place that says how they are typed.
protocol Subcommand: Sendable {
  /// All defaults.
  init()
  /// How the command is typed and described.
  static var row: CommandRow<Self> { get }
  /// What the rows cannot say: options that need or exclude each other.
  func check() throws(UsageProblem)
  /// Does the work. Results go to `context.output`; a `Diagnostic` or a module's error ends the run.
  func run(_ context: CommandContext) throws -> ExitCode
}

extension Subcommand {
  func check() throws(UsageProblem) {}
}

/// A row of the command table.
struct CommandRow<Options: Subcommand>: Sendable {
  var name: String
  /// One sentence for the overview.
  var summary: String
  /// Paragraphs after the usage line; what a reader must know to use the command well.
  var discussion: [String] = []
  var arguments: [ArgumentRow<Options>] = []
  var options: [OptionRow<Options>] = []
  /// A command line that works after the examples before it in the table; a test runs it.
  var example: String
  /// Left out of the overview and of the generated page.
  var isHidden = false
}

/// A row of the command table whatever its options: what help, docs and tests read.
struct Command: Sendable {
  var name: String
  var summary: String
  var discussion: [String]
  var arguments: [ArgumentShape]
  var options: [OptionShape]
  var example: String
  var isHidden: Bool
  /// Reads the words after the command's name.
  var parse: @Sendable (_ words: [String]) throws(UsageProblem) -> any Subcommand

  init<Options: Subcommand>(_ type: Options.Type) {
    let row = Options.row
    name = row.name
    summary = row.summary
    discussion = row.discussion
    arguments = row.arguments.map(\.shape)
    options = row.options.map(\.shape)
    example = row.example
    isHidden = row.isHidden
    parse = { words throws(UsageProblem) in try parseArguments(words, row) }
  }

  /// `pushtriage name [options] <argument>`.
  var usage: String {
    (["pushtriage", name, "[options]"] + arguments.map(\.display)).joined(separator: " ")
  }
}

/// Where a value goes.
typealias OptionPath<Options, Value> = any WritableKeyPath<Options, Value> & Sendable
