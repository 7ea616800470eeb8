import PushModel

extension ChecklistStep {
  /// Asks whether the URL reached the app at a moment at which it could use it.
  static let urlReceived = ChecklistStep(
    id: .urlReceived,
    title: "The app took the URL",
    question: "Did the URL reach the app when it was ready for it?",
    decidedBy: """
      By the app's records of the URL and of what it did next, and by its state at that moment. An \
      app that is started by the URL gets it before its first page is there.
      """,
    facts: ["F12.14"],
    needs: [.eventsApp, .eventsSequence, .appState],
    outcomes: [
      OutcomeText(.holds, "The URL came, and the app looked into the mailbox."),
      OutcomeText(.broken, "The URL came too early, or was granted and never came."),
      OutcomeText(.unknown, "No record shows it."),
      OutcomeText(.notApplicable, "The app found the job without a URL."),
    ],
    causes: [
      Cause(
        .urlBeforeReady,
        meaning: """
          The URL came before the app could handle it: it was just starting, busy in front, or its \
          pages were gone in the background.
          """,
        toldApartBy: """
          The URL was recorded, and a whole log of the app has no look into the mailbox after it. A \
          look that found nothing is a question of the group or of the slot.
          """,
        repair: "Queue the URL, and drain the mailbox when the first view is up.",
        facts: ["F12.14"], alsoAt: [.mailboxDrained])
    ],
    nextAction: "Open the app by its URL from a cold start, and see whether the queue is drained.",
    knownLimits: "An app that does not record the URL cannot be told from one that never got it.",
    examples: [
      Example("received, and the mailbox read", .holds, from: .handoff),
      Example("nothing recorded of the app", .unknown, from: .handoff) {
        $0.drop(.handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
        $0.forgetCoverage()
      },
      Example("the app found the job by itself", .notApplicable, from: .handoff) {
        $0.drop(.handoffUrlReceived)
      },
      Example(
        "received at a cold start, mailbox not read", .broken, .urlBeforeReady, from: .handoff
      ) { $0.drop(.handoffMailboxRead, .handoffDrained) },
      Example(
        "received, and the record of reading may be lost", .unknown, nearMiss: .urlBeforeReady,
        from: .handoff
      ) {
        $0.drop(.handoffDrained)
        $0.lose(.handoffMailboxRead)
      },
      Example("granted, and no URL came", .broken, from: .handoff) {
        $0.drop(.handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
      },
    ],
    explain: { chain, result, _ in
      if result.cause != nil { return "The URL came, and the app did not look into the mailbox." }
      if result.outcome == .broken { return "Opening was granted, and no URL reached the app." }
      return result.outcome == .notApplicable
        ? "The app found the job without a URL."
        : result.plainSentence(
          holds: "The app took the URL.",
          unknown: "No record shows that the URL came, or what the app did then.")
    })
}

func judgeURL(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [Needs(.eventsApp), Needs(.eventsSequence)]
  let later =
    chain.firstEvent(.handoffMailboxRead) ?? chain.firstEvent(.handoffDrained)
  guard seen.holds(.handoffUrlReceived), let url = chain.lastEvent(.handoffUrlReceived) else {
    if later != nil { return .notApplicable }
    guard seen.holds(.handoffOpenResult), let result = chain.lastEvent(.handoffOpenResult),
      chain.boolean(.opened, of: result) == true, chain.appStayedSilent(after: result)
    else { return StepResult(.unknown, needs: needs) }
    return StepResult(
      .broken, evidence: Evidence(.event, result), Evidence(.coverage), needs: Needs(.log))
  }
  let evidence = Evidence(.event, url)
  if let later { return StepResult(.holds, evidence: evidence, Evidence(.event, later)) }
  guard chain.appStayedSilent(after: url) else {
    return StepResult(
      .unknown, evidence: evidence, needs: needs, candidates: (.urlBeforeReady, nil))
  }
  let isCold = chain.text(.state, of: url).map { $0 == .cold } ?? false
  return StepResult(
    .broken, cause: .urlBeforeReady, confidence: isCold ? .certain : .likely, evidence: evidence,
    Evidence(.coverage))
}
