import PushModel

extension ChecklistStep {
  /// Asks whether APNs took responsibility for the notification.
  static let apnsAccepted = ChecklistStep(
    id: .apnsAccepted,
    title: "APNs accepted the send",
    question: "Did APNs itself (not only a gateway) answer 200?",
    decidedBy: """
      By the last answer. A gateway's own 200 says only that the gateway took the request; its later \
      receipt, where it gives one, says what APNs answered.
      """,
    facts: ["F1.64", "F2.0", "F2.5"],
    needs: [.sendResponse, .sendReceipt],
    outcomes: [
      OutcomeText(.holds, "APNs has it; look further along the chain."),
      OutcomeText(
        .broken, "APNs refused it; the reason names the step that was at fault, if known."),
      OutcomeText(.unknown, "No answer of APNs is known for this notification."),
    ],
    causes: [
      Cause(
        .apnsThrottled,
        meaning: """
          APNs took nothing for now: too many requests for one token, or a fault on its own side.
          """,
        toldApartBy: """
          429 `TooManyRequests`, 500 or 503 as the last answer, in a log that records every answer. \
          `TooManyProviderTokenUpdates` is about the credential.
          """,
        repair: """
          Repeat with growing pauses: at least 15 minutes after a 5xx, and fewer requests per token \
          after a 429.
          """,
        facts: ["F2.0"])
    ],
    nextAction: "Group refusals by reason and release; open the largest group first.",
    knownLimits: "Says nothing about what happens after APNs: 200 means taken, not shown.",
    examples: [
      Example("APNs answered 200", .holds, from: .plain),
      Example("no answer was logged", .unknown, from: .plain) { $0.forgetAnswer() },
      Example("only a gateway's 200", .unknown, from: .plain) {
        $0.send.provider = .known(Symbol(.sns))
      },
      Example("a gateway's receipt says that APNs took it", .holds, from: .plain) {
        $0.send.provider = .known(Symbol(.expo))
        $0.send.receiptStatus = .known(Symbol(.ok))
      },
      Example("503 to the end", .broken, .apnsThrottled, from: .plain) {
        $0.refuse(503, .serviceUnavailable)
      },
      Example(
        "503, in a log that leaves successes out", .unknown, nearMiss: .apnsThrottled, from: .plain
      ) {
        $0.refuse(503, .serviceUnavailable)
        $0.chain.coverage.sendLogComplete = .known(false)
      },
      Example("503, then 200", .holds, from: .plain) {
        var first = $0.send
        first.status = .known(503)
        first.reason = .known(Symbol(.serviceUnavailable))
        $0.chain.sends.insert(first, at: 0)
      },
      Example("a reason that is in no table", .broken, from: .plain) {
        $0.refuse(400, text: "SomethingNew")
      },
    ],
    explain: explainAccepted)
}

func judgeAccepted(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.isAccepted { return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy)) }
  guard seen.answer >= 0 else { return StepResult(.unknown, needs: Needs(.sendResponse)) }
  let evidence = Evidence(.send, seen.answer)
  let send = chain.sends[seen.answer]
  guard case .known(let status) = send.status, status != 200 else {
    if case .known = send.receiptReason { return StepResult(.broken, evidence: evidence) }
    return StepResult(.unknown, evidence: evidence, needs: Needs(.sendReceipt))
  }
  let isNamed = send.reason.value.map { $0 == .tooManyRequests } == true
  let isOtherNamed = send.reason.value.map { $0 == .tooManyProviderTokenUpdates } == true
  if status >= 500 || isNamed || (status == 429 && !isOtherNamed) {
    // A repeated send may have been taken; a log that leaves successes out does not show it.
    if chain.coverage.sendLogComplete == .known(false) {
      return StepResult(
        .unknown, evidence: evidence, needs: Needs(.sendResponse),
        candidates: (.apnsThrottled, nil))
    }
    return StepResult(
      .broken, cause: .apnsThrottled,
      confidence: chain.coverage.sendLogComplete == .known(true) ? .certain : .likely,
      evidence: evidence, value: status)
  }
  // Refused: the step that the reason is about names the cause. A reason in no table names none.
  return StepResult(.broken, evidence: evidence, value: status)
}

private func explainAccepted(_ chain: Chain, _ result: StepResult, _ texts: SymbolTable) -> String {
  switch result.outcome {
  case .holds: "APNs answered 200: taken, which says nothing about the phone."
  case .broken: "Refused: \(chain.answerText(result, texts))."
  case .unknown:
    result.evidence.0.kind == .send
      ? "A gateway answered, or a repeated send may have been taken; no answer of APNs is known."
      : "No answer of APNs was logged."
  case .notApplicable: "Nothing that was meant depends on it."
  }
}
