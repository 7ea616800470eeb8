import PushChecklist

/// `pushtriage explain`: what anything of the checklist or of Apple's platform means, and for each
/// kind of push one that is right.
struct ExplainCommand: Subcommand {
  var name: String?
  var lists = false
  var asCase = false

  static let row = CommandRow<ExplainCommand>(
    name: "explain",
    summary: "Explain a step, cause, reason, header, key or code, or show a kind of push.",
    arguments: [
      .atMostOne(
        "name", \.name,
        "What to explain, such as BadDeviceToken, principal_class, aps.sound, 0xdead10cc or media.")
    ],
    options: [
      .toggle("list", \.lists, "List everything that has an explanation."),
      .toggle(
        "case", \.asCase,
        "Print the example of a kind of push as a case file, as 'check -' reads it."
      ),
    ],
    example: "pushtriage explain BadDeviceToken")

  func run(_ context: CommandContext) throws -> ExitCode {
    let text = try self.text()
    let output = try OutputWriter(to: nil)
    try output.write(text)
    try output.finish()
    return .done
  }

  private func text() throws -> String {
    guard let name else {
      if asCase { throw UsageProblem.missingArgument("<name>") }
      return ReferenceDocs.list().plain()
    }
    if lists { throw UsageProblem.conflict("--list", "<name>") }
    if asCase {
      guard let example = PushExample.find(name) else {
        throw Diagnostic(
          "no kind of push is called \(quoted(name))",
          help: ["the kinds: \(PushExample.all.map(\.id).joined(separator: ", "))"])
      }
      return example.caseFile.lines + "\n"
    }
    let found = ReferenceDocs.find(name)
    guard let first = found.first else { return try textOfUnknown(name) }
    var text = first.page.plain()
    let others = found.dropFirst().map { "the \($0.kind) `\($0.id)`" }
    if !others.isEmpty {
      text += "\nAlso called so: \(others.joined(separator: ", ")).\n"
      for other in found.dropFirst() { text += "\n" + other.page.plain() }
    }
    return text
  }

  /// A reason that stands in no table still has a status that tells something; anything else is a
  /// mistake of typing.
  private func textOfUnknown(_ name: String) throws -> String {
    if let right = ReferenceDocs.respelled(name), let found = ReferenceDocs.find(right).first {
      return "\(quoted(name)) is written \(quoted(right)).\n\n" + found.page.plain()
    }
    if ReferenceDocs.looksLikeReason(name) {
      return ReferenceDocs.page(ofUnknownReason: name).plain()
    }
    let near = ReferenceDocs.nearest(to: name)
    let speaking = ReferenceDocs.speaking(of: name)
    let more = speaking.count > 8 ? ", …" : ""
    throw Diagnostic(
      "nothing is called \(quoted(name))",
      reason: """
        it is no kind of push, step, cause, reason or status of APNs, header, key, extension point \
        or code that is known here
        """,
      help: [
        near.isEmpty ? nil : "the nearest names: \(near.joined(separator: ", "))",
        speaking.isEmpty
          ? nil : "these speak of it: \(speaking.prefix(8).joined(separator: ", "))\(more)",
        "'pushtriage explain --list' lists all of them",
      ].compactMap { $0 })
  }
}
