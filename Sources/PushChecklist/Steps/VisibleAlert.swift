import PushModel

extension ChecklistStep {
  /// Asks whether there is something to show.
  static let visibleAlert = ChecklistStep(
    id: .visibleAlert,
    title: "There is something to show",
    question: "Is there non-empty alert text (and sound, if sound is what was missed)?",
    decidedBy: """
      By `aps.alert` (and `aps.sound`) in the payload. Without text in `aps.alert` iOS shows no \
      banner and does not start the service extension either.
      """,
    facts: ["F3.35", "F3.36", "F3.37", "F4.1", "F4.3", "F3.3", "F3.44", "§3.2"],
    needs: [.sendPayload, .receivedPayload],
    matters: .visible,
    outcomes: [
      OutcomeText(.holds, "The alert has text, or it was presented."),
      OutcomeText(.broken, "Nothing visible is in `aps`, or the sound that was meant is not."),
      OutcomeText(.unknown, "The payload is not known."),
    ],
    causes: [
      Cause(
        .noAlert,
        meaning: """
          Nothing visible is in `aps`: no `alert`, an empty one, or the text stands under a key that \
          iOS does not read. So there is neither a banner nor a run of the service extension.
          """,
        toldApartBy: """
          The payload is known and `aps.alert` is absent, an empty string, or has only empty or \
          non-text title, subtitle and body.
          """,
        repair: """
          Send `aps.alert` with a title or body; if the extension makes the text, send a placeholder \
          that it replaces.
          """,
        facts: ["F4.1", "F3.35", "F3.36", "F4.3"]),
      Cause(
        .soundMissing,
        meaning: "It was shown, but silently: the payload asks for no sound.",
        toldApartBy: """
          Sound was meant, `aps.sound` is absent, and no extension could have set one (the flag is \
          off, or what was shown is known to have been silent). Settings and Focus play no part.
          """,
        repair: """
          Add `aps.sound` (`default`, or a file that is in the app's bundle or `Library/Sounds` \
          before the notification comes).
          """,
        facts: ["§3.2", "F3.44"]),
    ],
    nextAction: "Look at the payload as sent: the text has to stand in `aps.alert`.",
    knownLimits: """
      A badge or a sound alone shows no text by design; nothing is called broken then unless text \
      was stated to be meant.
      """,
    examples: [
      Example("a title and a body", .holds, from: .plain),
      Example("payload not known", .unknown, from: .plain) { $0.payload = Payload() },
      Example("no alert", .broken, .noAlert, from: .plain) {
        $0.payload.alert = .absent
      },
      Example("an empty alert with the flag on", .broken, .noAlert, from: .media) {
        $0.payload.alert = .empty
        $0.forgetDevice()
      },
      Example("a text that is not empty", .holds, nearMiss: .noAlert, from: .plain),
      Example("a badge alone, and nothing stated", .notApplicable, from: .plain) {
        $0.payload.alert = .absent
        $0.payload.parts.insert(.badge)
      },
      Example("sound was meant, none asked for", .broken, .soundMissing, from: .plain) {
        $0.mean([.plain, .sound])
        $0.payload.sound = .missing
      },
      Example("sound was meant and asked for", .holds, nearMiss: .soundMissing, from: .plain) {
        $0.mean([.plain, .sound])
      },
      Example("an extension may have set the sound", .unknown, from: .media) {
        $0.mean([.media, .sound])
        $0.payload.sound = .missing
      },
    ],
    explain: explainVisibleAlert)
}

func judgeVisibleAlert(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let payload = seen.payload
  let evidence = chain.payloadEvidence(seen)
  guard let isVisible = payload.alert.isVisible else {
    return StepResult(.unknown, needs: [Needs(.sendPayload), Needs(.receivedPayload)])
  }
  if !isVisible {
    let isOnlyBadge =
      chain.meaningSource == .none && payload.alert == .absent
      && (payload.parts.contains(.badge) || payload.sound.value != nil)
      && !payload.parts.contains(.misplacedText)
    if isOnlyBadge, payload.parts.contains(.badge) { return .notApplicable }
    return StepResult(.broken, cause: .noAlert, evidence: evidence)
  }
  guard chain.meaning.contains(.sound), payload.sound.isMissing else {
    return StepResult(.holds, evidence: evidence)
  }
  if seen.presented >= 0, let wasHeard = chain.boolean(.sound, of: seen.presented) {
    if wasHeard { return StepResult(.holds, evidence: Evidence(.event, seen.presented)) }
    return StepResult(
      .broken, cause: .soundMissing, evidence: evidence, Evidence(.event, seen.presented))
  }
  if payload.mutableContent.isOn == false {
    return StepResult(.broken, cause: .soundMissing, evidence: evidence)
  }
  return StepResult(
    .unknown, evidence: evidence, needs: [Needs(.eventsApp), Needs(.extensionCode)],
    candidates: (.soundMissing, nil))
}

private func explainVisibleAlert(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  switch result.cause {
  case .noAlert: return "The payload has nothing to show in `aps.alert`."
  case .soundMissing: return "Sound was meant, and the payload asks for none."
  default:
    return result.plainSentence(
      holds: "The alert has text.",
      unknown: result.candidates.0 == nil
        ? "The payload is not known." : "No sound is asked for; the extension may have set one.")
  }
}
