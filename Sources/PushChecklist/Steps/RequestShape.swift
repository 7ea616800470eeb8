import PushModel

extension ChecklistStep {
  /// Asks whether the request can be read.
  static let requestShape = ChecklistStep(
    id: .requestShape,
    title: "The request can be read",
    question: """
      Is the request in the form that APNs, or the gateway, expects, and within the size limit?
      """,
    decidedBy: "By APNs' reason, the size of the payload, and the place of `aps` in it.",
    facts: ["F1.3", "F1.12", "F2.0", "F3.1", "F3.3", "F3.5"],
    needs: [.sendResponse, .sendPayload],
    outcomes: [
      OutcomeText(.holds, "APNs read the request."),
      OutcomeText(.broken, "APNs or the gateway could not read it, or it is too large."),
      OutcomeText(.unknown, "No answer is known."),
    ],
    causes: [
      Cause(
        .fcmNesting,
        meaning: """
          The gateway's request has a block in the wrong place, so the payload that reaches APNs has \
          no `aps`.
          """,
        toldApartBy: """
          The request went to FCM v1, and the whole payload has no `aps`, though it has other keys.
          """,
        repair: """
          Put headers and payload beside each other in `apns`, and the system keys inside \
          `apns.payload.aps`.
          """,
        facts: ["F3.3", "F3.5"]),
      Cause(
        .payloadTooLarge,
        meaning: "The payload is larger than APNs takes: 4096 bytes, 5120 for VoIP.",
        toldApartBy: "413 `PayloadTooLarge`, or counted bytes above the limit without acceptance.",
        repair: "Shorten it: send a short text and let the extension fetch the rest.",
        facts: ["F3.1", "F2.0"]),
      Cause(
        .requestMalformed,
        meaning: "APNs could not read a part of the request: path, method, id, a header, the body.",
        toldApartBy: """
          `BadPath`, `MethodNotAllowed`, `BadMessageId`, `MissingDeviceToken`, `DuplicateHeaders`, \
          `PayloadEmpty`, `BadPriority` or `InvalidPushType`: the reason names the part.
          """,
        repair: "Repair the part that the reason names.",
        facts: ["F1.3", "F1.12", "F2.0"]),
    ],
    nextAction: "Log one whole request, without the token, and compare it with Apple's table.",
    knownLimits: "A gateway's own complaint about a request may name the wrong part.",
    examples: [
      Example("accepted", .holds, from: .plain),
      Example("no answer known", .unknown, from: .plain) { $0.forgetAnswer() },
      Example("no `aps` in what went to FCM", .broken, .fcmNesting, from: .plain) {
        $0.send.provider = .known(Symbol(.fcmV1))
        $0.payload.parts = [.whole, .custom]
        $0.payload.alert = .absent
      },
      Example("`aps` is where it belongs", .holds, nearMiss: .fcmNesting, from: .plain) {
        $0.send.provider = .known(Symbol(.fcmV1))
      },
      Example("413", .broken, .payloadTooLarge, from: .plain) {
        $0.refuse(413, .payloadTooLarge)
      },
      Example("5000 bytes and no answer known", .broken, .payloadTooLarge, from: .plain) {
        $0.forgetAnswer()
        $0.payload.sizeBytes = .known(5000)
      },
      Example("4096 bytes", .holds, nearMiss: .payloadTooLarge, from: .plain) {
        $0.payload.sizeBytes = .known(4096)
      },
      Example("a push type that does not exist", .broken, .requestMalformed, from: .plain) {
        $0.refuse(400, .invalidPushType)
      },
      Example(
        "a bad collapse id is judged at its own step", .holds, nearMiss: .requestMalformed,
        from: .plain
      ) {
        $0.refuse(400, .badCollapseId)
      },
    ],
    explain: { chain, result, texts in
      switch result.cause {
      case .fcmNesting: "The payload has no `aps`; the gateway's block is in another place."
      case .payloadTooLarge:
        result.value > 0
          ? "The payload has \(result.value) bytes." : "\(chain.answerText(result, texts))."
      case .requestMalformed: "\(chain.answerText(result, texts))."
      default:
        result.plainSentence(holds: "The request was read.", unknown: "No answer is known.")
      }
    })
}

func judgeRequestShape(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.send >= 0 else { return StepResult(.unknown, needs: Needs(.sendResponse)) }
  let send = chain.sends[seen.send]
  let evidence = Evidence(.send, seen.send)
  if seen.isGateway, send.payload.isWhole, !send.payload.parts.contains(.aps),
    send.payload.parts.contains(.custom), seen.received < 0
  {
    return StepResult(.broken, cause: .fcmNesting, confidence: .likely, evidence: evidence)
  }
  if let reason = chain.refusal(seen) {
    let answer = chain.answerEvidence(seen)
    if reason == .payloadTooLarge {
      return StepResult(.broken, cause: .payloadTooLarge, evidence: answer)
    }
    if isRequestReason(reason) {
      return StepResult(.broken, cause: .requestMalformed, evidence: answer)
    }
    return StepResult(.holds, evidence: answer)
  }
  if seen.isAccepted { return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy)) }
  // VoIP and broadcast take 5120 bytes, everything else 4096 (F3.1).
  let isLong = send.pushType.isKnown(.voip) || !send.channel.isUnknown
  if case .known(let size) = send.payload.sizeBytes, size > (isLong ? 5120 : 4096) {
    // Which of the two holds, nothing says: a body that shows nothing may be that of a call.
    let mayBeLong =
      size <= 5120 && !seen.isGateway && send.pushType.isUnknown && send.topicForm.isUnknown
      && send.payload.isWhole && send.payload.alert.isVisible != true
      && send.payload.contentAvailable.isOn != true
    if mayBeLong {
      return StepResult(
        .unknown, evidence: evidence, needs: [Needs(.sendHeaders), Needs(.sendResponse)],
        candidates: (.payloadTooLarge, nil), value: size)
    }
    return StepResult(
      .broken, cause: .payloadTooLarge, confidence: .likely, evidence: evidence, value: size)
  }
  if seen.isGateway, send.payload.isWhole { return StepResult(.holds, evidence: evidence) }
  return StepResult(.unknown, needs: Needs(.sendResponse))
}

private func isRequestReason(_ reason: Symbol) -> Bool {
  reason == .badPath || reason == .methodNotAllowed || reason == .badMessageId
    || reason == .missingDeviceToken || reason == .duplicateHeaders || reason == .payloadEmpty
    || reason == .badPriority || reason == .invalidPushType
}
