public import PushModel

/// The pages of steps and causes as Markdown. Text only; writing files is done elsewhere.
public enum ChecklistDocs {
  /// The page of one step as Markdown.
  public static func stepPage(_ step: ChecklistStep) -> String { page(of: step).markdown }

  /// The page of one cause as Markdown, nil if no step lists it.
  public static func causePage(_ id: CauseID) -> String? { page(of: id)?.markdown }

  /// The page of one step.
  static func page(of step: ChecklistStep) -> ReferencePage {
    var page = ReferencePage()
    page.heading(1, step.title)
    page.line("Step `\(step.id.rawValue)`, \(place(of: step.id)).")
    page.heading(2, "Question")
    page.line(step.question)
    page.heading(2, "How it is decided")
    page.line(step.decidedBy)
    if step.matters != .everything, step.matters != .visible {
      page.line("It matters only for notifications meant to be \(words(step.matters)).")
    }
    page.line("It reads: \(step.needs.map { "`\($0.text)`" }.joined(separator: ", ")).")
    page.heading(2, "What the answers mean")
    page.table(["outcome", "meaning"], step.outcomes.map { [$0.outcome.text, $0.text] })
    if !step.causes.isEmpty {
      page.heading(2, "What can be wrong")
      for cause in step.causes { describe(cause, into: &page) }
    }
    page.heading(2, "What to do next")
    page.line(step.nextAction)
    page.heading(2, "What it cannot tell")
    page.line(step.knownLimits)
    page.heading(2, "Examples")
    page.table(
      ["example", "outcome", "cause"],
      step.examples.filter(\.inDocs).map {
        [$0.title, $0.outcome.text, $0.cause.map { "`\($0.rawValue)`" } ?? ""]
      })
    ReferenceDocs.facts(step.facts, into: &page)
    return page
  }

  /// The page of one cause, nil if no step lists it.
  static func page(of id: CauseID) -> ReferencePage? {
    guard let (step, cause) = Checklist.cause(id) else { return nil }
    var page = ReferencePage()
    page.heading(1, "`\(id.rawValue)`")
    page.line(cause.meaning)
    page.heading(2, "Repair")
    page.line(cause.repair)
    page.heading(2, "How to recognise it")
    page.line(cause.toldApartBy)
    if !cause.isJudged {
      page.line(
        "The records of one notification do not show it: it takes a comparison, a system log or a look at the phone."
      )
    }
    page.heading(2, "Where it stands in the chain")
    page.line("Step `\(step.id.rawValue)`, \(place(of: step.id)): \(step.question)")
    page.line(step.decidedBy)
    if !cause.alsoAt.isEmpty {
      page.line(
        "Also seen at \(cause.alsoAt.map { "`\($0.rawValue)`" }.joined(separator: ", ")).")
    }
    let shown = step.examples.filter { $0.inDocs && ($0.cause == id || $0.nearMiss == id) }
    if !shown.isEmpty {
      page.heading(2, "Examples")
      page.table(
        ["example", "this cause"],
        shown.map { example in
          let other = example.cause.map { "no: `\($0.rawValue)`" } ?? "no: \(example.outcome.text)"
          return [example.title, example.cause == id ? "yes" : other]
        })
    }
    page.heading(2, "Limits")
    page.line(step.knownLimits)
    ReferenceDocs.facts(cause.facts, into: &page)
    return page
  }

  /// The table of APNs' reasons.
  public static func reasonsPage() -> String {
    var page = ReferencePage()
    page.heading(1, "APNs' reasons")
    page.line(
      "What APNs answers when it refuses a request, whose fault that is, and when to send it again."
    )
    page.table(
      ["status", "reason", "meaning", "concerns", "repeat", "step"],
      APNsReason.all.map {
        [
          "\($0.status)", "`\($0.reason)`", $0.meaning,
          $0.classes.map(\.rawValue).joined(separator: ", "), $0.retry.rawValue,
          "`\($0.step.rawValue)`",
        ]
      })
    page.line(
      "T token, R request, K credential or set-up, L payload, V volume, X Apple's side. A reason that is not here is kept as it came and called unknown."
    )
    ReferenceDocs.facts(["F2.0", "F2.5"], into: &page)
    return page.markdown
  }

  private static func describe(_ cause: Cause, into page: inout ReferencePage) {
    page.heading(3, "`\(cause.id.rawValue)`")
    page.line(cause.meaning)
    page.line("**Told apart by:** \(cause.toldApartBy)")
    page.line("**Repair:** \(cause.repair)")
    if !cause.isJudged {
      page.line("The records of one notification do not show it; a person has to look.")
    }
    if !cause.facts.isEmpty {
      page.line("Facts: \(cause.facts.map(\.text).joined(separator: ", ")).")
    }
  }

  private static func place(of step: StepID) -> String {
    var places: [String] = []
    for list in Checklist.all {
      if let index = list.steps.firstIndex(where: { $0.id == step }) {
        places.append("number \(index + 1) of \(list.steps.count) of the \(list.kind.text) chain")
      }
    }
    return places.joined(separator: ", ")
  }

  private static func words(_ meaning: Meaning) -> String {
    let texts = meaning.texts.map { "`\($0)`" }
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " or " + last
  }
}
