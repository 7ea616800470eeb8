import PushChecklist
import PushModel

/// `pushtriage explain`: what a step, a cause or an APNs reason means.
struct ExplainCommand: Subcommand {
  var id: String?

  static let row = CommandRow<ExplainCommand>(
    name: "explain",
    summary: "Explain a step, a cause or a reason of APNs; without one, list them all.",
    arguments: [
      .atMostOne("id", \.id, "A step or cause, or a reason such as BadDeviceToken.")
    ],
    options: [],
    example: "pushtriage explain BadDeviceToken")

  func run(_ context: CommandContext) throws -> ExitCode {
    let output = try OutputWriter(to: nil)
    if let id {
      try output.write(try page(of: id))
    } else {
      for step in Checklist.allSteps {
        try output.write("\(step.id.rawValue): \(step.question)\n")
        for cause in step.causes { try output.write("  \(cause.id.rawValue): \(cause.meaning)\n") }
      }
      try output.write("\nReasons of APNs\n")
      for reason in APNsReason.all {
        try output.write("  \(reason.status) \(reason.reason): \(reason.meaning)\n")
      }
    }
    try output.finish()
    return .done
  }

  private func page(of id: String) throws -> String {
    if let step = StepID(rawValue: id), let found = Checklist.step(step) {
      return ChecklistDocs.stepPage(found)
    }
    if let cause = CauseID(rawValue: id), let text = ChecklistDocs.causePage(cause) { return text }
    if let reason = APNsReason.find(id) {
      return "# \(reason.reason)\n\nStatus \(reason.status). \(reason.meaning)\n"
    }
    throw Diagnostic(
      "nothing is called \(quoted(id))",
      reason: "it is no step, no cause and no reason in APNs' documentation",
      help: [
        "'pushtriage explain' lists all of them",
        "a reason that is not listed can still come from APNs; it is kept and reported as it is",
      ])
  }
}
