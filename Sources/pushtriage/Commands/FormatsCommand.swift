import PushIngest

/// `pushtriage formats`: the log formats that `ingest` reads.
struct FormatsCommand: Subcommand {
  enum Format: String, ArgumentChoice {
    case text
    case json
  }

  var format = Format.text

  static let row = CommandRow<FormatsCommand>(
    name: "formats",
    summary: "List the log formats that ingest reads.",
    options: [.format(\.format)],
    example: "pushtriage formats")

  func run(_ context: CommandContext) throws -> ExitCode {
    let output = try OutputWriter(to: nil)
    switch format {
    case .text:
      for adapter in AdapterRegistry.all {
        try output.write("\(adapter.id)\n  \(adapter.title)\n  times: \(adapter.clock)\n")
        try output.write("  never stored in clear: \(adapter.redacts.joined(separator: ", "))\n")
        try output.write("  defined in: \(adapter.formatSource)\n")
      }
    case .json:
      try output.write("{\"version\":1,\"formats\":[")
      for (index, adapter) in AdapterRegistry.all.enumerated() {
        let redacts = adapter.redacts.map { "\"\($0)\"" }.joined(separator: ",")
        try output.write(
          (index > 0 ? "," : "")
            + "{\"id\":\"\(adapter.id)\",\"title\":\"\(adapter.title)\",\"side\":\"\(adapter.side.rawValue)\","
            + "\"clock\":\"\(adapter.clock)\",\"redacts\":[\(redacts)],\"source\":\"\(adapter.formatSource)\"}"
        )
      }
      try output.write("]}\n")
    }
    try output.finish()
    return .done
  }
}
