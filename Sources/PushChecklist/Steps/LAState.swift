import PushModel

extension ChecklistStep {
  /// Asks whether the activity still lives.
  static let laState = ChecklistStep(
    id: .laState,
    title: "The activity still lives",
    question: "Not ended, not dismissed, not older than eight hours?",
    decidedBy:
      "By the end that the app recorded, or that an earlier send to the same token asked for.",
    facts: ["F9.8", "F9.9", "F9.10", "F9.16"],
    needs: [.eventsApp],
    outcomes: [
      OutcomeText(.holds, "The update was taken."),
      OutcomeText(.broken, "The activity had ended."),
      OutcomeText(.unknown, "Nothing was recorded."),
    ],
    causes: [
      Cause(
        .laEnded,
        meaning: "The activity is over: ended, dismissed, or older than eight hours.",
        toldApartBy: "The app recorded its end, or a send ended it, and no update came after that.",
        repair: "Start a new one; draw the stale state before that.",
        facts: ["F9.8", "F9.9", "F9.10", "F9.16"])
    ],
    nextAction: "Compare the time of the end with the time of the send.",
    knownLimits: "A swipe away is recorded only if the app runs.",
    examples: [
      Example("updated", .holds, from: .liveActivity),
      Example("nothing recorded", .unknown, from: .liveActivity) { $0.events = [] },
      Example("ended", .broken, .laEnded, from: .liveActivity) {
        $0.events = []
        $0.add(.liveActivityEnded, at: -60_000)
      },
      Example("an earlier send ended it", .broken, .laEnded, from: .liveActivity) {
        $0.events = []
        $0.chain.traffic.activityEndedAt = .known(ExampleChain.sentAt - 300 * second)
      },
      Example(
        "ended once more", .unknown, nearMiss: .laEnded, from: .liveActivity
      ) {
        $0.events = []
        $0.chain.traffic.activityEndedAt = .known(ExampleChain.sentAt - 300 * second)
        $0.payload.parts.insert(.endsActivity)
      },
      Example("updated, then ended", .holds, nearMiss: .laEnded, from: .liveActivity) {
        $0.add(.liveActivityEnded, at: 90_000)
      },
    ],
    explain: { _, result, _ in
      result.outcome == .broken
        ? "The activity had ended."
        : result.plainSentence(holds: "The update was taken.", unknown: "Nothing was recorded.")
    })
}

func judgeLAState(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.presented >= 0 {
    return StepResult(.holds, evidence: Evidence(.event, seen.presented))
  }
  // An end after the send says nothing: the update may have come before it.
  if seen.holds(.liveActivityEnded), let place = chain.firstEvent(.liveActivityEnded),
    seen.send >= 0, case .known(let sentAt) = chain.sends[seen.send].sentAt,
    case .known(let endedAt) = chain.events[place].correctedAt,
    chain.coverage.clockError != .max, endedAt + chain.coverage.clockError < sentAt
  {
    return StepResult(
      .broken, cause: .laEnded, confidence: .likely, evidence: Evidence(.event, place))
  }
  // What APNs took need not have come, so it is no more than likely.
  if seen.send >= 0, case .known = chain.traffic.activityEndedAt,
    !chain.sends[seen.send].payload.parts.contains(.endsActivity)
  {
    return StepResult(
      .broken, cause: .laEnded, confidence: .likely, evidence: Evidence(.send, seen.send),
      Evidence(.activityEnd))
  }
  return StepResult(.unknown, needs: Needs(.eventsApp))
}
