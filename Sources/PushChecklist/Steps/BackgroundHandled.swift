import PushModel

extension ChecklistStep {
  /// Asks whether the woken app finished.
  static let backgroundHandled = ChecklistStep(
    id: .backgroundHandled,
    title: "The app finished its work",
    question: "Was the completion called within 30 seconds?",
    decidedBy: "By the app's records of its start in the background and of its end.",
    facts: ["F8.6"],
    needs: [.eventsApp, .eventsSequence],
    matters: .silent,
    outcomes: [
      OutcomeText(.holds, "The completion was called in time."),
      OutcomeText(.broken, "It was called late or never."),
      OutcomeText(.unknown, "Its record is missing."),
    ],
    causes: [
      Cause(
        .backgroundNotCompleted,
        meaning: """
          The app was woken and did not say in time that it was done; iOS ends it and wakes it less \
          often afterwards.
          """,
        toldApartBy: """
          A start without a completion in a log without gaps, or one after more than 30 seconds.
          """,
        repair: "Call the completion handler on every path, within 30 seconds.",
        facts: ["F8.6"])
    ],
    nextAction: "Measure the work; move long transfers to a background session.",
    knownLimits: "What was done before the end is not recorded.",
    examples: [
      Example("done after a second", .holds, from: .silent),
      Example("its record was lost", .unknown, from: .silent) { $0.lose(.appBackgroundCompleted) },
      Example("never, log whole", .broken, .backgroundNotCompleted, from: .silent) {
        $0.drop(.appBackgroundCompleted)
      },
      Example("after 29 seconds", .holds, nearMiss: .backgroundNotCompleted, from: .silent) {
        $0.set(.appBackgroundCompleted, .elapsedMs, .int(29_000))
      },
      Example("after 31 seconds", .broken, .backgroundNotCompleted, from: .silent) {
        $0.set(.appBackgroundCompleted, .elapsedMs, .int(31_000))
      },
    ],
    explain: { _, result, _ in
      if result.outcome == .broken {
        return result.value > 0
          ? "The completion was called after \(result.value) ms."
          : "The app was woken, and no completion followed."
      }
      return result.plainSentence(
        holds: "The completion was called in time.", unknown: "The end of the work is not recorded."
      )
    })
}

func judgeBackgroundHandled(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let needs: Needs = [Needs(.eventsApp), Needs(.eventsSequence)]
  if seen.holds(.appBackgroundCompleted), let end = chain.firstEvent(.appBackgroundCompleted) {
    let evidence = Evidence(.event, end)
    if let elapsed = chain.integer(.elapsedMs, of: end), elapsed > 30_000 {
      return StepResult(
        .broken, cause: .backgroundNotCompleted, evidence: evidence, value: elapsed)
    }
    return StepResult(.holds, evidence: evidence)
  }
  guard seen.holds(.appBackgroundLaunch), let start = chain.firstEvent(.appBackgroundLaunch),
    chain.coverage.holdsApp, chain.isCovered(after: start, microseconds: 31 * second)
  else { return StepResult(.unknown, needs: needs) }
  return StepResult(
    .broken, cause: .backgroundNotCompleted, evidence: Evidence(.event, start),
    Evidence(.coverage))
}
