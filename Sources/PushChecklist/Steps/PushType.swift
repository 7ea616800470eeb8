import PushModel

extension ChecklistStep {
  /// Asks whether the push type says what the payload is.
  static let pushType = ChecklistStep(
    id: .pushType,
    title: "The push type fits the payload",
    question: "Does `apns-push-type` match what the payload is?",
    decidedBy: """
      By the header `apns-push-type`, what is visible in the payload, and the suffix of the topic. \
      APNs accepts many contradictions; the phone then drops or ignores the notification.
      """,
    facts: ["F1.17", "F1.41", "F1.42", "F1.44", "F1.45"],
    needs: [.sendHeaders, .sendPayload],
    outcomes: [
      OutcomeText(.holds, "Type and payload say the same, or the phone showed it all the same."),
      OutcomeText(.broken, "The type contradicts the payload or the topic, or is missing."),
      OutcomeText(.unknown, "Header or payload are not known."),
    ],
    causes: [
      Cause(
        .pushTypeMismatch,
        meaning: """
          The header says one thing and the payload another: type `alert` with nothing to show, type \
          `background` with an alert, or a type that does not belong to the topic.
          """,
        toldApartBy: """
          Header and payload are both known and contradict each other, and nothing of it was seen \
          on the phone.
          """,
        repair: """
          Derive the type from the payload: anything visible or audible is `alert`, only \
          `content-available` is `background`.
          """,
        facts: ["F1.17", "F1.41", "F1.42", "F1.45"]),
      Cause(
        .pushTypeMissing,
        meaning: """
          No `apns-push-type` was sent with a silent notification. Visible ones survive that on \
          iPhone, silent ones may be delayed or dropped.
          """,
        toldApartBy: "The header is known to be absent, and the payload is silent.",
        repair: "Send `apns-push-type` with every request.",
        facts: ["F1.17", "F1.44"]),
    ],
    nextAction: "Set the type where the payload is built, not in the transport.",
    knownLimits: "What APNs and the phone do with a contradiction is not documented in detail.",
    examples: [
      Example("type alert, visible text", .holds, from: .plain),
      Example("header not known", .unknown, from: .plain) { $0.send.pushType = .unknown },
      Example("type background with an alert", .broken, .pushTypeMismatch, from: .plain) {
        $0.send.pushType = .known(Symbol(.background))
      },
      Example(
        "type background, but the phone presented it", .holds, nearMiss: .pushTypeMismatch,
        from: .media
      ) {
        $0.send.pushType = .known(Symbol(.background))
      },
      Example("type alert with nothing to show", .broken, .pushTypeMismatch, from: .silent) {
        $0.send.pushType = .known(Symbol(.alert))
        $0.forgetDevice()
      },
      Example("type voip on the bare bundle id", .broken, .pushTypeMismatch, from: .plain) {
        $0.send.pushType = .known(Symbol(.voip))
        $0.send.tokenKind = .unknown
      },
      Example("silent without a type", .broken, .pushTypeMissing, from: .silent) {
        $0.send.pushType = .missing
        $0.forgetDevice()
      },
      Example("visible without a type", .holds, nearMiss: .pushTypeMissing, from: .plain) {
        $0.send.pushType = .missing
      },
    ],
    explain: explainPushType)
}

func judgePushType(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.send >= 0 else { return StepResult(.unknown, needs: Needs(.sendHeaders)) }
  let send = chain.sends[seen.send]
  let evidence = Evidence(.send, seen.send)
  let payload = seen.payload
  let isSilent = payload.contentAvailable.isOn == true && payload.alert.isVisible == false
  let wasSeen = seen.received >= 0
  switch send.pushType {
  case .unknown:
    return StepResult(.unknown, needs: Needs(.sendHeaders))
  case .missing:
    if isSilent, !wasSeen {
      return StepResult(
        .broken, cause: .pushTypeMissing, confidence: .likely, evidence: evidence)
    }
    if payload.alert == .unknown, payload.contentAvailable == .unknown {
      return StepResult(.unknown, needs: Needs(.sendPayload))
    }
    return StepResult(.holds, evidence: evidence)
  case .known(let type):
    if type == .alert || type == .background {
      if payload.alert == .unknown { return StepResult(.unknown, needs: Needs(.sendPayload)) }
      let contradicts = type == .alert ? isSilent : payload.alert == .visible
      if contradicts, !wasSeen {
        return StepResult(.broken, cause: .pushTypeMismatch, evidence: evidence)
      }
      return StepResult(.holds, evidence: evidence, value: contradicts ? 1 : 0)
    }
    // Another type on the bare bundle id: APNs may take it, the phone drops it (F1.17, F1.45).
    if case .known(let form) = send.topicForm, form.suffix == .none, suffix(of: type) != .none,
      seen.isAccepted, !wasSeen
    {
      return StepResult(
        .broken, cause: .pushTypeMismatch, confidence: .likely, evidence: evidence, value: 2)
    }
    return StepResult(.holds, evidence: evidence)
  }
}

private func explainPushType(_ chain: Chain, _ result: StepResult, _ texts: SymbolTable) -> String {
  let type = chain.text((chain.sends.last ?? Send()).pushType, texts)
  switch result.cause {
  case .pushTypeMismatch:
    if result.value == 2 { return "Push type `\(type)` went to a topic without its suffix." }
    return type == "alert"
      ? "Push type `alert`, but the payload has nothing to show."
      : "Push type `\(type)`, but the payload has an alert."
  case .pushTypeMissing: return "The request had no push type, and the payload is silent."
  default:
    return result.plainSentence(
      holds: result.value == 1
        ? "Push type `\(type)` contradicts the payload, but the phone received it all the same."
        : "Push type and payload agree.",
      unknown: "Push type or payload are not known.")
  }
}
