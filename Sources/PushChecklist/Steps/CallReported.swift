import PushModel

extension ChecklistStep {
  /// Asks whether a VoIP push led to a call.
  static let callReported = ChecklistStep(
    id: .callReported,
    title: "The call was reported",
    question: "Did the app report a call for the VoIP push?",
    decidedBy: "By the app's records of the push and of the call that it reported to iOS.",
    facts: ["§1.3"],
    needs: [.eventsApp, .eventsSequence, .crashReport],
    outcomes: [
      OutcomeText(.holds, "A call was reported."),
      OutcomeText(.broken, "The push came and no call was reported."),
      OutcomeText(.unknown, "Nothing was recorded."),
    ],
    causes: [
      Cause(
        .voipNotReported,
        meaning: """
          The app got a VoIP push and reported no call. iOS ends the app for that, and stops such \
          pushes after some lapses.
          """,
        toldApartBy: "The push was recorded, and a log without gaps has no call after it.",
        repair: "Report a call to CallKit for every VoIP push, at once.",
        facts: ["§1.3"])
    ],
    nextAction: "Walk every path of the VoIP delegate and see that each reports.",
    knownLimits: "After repeated lapses nothing comes any more, and nothing is recorded.",
    examples: [
      Example("reported", .holds, from: .call),
      Example("nothing recorded", .unknown, from: .call) { $0.events = [] },
      Example("not reported, log whole", .broken, .voipNotReported, from: .call) {
        $0.drop(.callReported)
      },
      Example("the record was lost", .unknown, nearMiss: .voipNotReported, from: .call) {
        $0.lose(.callReported)
      },
    ],
    explain: { _, result, _ in
      result.outcome == .broken
        ? "The push came, and no call was reported."
        : result.plainSentence(holds: "A call was reported.", unknown: "Nothing was recorded.")
    })
}

func judgeCallReported(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.holds(.callReported), let place = chain.firstEvent(.callReported) {
    return StepResult(.holds, evidence: Evidence(.event, place))
  }
  guard seen.holds(.appVoipReceived), let place = chain.firstEvent(.appVoipReceived),
    chain.coverage.holdsApp, chain.isCovered(after: place, microseconds: 30 * second)
  else { return StepResult(.unknown, needs: [Needs(.eventsApp), Needs(.eventsSequence)]) }
  return StepResult(
    .broken, cause: .voipNotReported, evidence: Evidence(.event, place), Evidence(.coverage))
}
