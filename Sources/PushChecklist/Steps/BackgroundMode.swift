import PushModel

extension ChecklistStep {
  /// Asks whether the app may be woken.
  static let backgroundMode = ChecklistStep(
    id: .backgroundMode,
    title: "The app may be woken",
    question: "Is `remote-notification` in `UIBackgroundModes`, and refresh allowed?",
    decidedBy: """
      By the app's Info.plist and the recorded setting of Background App Refresh.
      """,
    facts: ["F8.1", "F8.7"],
    needs: [.appInfo, .deviceSettings],
    matters: .silent,
    outcomes: [
      OutcomeText(.holds, "The mode is there and refresh is on, or the app was woken."),
      OutcomeText(.broken, "The app may not be woken."),
      OutcomeText(.unknown, "Info.plist or setting is not known."),
    ],
    causes: [
      Cause(
        .backgroundModeMissing,
        meaning: """
          The app does not declare that it wants to be woken, or the person has switched Background \
          App Refresh off.
          """,
        toldApartBy: """
          `remote-notification` is not in `UIBackgroundModes`, or the recorded setting is off.
          """,
        repair: """
          Switch on Background Modes → Remote notifications in the app target; explain to people \
          what the setting is for.
          """,
        facts: ["F8.1", "F8.7"])
    ],
    nextAction: "Read `UIBackgroundModes` in the built app.",
    knownLimits: "Low Power Mode delays wake-ups too, and is no fault.",
    examples: [
      Example("mode and refresh", .holds, from: .silent),
      Example("not known", .unknown, from: .silent) {
        $0.chain.release.remoteNotificationMode = .unknown
        $0.forgetDevice()
      },
      Example("mode missing", .broken, .backgroundModeMissing, from: .silent) {
        $0.chain.release.remoteNotificationMode = .known(false)
        $0.forgetDevice()
      },
      Example("refresh off", .broken, .backgroundModeMissing, from: .silent) {
        $0.chain.installation.backgroundRefresh = .known(false)
        $0.forgetDevice()
      },
      Example("refresh on", .holds, nearMiss: .backgroundModeMissing, from: .silent) {
        $0.forgetDevice()
      },
    ],
    explain: { _, result, _ in
      result.outcome == .broken
        ? "The app does not declare the background mode, or refresh is off."
        : result.plainSentence(
          holds: "The app may be woken.", unknown: "Background mode or setting is not known.")
    })
}

func judgeBackgroundMode(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if chain.release.remoteNotificationMode == .known(false)
    || chain.release.remoteNotificationMode.isMissing
  {
    return StepResult(
      .broken, cause: .backgroundModeMissing, evidence: Evidence(.release))
  }
  if chain.installation.backgroundRefresh == .known(false) {
    return StepResult(
      .broken, cause: .backgroundModeMissing, evidence: Evidence(.settings))
  }
  if seen.woken >= 0 { return StepResult(.holds, evidence: Evidence(.event, seen.woken)) }
  guard chain.release.remoteNotificationMode == .known(true),
    chain.installation.backgroundRefresh == .known(true)
  else { return StepResult(.unknown, needs: [Needs(.appInfo), Needs(.deviceSettings)]) }
  return StepResult(.holds, evidence: Evidence(.release), Evidence(.settings))
}
