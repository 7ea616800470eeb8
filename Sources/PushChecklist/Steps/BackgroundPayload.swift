import PushModel

extension ChecklistStep {
  /// Asks whether a silent notification is silent.
  static let backgroundPayload = ChecklistStep(
    id: .backgroundPayload,
    title: "The silent notification is silent",
    question: "Is nothing visible in `aps`, and `content-available` on?",
    decidedBy: """
      By `aps` in the payload: only `content-available` may stand in it. A silent notification \
      shows nothing; it wakes the app for a moment.
      """,
    facts: ["F8.1", "F1.41", "F3.5", "F3.30", "F3.33", "F3.35"],
    needs: [.sendPayload, .receivedPayload],
    matters: .silent,
    outcomes: [
      OutcomeText(.holds, "Only `content-available`, and on; or the app was woken."),
      OutcomeText(.broken, "Something else stands in `aps`, or the flag is not on."),
      OutcomeText(.unknown, "The payload is not known."),
    ],
    causes: [
      Cause(
        .alertInBackgroundPush,
        meaning: """
          A notification that was meant to be silent carries alert, sound or badge keys, even empty \
          ones, so iOS does not treat it as silent.
          """,
        toldApartBy: """
          `content-available` is on, and alert, sound or badge keys stand beside it without visible \
          text.
          """,
        repair: "Put only `content-available: 1` into `aps`.",
        facts: ["F8.1", "F1.41", "F3.35"])
    ],
    nextAction: "Print the JSON that leaves the server and look inside `aps`.",
    knownLimits: "Older versions of iOS were more tolerant.",
    examples: [
      Example("`content-available` alone", .holds, from: .silent),
      Example("payload not known", .unknown, from: .silent) {
        $0.payload = Payload()
        $0.forgetDevice()
      },
      Example("an empty alert and a sound", .broken, .alertInBackgroundPush, from: .silent) {
        $0.payload.alert = .empty
        $0.payload.sound = .known(Symbol(.empty))
        $0.forgetDevice()
      },
      Example("custom keys beside `aps`", .holds, nearMiss: .alertInBackgroundPush, from: .silent) {
        $0.payload.parts.insert(.custom)
      },
      Example("`content_available`", .broken, .mutableKeySpellingNesting, from: .silent) {
        $0.payload.contentAvailable = .absent
        $0.payload.misplacedAvailable = .spelling
        $0.forgetDevice()
      },
      Example(
        "a string, through a gateway that tests for the number", .broken, .flagTypeString,
        from: .silent
      ) {
        $0.send.provider = .known(Symbol(.parse))
        $0.payload.contentAvailable = .text
        $0.forgetDevice()
      },
      Example("no flag at all", .broken, from: .silent) {
        $0.mean(.silent)
        $0.payload.contentAvailable = .absent
        $0.forgetDevice()
      },
    ],
    explain: { _, result, _ in
      switch result.cause {
      case .alertInBackgroundPush: "Alert, sound or badge keys stand beside `content-available`."
      case .mutableKeySpellingNesting: "The flag is there, but not as `content-available` in `aps`."
      case .flagTypeString: "The flag is a string, and the gateway tests for the number."
      default:
        result.outcome == .broken
          ? "`content-available` is not in `aps`."
          : result.plainSentence(
            holds: "Only `content-available` is in `aps`.", unknown: "The payload is not known.")
      }
    })
}

func judgeBackgroundPayload(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let payload = seen.payload
  let evidence = chain.payloadEvidence(seen)
  if seen.woken >= 0 { return StepResult(.holds, evidence: Evidence(.event, seen.woken)) }
  guard let isOn = payload.contentAvailable.isOn else {
    return StepResult(.unknown, needs: [Needs(.sendPayload), Needs(.receivedPayload)])
  }
  if !isOn {
    if !payload.misplacedAvailable.isEmpty {
      return StepResult(.broken, cause: .mutableKeySpellingNesting, evidence: evidence)
    }
    return StepResult(.broken, evidence: evidence)
  }
  if payload.contentAvailable == .text, seen.send >= 0,
    chain.sends[seen.send].provider.isKnown(.parse)
  {
    return StepResult(
      .broken, cause: .flagTypeString, confidence: .likely, evidence: evidence)
  }
  // With real text it is an alert; that contradiction is judged at the push type.
  let hasKeys =
    payload.alert == .empty || payload.sound.value != nil
    || !payload.parts.isDisjoint(with: [.badge, .emptySound])
  if hasKeys, payload.alert != .visible {
    return StepResult(
      .broken, cause: .alertInBackgroundPush, confidence: .likely, evidence: evidence)
  }
  return StepResult(.holds, evidence: evidence)
}
