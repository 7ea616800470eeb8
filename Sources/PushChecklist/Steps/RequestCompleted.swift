import PushModel

extension ChecklistStep {
  /// Asks whether the extension gave control back to the other app.
  static let requestCompleted = ChecklistStep(
    id: .requestCompleted,
    title: "The extension completed its request",
    question: "Did every path end in completing or cancelling the request?",
    decidedBy: """
      By the extension's record of completion, and by a log that goes on without one. Until then the \
      other app stays behind the extension's sheet.
      """,
    facts: ["F12.8", "F12.12", "F12.15"],
    needs: [.eventsExtension, .eventsSequence, .crashReport],
    outcomes: [
      OutcomeText(.holds, "The request was completed or cancelled."),
      OutcomeText(.broken, "The log goes on, and the request was not completed."),
      OutcomeText(.unknown, "No record shows it."),
    ],
    causes: [
      Cause(
        .requestNotCompleted,
        meaning: """
          A path ends without completing or cancelling the request, so the sheet hangs until iOS \
          ends the extension.
          """,
        toldApartBy: """
          Loading or staging was recorded, a whole log has no completion after it. A kill for memory \
          that is recorded is the closer cause.
          """,
        repair: """
          Complete or cancel on every path, errors included; do not decode pictures in the extension.
          """,
        facts: ["F12.12", "F12.8", "F12.15"], alsoAt: [.itemsLoaded])
    ],
    nextAction: "Walk every path of the extension, above all those of failed items.",
    knownLimits: "A sheet that a person swiped away leaves no record either.",
    examples: [
      Example("completed", .holds, from: .handoff),
      Example("nothing recorded", .unknown, from: .handoff) { $0.events = [] },
      Example("all done, and never completed", .broken, .requestNotCompleted, from: .handoff) {
        $0.drop(.handoffCompleted)
      },
      Example("loaded, and nothing more", .broken, .requestNotCompleted, from: .handoff) {
        $0.events.removeAll { $0.name != .handoffActivated && $0.name != .handoffItemsLoaded }
      },
      Example(
        "the record of completion may be lost", .unknown, nearMiss: .requestNotCompleted,
        from: .handoff
      ) { $0.lose(.handoffCompleted) },
      Example(
        "killed for its memory after loading", .unknown, nearMiss: .requestNotCompleted,
        from: .handoff
      ) {
        $0.events.removeAll { $0.name != .handoffActivated && $0.name != .handoffItemsLoaded }
        $0.add(.nseCrashed, at: 900, [(.reason, .word(.perProcessLimit))])
      },
    ],
    explain: { _, result, _ in
      result.outcome == .broken
        ? "The extension went on without completing its request."
        : result.plainSentence(
          holds: "The request was completed.",
          unknown: "No record shows whether the request was completed.")
    })
}

func judgeCompletion(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.holds(.handoffCompleted), let place = chain.firstEvent(.handoffCompleted) {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  let needs: Needs = [Needs(.eventsExtension), Needs(.eventsSequence), Needs(.crashReport)]
  let hasWork =
    seen.holds(.handoffItemsLoaded) || seen.holds(.handoffItemFailed) || seen.holds(.handoffStaged)
    || seen.holds(.handoffMailboxWritten)
  // Completion comes after the start and after loading; whole from there on, it is not hidden.
  guard hasWork, let last = chain.lastExtensionRecord(),
    let first = chain.firstEvent(.handoffActivated) ?? chain.firstEvent(.handoffItemsLoaded)
      ?? chain.firstEvent(.handoffItemFailed)
  else { return StepResult(.unknown, needs: needs) }
  guard !seen.holds(.nseCrashed), chain.isWhole(from: first, to: last),
    chain.extensionStopped(after: last)
  else {
    return StepResult(
      .unknown, evidence: Evidence(.event, last), needs: needs,
      candidates: (.requestNotCompleted, seen.holds(.nseCrashed) ? .extMemory : nil))
  }
  return StepResult(
    .broken, cause: .requestNotCompleted, evidence: Evidence(.event, last), Evidence(.coverage))
}
