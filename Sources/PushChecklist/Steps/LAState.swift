import PushModel

extension ChecklistStep {
  /// Asks whether the activity still lives.
  static let laState = ChecklistStep(
    id: .laState,
    title: "The activity still lives",
    question: "Not ended, not dismissed, not older than eight hours?",
    decidedBy: "By the end that the app recorded.",
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
        toldApartBy: "The app recorded its end, and no update after it.",
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
      Example("updated, then ended", .holds, nearMiss: .laEnded, from: .liveActivity) {
        $0.add(.liveActivityEnded, at: 90_000)
      },
    ],
    judge: { chain, seen in
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
      return StepResult(.unknown, needs: Needs(.eventsApp))
    },
    explain: { _, result, _ in
      result.outcome == .broken
        ? "The activity had ended."
        : result.plainSentence(holds: "The update was taken.", unknown: "Nothing was recorded.")
    })
}
