import PushModel

extension ChecklistStep {
  /// Asks whether the person and the signature allow what was asked.
  static let notificationSettings = ChecklistStep(
    id: .notificationSettings,
    title: "Settings allow what was asked",
    question: "Do settings, entitlements and authorisation allow what was asked?",
    decidedBy: """
      By the settings that the app recorded around the arrival, the level in the payload, and the \
      entitlements of the signed app.
      """,
    facts: [
      "F4.2", "F6.8", "F6.9", "F6.10", "F6.11", "F6.12", "F6.13", "F8.7", "F3.40", "§3.2",
    ],
    needs: [.deviceSettings, .appEntitlements, .sendPayload],
    matters: .visible,
    outcomes: [
      OutcomeText(.holds, "Settings and signature allow it, or it was presented."),
      OutcomeText(.broken, "The person or the signature does not allow what was asked."),
      OutcomeText(.unknown, "The settings at that time are not known."),
    ],
    causes: [
      Cause(
        .notificationsDenied,
        meaning: """
          The person has switched off the app's notifications, or its alerts. iOS then shows \
          nothing and does not start the service extension.
          """,
        toldApartBy: "The recorded authorisation is denied, or alerts are off.",
        repair: """
          Ask in the app, at a moment where the use is plain, and lead to Settings; show the news \
          inside the app meanwhile.
          """,
        facts: ["F4.2", "F8.7"]),
      Cause(
        .provisionalAuth,
        meaning: """
          The app asked for quiet delivery on trial: notifications go to the list, without banner \
          and sound.
          """,
        toldApartBy: "The recorded authorisation is provisional.",
        repair: "Ask for full authorisation when the person has seen what the app sends.",
        facts: ["F6.12"]),
      Cause(
        .quietLevel,
        meaning: """
          The payload itself asks for quiet: level `passive` goes to the list without banner, sound \
          or a lit screen.
          """,
        toldApartBy: "`interruption-level` is `passive`, sound was meant, settings are in order.",
        repair: "Send `active` if it is to be noticed.",
        facts: ["§3.2"]),
      Cause(
        .interruptionEntitlement,
        meaning: """
          Time Sensitive or Critical was asked for, and the signed app has no permission for it, so \
          it does not break through.
          """,
        toldApartBy: """
          The level (or a critical sound) is in the payload, and the entitlement is not in the \
          signed app.
          """,
        repair: """
          Add the capability (Critical needs Apple's approval first), renew the profile, sign again.
          """,
        facts: ["F6.9", "F6.10", "F6.11", "F3.40"]),
      Cause(
        .focusOrSummary,
        meaning: "A Focus or the scheduled summary held it back or muted it, as the person wants.",
        toldApartBy: """
          Focus or summary is known to be on at arrival, the level does not break through, and it \
          was seen to be quiet or was meant to be heard.
          """,
        repair: "Nothing to repair; ask for a higher level only where the person would want it.",
        facts: ["F6.8", "F6.9", "F6.13"]),
    ],
    nextAction: "Show the state of the permission in the app, and count how many have it off.",
    knownLimits: """
      Settings are recorded now and then; a change between two records is not seen. Which app a \
      Focus lets through is not recorded at all.
      """,
    examples: [
      Example("authorised, alerts on", .holds, from: .plain),
      Example("settings not known", .unknown, from: .plain) {
        $0.chain.installation.authorization = .unknown
        $0.chain.installation.alerts = .unknown
      },
      Example("denied", .broken, .notificationsDenied, from: .plain) {
        $0.chain.installation.authorization = .known(Symbol(.denied))
      },
      Example("alerts off", .broken, .notificationsDenied, from: .plain) {
        $0.chain.installation.alerts = .known(false)
      },
      Example(
        "denied before, allowed in the next record", .unknown, nearMiss: .notificationsDenied,
        from: .plain
      ) {
        $0.chain.installation.authorization = .known(Symbol(.denied))
        $0.chain.installation.settingsConfirmed = .known(false)
      },
      Example("provisional", .broken, .provisionalAuth, from: .plain) {
        $0.chain.installation.authorization = .known(Symbol(.provisional))
      },
      Example("fully authorised", .holds, nearMiss: .provisionalAuth, from: .plain),
      Example("passive, and sound was meant", .broken, .quietLevel, from: .plain) {
        $0.mean([.plain, .sound])
        $0.payload.interruptionLevel = .known(Symbol(.passive))
      },
      Example("passive, and nothing said about sound", .holds, nearMiss: .quietLevel, from: .plain)
      {
        $0.payload.interruptionLevel = .known(Symbol(.passive))
      },
      Example(
        "Time Sensitive without the entitlement", .broken, .interruptionEntitlement, from: .plain
      ) {
        $0.payload.interruptionLevel = .known(Symbol(.timeSensitiveText))
        $0.chain.release.timeSensitiveEntitlement = .known(false)
      },
      Example(
        "Time Sensitive with the entitlement", .holds, nearMiss: .interruptionEntitlement,
        from: .plain
      ) {
        $0.payload.interruptionLevel = .known(Symbol(.timeSensitiveText))
        $0.chain.release.timeSensitiveEntitlement = .known(true)
      },
      Example("Focus on, in the list without a sound", .broken, .focusOrSummary) {
        $0.chain.installation.focus = .known(true)
        $0.add(
          .appPresented, at: 600_000,
          [(.style, .word(.list)), (.trigger, .word(.push)), (.attachments, .int(1))])
      },
      Example("Focus on the day before", .unknown, nearMiss: .focusOrSummary) {
        $0.chain.installation.focus = .known(true)
        $0.chain.installation.focusAge = .known(86_400 * second)
        $0.add(
          .appPresented, at: 600_000,
          [(.style, .word(.list)), (.trigger, .word(.push)), (.attachments, .int(1))])
      },
      Example("Focus on, nothing seen to be quiet", .holds, nearMiss: .focusOrSummary) {
        $0.chain.installation.focus = .known(true)
      },
    ],
    explain: { chain, result, texts in
      switch result.cause {
      case .notificationsDenied: "Notifications or alerts are switched off for the app."
      case .provisionalAuth: "The authorisation is provisional: to the list only."
      case .quietLevel: "The payload asks for level `passive`."
      case .interruptionEntitlement:
        "The payload asks for \(chain.text(chain.sends.last?.payload.interruptionLevel ?? .unknown, texts)), which the signed app may not."
      case .focusOrSummary: "A Focus or the scheduled summary was on at arrival."
      default:
        result.plainSentence(
          holds: "Settings and signature allow what was asked.",
          unknown: "The settings at that time are not known, or changed around it.")
      }
    })
}

func judgeSettings(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let installation = chain.installation
  let evidence = Evidence(.settings)
  let needs = Needs(.deviceSettings)
  let isDenied =
    installation.authorization.isKnown(.denied) || installation.alerts == .known(false)
  if isDenied {
    // Somebody compared the records on both sides, and they differ.
    if installation.settingsConfirmed == .known(false) {
      return StepResult(
        .unknown, evidence: evidence, needs: needs, candidates: (.notificationsDenied, nil))
    }
    return StepResult(
      .broken, cause: .notificationsDenied,
      confidence: installation.settingsConfirmed == .known(true) ? .certain : .likely,
      evidence: evidence)
  }
  if installation.authorization.isKnown(.provisional) {
    return StepResult(.broken, cause: .provisionalAuth, evidence: evidence)
  }
  let level = seen.payload.interruptionLevel
  let wantsTimeSensitive = level.isKnown(.timeSensitiveText)
  let wantsCritical = level.isKnown(.critical) || seen.payload.parts.contains(.criticalSound)
  let mayNot =
    (wantsTimeSensitive && isAbsent(chain.release.timeSensitiveEntitlement))
    || (wantsCritical && isAbsent(chain.release.criticalEntitlement))
  if mayNot {
    return StepResult(
      .broken, cause: .interruptionEntitlement, evidence: chain.payloadEvidence(seen),
      Evidence(.release))
  }
  let mayBeHeld = !wantsTimeSensitive && !wantsCritical && isQuiet(chain, seen)
  // A Focus comes and goes within the day: a record of it from long before tells nothing.
  var isFocusRecent = true
  if case .known(let age) = installation.focusAge { isFocusRecent = age <= 3600 * second }
  if mayBeHeld, installation.focus == .known(true), !isFocusRecent,
    installation.scheduledSummary != .known(true)
  {
    return StepResult(
      .unknown, evidence: evidence, needs: needs, candidates: (.focusOrSummary, nil))
  }
  let isHeld =
    installation.focus == .known(true) || installation.scheduledSummary == .known(true)
  if mayBeHeld, isHeld {
    return StepResult(
      .broken, cause: .focusOrSummary, confidence: .likely, evidence: evidence,
      seen.presented >= 0 ? Evidence(.event, seen.presented) : .none)
  }
  if level.isKnown(.passive), chain.meaning.contains(.sound) {
    return StepResult(.broken, cause: .quietLevel, evidence: chain.payloadEvidence(seen))
  }
  if installation.authorization.isUnknown, installation.alerts.isUnknown {
    return StepResult(.unknown, needs: needs)
  }
  return StepResult(.holds, evidence: evidence)
}

private func isAbsent(_ entitlement: Known<Bool>) -> Bool {
  entitlement.isMissing || entitlement == .known(false)
}

/// Whether it was seen to be quiet, or was meant to be heard.
private func isQuiet(_ chain: Chain, _ seen: Sightings) -> Bool {
  if chain.meaning.contains(.sound) { return true }
  guard seen.presented >= 0 else { return false }
  if let style = chain.text(.style, of: seen.presented), style == .list { return true }
  return false
}
