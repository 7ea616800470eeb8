import PushIngest
import PushModel
import PushPipeline

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
        let side = adapter.side == .send ? "sends" : "phones"
        try output.write("\(adapter.id)\n  \(adapter.title)\n  tells of: \(side)\n")
        try output.write("  times: \(adapter.clock)\n")
        let verb = adapter.absence.canProve ? "proves something" : "proves nothing:"
        try output.write("  what is not in it \(verb) \(adapter.absence.text)\n")
        if !adapter.redacts.isEmpty {
          try output.write("  never stored in clear: \(adapter.redacts.joined(separator: ", "))\n")
        }
        try output.write("  defined in: \(adapter.formatSource)\n")
      }
    case .json:
      try output.write("{\"version\":1,\"formats\":[")
      for (index, adapter) in AdapterRegistry.all.enumerated() {
        let redacts = adapter.redacts.map(JSONText.quoted).joined(separator: ",")
        let members = [
          ("id", JSONText.quoted(adapter.id)), ("title", JSONText.quoted(adapter.title)),
          ("side", JSONText.quoted(adapter.side.rawValue)),
          ("clock", JSONText.quoted(adapter.clock)),
          ("absence_can_prove", adapter.absence.canProve ? "true" : "false"),
          ("absence", JSONText.quoted(adapter.absence.text)), ("redacts", "[\(redacts)]"),
          ("source", JSONText.quoted(adapter.formatSource)),
        ]
        let body = members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        try output.write("\(index > 0 ? "," : ""){\(body)}")
      }
      try output.write("]}\n")
    }
    try output.finish()
    return .done
  }
}
