import PushModel

extension ChecklistStep {
  /// Asks whether the app can show Live Activities here.
  static let laSupported = ChecklistStep(
    id: .laSupported,
    title: "Live Activities are possible here",
    question: "Plist key, widget extension, switched on, and iOS new enough?",
    decidedBy: "By the error that starting an activity gave, as the app recorded it.",
    facts: ["F9.1", "F9.6", "F9.13"],
    needs: [.eventsApp, .appInfo, .deviceSettings],
    outcomes: [
      OutcomeText(.holds, "An activity was started or updated."),
      OutcomeText(.broken, "Starting one failed."),
      OutcomeText(.unknown, "Nothing was recorded."),
    ],
    causes: [
      Cause(
        .laNotSupported,
        meaning: """
          The app cannot show Live Activities on this phone: key or widget missing, switched off by \
          the person, or iOS too old for this kind of start.
          """,
        toldApartBy: "`live_activity.start_failed` with its reason.",
        repair: """
          Add `NSSupportsLiveActivities` and the widget extension; ask the person; start from the \
          app where iOS cannot start it remotely.
          """,
        facts: ["F9.1", "F9.6", "F9.13"])
    ],
    nextAction: "Read the reason of the failed start.",
    knownLimits: "A start by push that never happens leaves no record.",
    examples: [
      Example("updated", .holds, from: .liveActivity),
      Example("nothing recorded", .unknown, from: .liveActivity) { $0.events = [] },
      Example("start failed", .broken, .laNotSupported, from: .liveActivity) {
        $0.events = []
        $0.add(.liveActivityStartFailed, at: 500, [(.reason, .text("denied"))])
      },
      Example("started", .holds, nearMiss: .laNotSupported, from: .liveActivity) {
        $0.add(.liveActivityStarted, at: 500)
      },
    ],
    explain: { _, result, _ in
      result.outcome == .broken
        ? "Starting the activity failed."
        : result.plainSentence(
          holds: "The activity was started or updated.", unknown: "Nothing was recorded.")
    })
}

func judgeLASupported(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.holds(.liveActivityStartFailed),
    let place = chain.firstEvent(.liveActivityStartFailed)
  {
    return StepResult(.broken, cause: .laNotSupported, evidence: Evidence(.event, place))
  }
  if seen.presented >= 0 {
    return StepResult(.holds, evidence: Evidence(.event, seen.presented))
  }
  return StepResult(.unknown, needs: [Needs(.eventsApp), Needs(.appInfo)])
}
