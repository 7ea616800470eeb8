import PushModel

extension ChecklistStep {
  /// Asks whether the app took the job out of the mailbox.
  static let mailboxDrained = ChecklistStep(
    id: .mailboxDrained,
    title: "The app drained the mailbox",
    question: "Did the app find the job and take it out?",
    decidedBy: """
      By the app's records of looking into the mailbox and of draining it, and by the App Groups in \
      both signatures.
      """,
    facts: ["F12.13", "F12.14", "§12"],
    needs: [.eventsApp, .appEntitlements, .eventsSequence],
    outcomes: [
      OutcomeText(.holds, "The app took the job out."),
      OutcomeText(.broken, "The app looked and found nothing, or did not go on."),
      OutcomeText(.unknown, "No record shows it."),
    ],
    causes: [],
    nextAction: "Log what the app finds in the group's folder when it looks.",
    knownLimits: """
      An empty mailbox is a missing group only where the signatures show it; what took the job else \
      is a question of the step that writes it.
      """,
    examples: [
      Example("drained", .holds, from: .handoff),
      Example("nothing recorded", .unknown, from: .handoff) {
        $0.drop(.handoffUrlReceived, .handoffMailboxRead, .handoffDrained)
        $0.forgetCoverage()
      },
      Example("empty, and the two share no group", .broken, .appGroupMissing, from: .handoff) {
        $0.findEmptyMailbox()
        $0.chain.release.handoff.sharedAppGroup = .known(false)
      },
      Example(
        "empty, and the groups are not known", .unknown, nearMiss: .appGroupMissing, from: .handoff
      ) {
        $0.findEmptyMailbox()
        $0.chain.release.handoff.sharedAppGroup = .unknown
      },
      Example("read at a cold start, and not drained", .broken, .urlBeforeReady, from: .handoff) {
        $0.drop(.handoffDrained)
        $0.chain.traffic.otherMailboxWriteAt = .missing
      },
      Example(
        "read and not drained, other hand-offs are not known", .unknown, nearMiss: .urlBeforeReady,
        from: .handoff
      ) { $0.drop(.handoffDrained) },
      Example("read in front, and not drained", .broken, from: .handoff) {
        $0.drop(.handoffDrained)
        $0.chain.traffic.otherMailboxWriteAt = .missing
        $0.set(.handoffUrlReceived, .state, .word(.foreground))
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .appGroupMissing: "The app looked into a mailbox that the extension does not share."
      case .urlBeforeReady: "The app looked while it was starting, and did not go on."
      default:
        result.outcome == .broken
          ? "The app looked into the mailbox and did not go on."
          : result.plainSentence(
            holds: "The app took the job.", unknown: "No record shows that the app took the job.")
      }
    })
}

func judgeDraining(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [Needs(.eventsApp), Needs(.appEntitlements), Needs(.eventsSequence)]
  for place in chain.events.indices
  where chain.events[place].name == .handoffDrained && chain.isOwnJob(place) {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  guard seen.holds(.handoffMailboxRead), let read = chain.lastEvent(.handoffMailboxRead) else {
    return StepResult(.unknown, needs: needs)
  }
  let evidence = Evidence(.event, read)
  if chain.items(of: read) == 0 {
    guard chain.release.handoff.sharedAppGroup == .known(false) else {
      return StepResult(
        .unknown, evidence: evidence, needs: needs,
        candidates: (.appGroupMissing, .singleSlotMailboxOverwritten))
    }
    return StepResult(
      .broken, cause: .appGroupMissing, evidence: evidence, Evidence(.release))
  }
  guard !seen.holds(.handoffDrained), chain.appStayedSilent(after: read) else {
    return StepResult(.unknown, evidence: evidence, needs: needs)
  }
  // Without knowing of other hand-offs the slot may as well hold another's job.
  guard chain.traffic.otherMailboxWriteAt.isMissing else {
    return StepResult(
      .unknown, evidence: evidence, Evidence(.coverage), needs: needs,
      candidates: (.urlBeforeReady, .singleSlotMailboxOverwritten))
  }
  if seen.holds(.handoffUrlReceived), let url = chain.firstEvent(.handoffUrlReceived),
    let state = chain.text(.state, of: url), state == .cold
  {
    return StepResult(
      .broken, cause: .urlBeforeReady, confidence: .likely, evidence: evidence,
      Evidence(.event, url), Evidence(.coverage))
  }
  return StepResult(
    .broken, evidence: evidence, Evidence(.coverage), needs: [Needs(.log), Needs(.crashReport)])
}

extension ExampleChain {
  /// The app looked into the mailbox and found nothing.
  mutating func findEmptyMailbox() {
    drop(.handoffDrained)
    set(.handoffMailboxRead, .items, .int(0))
  }
}
