import PushModel

extension ChecklistStep {
  /// Asks whether the update can be read.
  static let laPayload = ChecklistStep(
    id: .laPayload,
    title: "The update can be read",
    question: "Event, timestamp, and a content state that decodes?",
    decidedBy: "By the payload's keys and by a decoding failure that the phone recorded.",
    facts: ["F9.3", "F9.4", "§3.2"],
    needs: [.sendPayload, .eventsApp, .log],
    outcomes: [
      OutcomeText(.holds, "The activity took the update."),
      OutcomeText(.broken, "The state does not decode, or keys are missing."),
      OutcomeText(.unknown, "Nothing was recorded."),
    ],
    causes: [
      Cause(
        .laContentState,
        meaning: "The content state does not decode into the app's Swift type.",
        toldApartBy: "200, then a recorded decoding failure; local updates are fine.",
        repair: """
          Send exactly the fields of the Swift type with default coding; dates are seconds since \
          2001 there.
          """,
        facts: ["F9.3", "F9.4"]),
      Cause(
        .laPayloadIncomplete,
        meaning: "A required key is missing or has the wrong unit.",
        toldApartBy: """
          The whole payload is known and lacks `event`, `timestamp` or a start's \
          `attributes-type`, or its `timestamp` is too large for seconds.
          """,
        repair: """
          Send `timestamp` in seconds (now), `event` and `content-state`; a start also needs \
          `attributes-type`, `attributes` and an `alert`.
          """,
        facts: ["F9.3", "§3.2"]),
    ],
    nextAction: "Decode the sent state with the app's own type in a test.",
    knownLimits: "Values that decode and mean something else are not seen.",
    examples: [
      Example("updated", .holds, from: .liveActivity),
      Example("nothing recorded", .unknown, from: .liveActivity) { $0.events = [] },
      Example("decoding failed", .broken, .laContentState, from: .liveActivity) {
        $0.events = []
        $0.add(.liveActivityDecodeFailed, at: 800)
      },
      Example("no failure", .holds, nearMiss: .laContentState, from: .liveActivity),
      Example("no keys of an update", .broken, .laPayloadIncomplete, from: .liveActivity) {
        $0.events = []
        $0.payload.parts = [.whole, .aps]
      },
      Example("no timestamp", .broken, .laPayloadIncomplete, from: .liveActivity) {
        $0.events = []
        $0.payload.parts.insert(.activityWithoutTimestamp)
      },
      Example("keys of an update", .unknown, nearMiss: .laPayloadIncomplete, from: .liveActivity) {
        $0.events = []
      },
    ],
    explain: { chain, result, _ in
      switch result.cause {
      case .laContentState: "The phone could not decode the content state."
      case .laPayloadIncomplete: incompleteText(chain.sends.last?.payload.parts ?? [])
      default:
        result.plainSentence(holds: "The update was taken.", unknown: "Nothing was recorded.")
      }
    })
}

private func incompleteText(_ parts: Payload.Parts) -> String {
  if parts.contains(.activityWithoutTimestamp) { return "The payload has no `timestamp`." }
  if parts.contains(.activityWithoutEvent) { return "The payload has no `event`." }
  if parts.contains(.timestampTooLarge) { return "The `timestamp` is not in seconds." }
  if parts.contains(.startWithoutType) { return "The start names no `attributes-type`." }
  return "The payload has none of the keys of an update."
}

func judgeLAPayload(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.holds(.liveActivityDecodeFailed),
    let place = chain.firstEvent(.liveActivityDecodeFailed)
  {
    return StepResult(.broken, cause: .laContentState, evidence: Evidence(.event, place))
  }
  if seen.presented >= 0 {
    return StepResult(.holds, evidence: Evidence(.event, seen.presented))
  }
  if seen.send >= 0, chain.sends[seen.send].payload.isWhole,
    !chain.sends[seen.send].payload.parts.contains(.liveActivity)
  {
    return StepResult(
      .broken, cause: .laPayloadIncomplete, evidence: Evidence(.send, seen.send))
  }
  if seen.send >= 0,
    !chain.sends[seen.send].payload.parts.isDisjoint(with: .incompleteActivity)
  {
    return StepResult(
      .broken, cause: .laPayloadIncomplete, confidence: .likely,
      evidence: Evidence(.send, seen.send))
  }
  return StepResult(.unknown, needs: [Needs(.eventsApp), Needs(.log)])
}
