import PushModel

extension ChecklistStep {
  /// Asks whether iOS would wake the app at that moment.
  static let appWakeable = ChecklistStep(
    id: .appWakeable,
    title: "iOS would wake the app",
    question: "Could the app be woken: not force-quit, within its budget?",
    decidedBy: """
      By a recorded start in the background, the recorded state of the app, and a log of the app \
      without gaps.
      """,
    facts: ["F8.2", "F8.4", "F8.5", "F8.8"],
    needs: [.appState, .eventsApp, .eventsSequence],
    matters: .silent,
    outcomes: [
      OutcomeText(.holds, "The app was woken."),
      OutcomeText(.broken, "iOS did not wake it; the records say why."),
      OutcomeText(.unknown, "No start was recorded, and the log would not have to have one."),
    ],
    causes: [
      Cause(
        .forceQuit,
        meaning: """
          The person has swiped the app away; iOS then starts it for no silent notification until \
          they open it again.
          """,
        toldApartBy: "The recorded state is force-quit; visible notifications still work.",
        repair: "By design of iOS: send an alert for what matters.",
        facts: ["F8.4", "F8.5"]),
      Cause(
        .backgroundBestEffort,
        meaning: """
          iOS held, merged or dropped it: silent notifications are best effort, a few an hour at \
          most.
          """,
        toldApartBy: """
          Headers, payload, mode and state are in order, and a log of the app without gaps has no \
          start.
          """,
        repair: "By design of iOS: send fewer, or use an alert that the extension changes.",
        facts: ["F8.2", "F8.4", "F8.8"]),
    ],
    nextAction: "Count silent notifications per phone and hour.",
    knownLimits: "Whether the app was force-quit is seldom recorded.",
    examples: [
      Example("woken", .holds, from: .silent),
      Example("nothing recorded", .unknown, from: .silent) { $0.forgetDevice() },
      Example("force-quit", .broken, .forceQuit, from: .silent) {
        $0.drop(.appBackgroundLaunch, .appBackgroundCompleted)
        $0.chain.installation.appState = .known(Symbol(.forceQuit))
      },
      Example(
        "not woken, log whole, app not running", .broken, .backgroundBestEffort,
        nearMiss: .forceQuit, from: .silent
      ) {
        $0.drop(.appBackgroundLaunch, .appBackgroundCompleted)
        $0.chain.installation.appState = .known(Symbol(.notRunning))
      },
      Example(
        "not woken, log whole, state not known", .unknown, nearMiss: .backgroundBestEffort,
        from: .silent
      ) {
        $0.drop(.appBackgroundLaunch, .appBackgroundCompleted)
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .forceQuit: "The app had been swiped away."
      case .backgroundBestEffort: "Everything is in order, and iOS did not wake the app."
      default:
        result.plainSentence(
          holds: "The app was woken.", unknown: "No start of the app is recorded.")
      }
    })
}

func judgeWakeable(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.woken >= 0 { return StepResult(.holds, evidence: Evidence(.event, seen.woken)) }
  guard seen.isAccepted else { return StepResult(.unknown, needs: Needs(.sendResponse)) }
  let state = chain.installation.appState
  if state.isKnown(.forceQuit) {
    return StepResult(.broken, cause: .forceQuit, evidence: Evidence(.installation))
  }
  let coverage = chain.coverage
  guard coverage.isGapless, coverage.holdsApp, coverage.clockError != .max,
    case .known(let sentAt) = chain.sends[seen.acceptedBy].sentAt,
    coverage.runFrom <= sentAt - coverage.clockError,
    coverage.runTo >= sentAt + coverage.clockError + 600 * second
  else { return StepResult(.unknown, needs: [Needs(.eventsApp), Needs(.eventsSequence)]) }
  if state.isUnknown || state.isMissing {
    return StepResult(
      .unknown, evidence: Evidence(.coverage), needs: Needs(.appState),
      candidates: (.backgroundBestEffort, .forceQuit))
  }
  return StepResult(
    .broken, cause: .backgroundBestEffort, confidence: .likely,
    evidence: Evidence(.send, seen.acceptedBy), Evidence(.coverage))
}
