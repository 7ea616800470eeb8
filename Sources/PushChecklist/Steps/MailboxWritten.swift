import PushModel

extension ChecklistStep {
  /// Asks whether the job was left for the app, and stayed there.
  static let mailboxWritten = ChecklistStep(
    id: .mailboxWritten,
    title: "The job lies in the mailbox",
    question: "Was the job written for the app, and was it still there when the app looked?",
    decidedBy: """
      By the records of writing and reading, by the ids of the jobs in them, and by other hand-offs \
      of the same phone in between. The mailbox is the place in the App Group where the extension \
      leaves a note for the app.
      """,
    facts: ["F12.13"],
    needs: [.eventsExtension, .eventsApp, .eventsSequence],
    outcomes: [
      OutcomeText(.holds, "The job was written and not overwritten."),
      OutcomeText(.broken, "Another hand-off took its place, or nothing was written."),
      OutcomeText(.unknown, "Writing is not recorded, or what became of it."),
    ],
    causes: [
      Cause(
        .singleSlotMailboxOverwritten,
        meaning: """
          Two hand-offs share one slot; the later one wins, and the app never sees the earlier one.
          """,
        toldApartBy: """
          Two jobs were written and one drained, or the URL names one entry and the mailbox holds \
          another's. A job that the app has not read yet is no such case.
          """,
        repair: "Write one file for each job; the app drains all that it finds.",
        facts: ["F12.13"])
    ],
    nextAction: "Share twice before opening the app, and count the jobs that it finds.",
    knownLimits: "Without ids of jobs two writes may be two files of one job.",
    examples: mailboxExamples,
    explain: { _, result, _ in
      if result.cause != nil { return "Another hand-off took the job's place in the mailbox." }
      if result.outcome == .broken { return "Files were staged, and nothing was left for the app." }
      return result.plainSentence(
        holds: "The job was written to the mailbox.",
        unknown: "No record shows that the job was written, or what became of it.")
    })
}

private let mailboxExamples: [Example] = [
  Example("written, read, drained", .holds, from: .handoff),
  Example("drained, the record of writing is not there", .holds, from: .handoff, inDocs: false) {
    $0.drop(.handoffMailboxWritten)
  },
  Example("nothing recorded", .unknown, from: .handoff) {
    $0.drop(.handoffMailboxWritten, .handoffMailboxRead, .handoffDrained)
    $0.forgetCoverage()
  },
  Example("staged and completed, log whole, nothing written", .broken, from: .handoff) {
    $0.drop(.handoffMailboxWritten, .handoffMailboxRead, .handoffDrained)
  },
  Example("two jobs written, one drained", .broken, .singleSlotMailboxOverwritten, from: .handoff) {
    $0.writeOtherJob()
  },
  Example(
    "two jobs written, both drained", .holds, nearMiss: .singleSlotMailboxOverwritten,
    from: .handoff
  ) {
    $0.writeOtherJob()
    $0.add(.handoffDrained, at: 1700, [(.jobId, .text("job-1"))])
  },
  Example(
    "two jobs written, a record of draining may be lost", .unknown,
    nearMiss: .singleSlotMailboxOverwritten, from: .handoff
  ) {
    $0.writeOtherJob()
    $0.forgetCoverage()
  },
  Example(
    "the URL names one entry, the mailbox holds another", .broken, .singleSlotMailboxOverwritten,
    from: .handoff
  ) { $0.set(.handoffMailboxRead, .entry, .text("action")) },
  Example(
    "another job was written before the app read this one", .broken,
    .singleSlotMailboxOverwritten, from: .handoff
  ) {
    $0.drop(.handoffDrained)
    $0.chain.traffic.otherMailboxWriteAt = .known(ExampleChain.sentAt + second)
  },
]

func judgeMailbox(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if let result = judgeEntries(chain, seen) { return result }
  guard seen.holds(.handoffMailboxWritten), let written = chain.firstEvent(.handoffMailboxWritten)
  else { return judgeUnwritten(chain, seen) }
  let evidence = Evidence(.event, written)
  let other = chain.lastEvent(.handoffMailboxWritten).flatMap {
    chain.differs(.jobId, written, $0) == true ? $0 : nil
  }
  let hasOther = other != nil || chain.traffic.otherMailboxWriteAt.value != nil
  guard hasOther, !isDrained(chain, written) else { return StepResult(.holds, evidence: evidence) }
  let looked =
    chain.lastEvent(.handoffDrained) ?? chain.lastEvent(.handoffMailboxRead)
    ?? chain.lastEvent(.handoffUrlReceived)
  guard let looked, chain.isWhole(from: written, to: looked), chain.appStayedSilent(after: looked)
  else {
    return StepResult(
      .unknown, evidence: evidence, needs: [Needs(.eventsApp), Needs(.eventsSequence)],
      candidates: (.singleSlotMailboxOverwritten, nil))
  }
  return StepResult(
    .broken, cause: .singleSlotMailboxOverwritten, evidence: evidence,
    Evidence(.event, other ?? looked), Evidence(.coverage))
}

/// The URL and the mailbox name different entries: the slot holds another's job.
private func judgeEntries(_ chain: Chain, _ seen: Sightings) -> StepResult? {
  guard seen.holds(.handoffUrlReceived), seen.holds(.handoffMailboxRead),
    let url = chain.firstEvent(.handoffUrlReceived),
    let read = chain.firstEvent(.handoffMailboxRead), read > url,
    chain.differs(.entry, url, read) == true
  else { return nil }
  return StepResult(
    .broken, cause: .singleSlotMailboxOverwritten, evidence: Evidence(.event, read),
    Evidence(.event, url))
}

/// Whether the app drained the job of a record of writing.
private func isDrained(_ chain: Chain, _ written: Int) -> Bool {
  for place in chain.events.indices where chain.events[place].name == .handoffDrained {
    if chain.differs(.jobId, written, place) != true { return true }
  }
  return false
}

private func judgeUnwritten(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if let place = chain.firstHeld(seen, .handoffDrained, .handoffMailboxRead),
    chain.items(of: place) != 0
  {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  let needs: Needs = [Needs(.eventsExtension), Needs(.eventsApp), Needs(.eventsSequence)]
  guard seen.holds(.handoffStaged), let staged = chain.lastEvent(.handoffStaged),
    seen.holds(.handoffCompleted), let completed = chain.firstEvent(.handoffCompleted),
    completed > staged, chain.isWhole(from: staged, to: completed)
  else { return StepResult(.unknown, needs: needs) }
  return StepResult(
    .broken, evidence: Evidence(.event, completed), Evidence(.event, staged), Evidence(.coverage),
    needs: Needs(.extensionCode))
}
