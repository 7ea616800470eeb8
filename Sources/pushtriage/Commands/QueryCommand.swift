import PushStore
import Queries

/// `pushtriage query`: one of the files of `Queries/`.
struct QueryCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case json
    case ndjson
    case csv

    fileprivate var ofWriter: QueryWriter.Format {
      switch self {
      case .text: .text
      case .json: .json
      case .ndjson: .ndjson
      case .csv: .csv
      }
    }
  }

  var name: String?
  var parameters: [QueryParameter] = []
  var lists = false
  var format = Format.text
  var output: String?
  var database = "push.db"

  static let row = CommandRow<QueryCommand>(
    name: "query",
    summary: "Run a named query of this program on the database.",
    arguments: [.atMostOne("name", \.name, "Name of the query.")],
    options: [
      .toggle("list", \.lists, "List the queries instead."),
      .list("param", "name=value", \.parameters, "Value for a parameter of the query."),
      .format(\.format),
      .output(\.output),
      .database(\.database),
    ],
    example: "pushtriage query --list")

  func check() throws(UsageProblem) {
    if lists, name != nil { throw .conflict("--list", "<name>") }
    if !lists, name == nil { throw .missingArgument("<name>") }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    if lists { return try list() }
    let query = try NamedQuery(name ?? "")
    let database = try Database(path: self.database, mode: .read)
    try database.forbidWriting()
    let rows = try query.rows(
      on: database, parameters.map { (name: $0.name, value: $0.value) })
    let output = try OutputWriter(to: output)
    try QueryWriter { try output.write($0) }.write(rows, format: format.ofWriter)
    try output.finish()
    return .done
  }

  private func list() throws -> ExitCode {
    let writer = try OutputWriter(to: output)
    // What people ask by hand comes before what reports are made of.
    let files = QueryCatalogue.queries
    let asked = files.filter { $0.path.hasPrefix("explore/") }
    let others = files.filter { !$0.path.hasPrefix("explore/") }
    let headers = try (asked + others).map { try QueryHeader(path: $0.path, text: $0.text) }
    let width = headers.map(\.name.count).max() ?? 0
    for header in headers {
      let pad = String(repeating: " ", count: width - header.name.count)
      try writer.write("\(header.name)\(pad)  \(header.purpose)\n")
    }
    try writer.finish()
    return .done
  }
}
