import PushModel

extension ChecklistStep {
  /// Asks whether priority, expiration and collapse id are allowed.
  static let priorityAndExpiration = ChecklistStep(
    id: .priorityAndExpiration,
    title: "Priority, expiration and collapse id are allowed",
    question: """
      Is the priority allowed for the type, the expiration a number of seconds, the collapse id \
      within 64 bytes?
      """,
    decidedBy: "By the headers as sent, and APNs' answer.",
    facts: ["F1.14", "F1.15", "F1.18", "F1.40", "F1.46", "F2.0", "F8.1"],
    needs: [.sendHeaders, .sendResponse],
    outcomes: [
      OutcomeText(.holds, "The headers are allowed, or APNs took them."),
      OutcomeText(.broken, "A header has a value that APNs or the phone does not act on."),
      OutcomeText(.unknown, "The headers are not known."),
    ],
    causes: [
      Cause(
        .priorityBackground,
        meaning: """
          A silent notification was sent with priority 10. Apple allows only 5 for it; with 10 it is \
          refused, or accepted and never acted on.
          """,
        toldApartBy: """
          The payload has only `content-available`, the priority is 10, and the app was not woken.
          """,
        repair: "Send silent notifications with `apns-priority: 5`.",
        facts: ["F1.40", "F1.15", "F8.1"]),
      Cause(
        .priorityMissingForBackground,
        meaning: """
          A silent notification was sent without a priority, so APNs assumes 10, which is not \
          allowed for it.
          """,
        toldApartBy: "As with priority 10, but the header is known to be absent.",
        repair: "Send `apns-priority: 5` explicitly.",
        facts: ["F1.40", "F1.15", "F8.1"]),
      Cause(
        .expirationInMilliseconds,
        meaning: """
          `apns-expiration` is not a number of seconds since 1970: milliseconds, or a date as text.
          """,
        toldApartBy: """
          400 `BadExpirationDate`; or, without an answer, a value of 13 digits or a text.
          """,
        repair: "Divide by 1000: whole seconds since 1970, UTC.",
        facts: ["F1.14", "F2.0"]),
      Cause(
        .collapseIdTooLong,
        meaning: "`apns-collapse-id` is longer than 64 bytes.",
        toldApartBy: """
          400 `BadCollapseId`, or a length above 64 bytes without an acceptance. Bytes count, not \
          characters.
          """,
        repair: "Hash long ids to a fixed length below 64 bytes.",
        facts: ["F1.18", "F1.46"]),
    ],
    nextAction: "Correct the header where the request is built.",
    knownLimits: """
      What happens to a silent notification with priority 10 differs from report to report; the \
      header alone makes it likely, not certain.
      """,
    examples: [
      Example("priority 10 for an alert", .holds, from: .plain),
      Example("headers and answer not known", .unknown, from: .plain) {
        $0.forgetAnswer()
        $0.send.priority = .unknown
      },
      Example("silent with priority 10", .broken, .priorityBackground, from: .silent) {
        $0.send.priority = .known(.number(10))
        $0.forgetDevice()
      },
      Example(
        "silent with priority 10, and the app woke", .holds, nearMiss: .priorityBackground,
        from: .silent
      ) {
        $0.send.priority = .known(.number(10))
      },
      Example("silent without a priority", .broken, .priorityMissingForBackground, from: .silent) {
        $0.send.priority = .missing
        $0.forgetDevice()
      },
      Example(
        "an alert without a priority", .holds, nearMiss: .priorityMissingForBackground,
        from: .plain
      ) {
        $0.send.priority = .missing
      },
      Example("milliseconds, refused", .broken, .expirationInMilliseconds, from: .plain) {
        $0.refuse(400, .badExpirationDate)
        $0.send.expiration = .known(.number(1_767_265_200_000))
      },
      Example("a date as text, no answer known", .broken, .expirationInMilliseconds, from: .plain) {
        $0.forgetAnswer()
        $0.send.expiration = .known(.text(Symbol(.time)))
      },
      Example("seconds", .holds, nearMiss: .expirationInMilliseconds, from: .plain) {
        $0.send.expiration = .known(.number(1_767_265_200))
      },
      Example("65 bytes, refused", .broken, .collapseIdTooLong, from: .plain) {
        $0.refuse(400, .badCollapseId)
        $0.send.collapseBytes = .known(65)
      },
      Example("64 bytes", .holds, nearMiss: .collapseIdTooLong, from: .plain) {
        $0.send.collapseBytes = .known(64)
      },
    ],
    explain: explainPriority)
}

/// Unix seconds have ten digits until the year 2286; thirteen digits are milliseconds.
private let firstMilliseconds: Int64 = 100_000_000_000

func judgePriority(_ chain: Chain, _ seen: Sightings) -> StepResult {
  guard seen.send >= 0 else { return StepResult(.unknown, needs: Needs(.sendHeaders)) }
  let send = chain.sends[seen.send]
  let evidence = Evidence(.send, seen.send)
  if let reason = chain.refusal(seen) {
    if reason == .badExpirationDate {
      return StepResult(.broken, cause: .expirationInMilliseconds, evidence: evidence)
    }
    if reason == .badCollapseId {
      return StepResult(.broken, cause: .collapseIdTooLong, evidence: evidence)
    }
  }
  // Where APNs took the headers, their form is no question (F2.0 names an error for each).
  if !seen.isAccepted, seen.received < 0 {
    if case .known(let length) = send.collapseBytes, length > 64 {
      return StepResult(
        .broken, cause: .collapseIdTooLong, confidence: .likely, evidence: evidence)
    }
    switch send.expiration {
    case .known(.text):
      return StepResult(
        .broken, cause: .expirationInMilliseconds, confidence: .likely, evidence: evidence)
    case .known(.number(let seconds)) where seconds >= firstMilliseconds:
      return StepResult(
        .broken, cause: .expirationInMilliseconds, confidence: .likely, evidence: evidence)
    default: break
    }
  }
  if chain.meaning.contains(.silent), seen.payload.contentAvailable.isOn == true,
    seen.payload.alert.isVisible != true, seen.woken < 0
  {
    if send.priority == .known(.number(10)) {
      return StepResult(
        .broken, cause: .priorityBackground, confidence: .likely, evidence: evidence)
    }
    if send.priority.isMissing {
      return StepResult(
        .broken, cause: .priorityMissingForBackground, confidence: .likely, evidence: evidence)
    }
  }
  if send.priority.isUnknown, !seen.isAccepted {
    return StepResult(.unknown, needs: Needs(.sendHeaders))
  }
  if send.priority.isUnknown, chain.meaning.contains(.silent) {
    return StepResult(.unknown, needs: Needs(.sendHeaders))
  }
  return StepResult(.holds, evidence: evidence)
}

private func explainPriority(_ chain: Chain, _ result: StepResult, _ texts: SymbolTable) -> String {
  switch result.cause {
  case .priorityBackground: return "A silent notification went out with priority 10."
  case .priorityMissingForBackground:
    return "A silent notification went out without a priority, so APNs assumed 10."
  case .expirationInMilliseconds: return "The expiration is not a number of Unix seconds."
  case .collapseIdTooLong: return "The collapse id is longer than 64 bytes."
  default:
    return result.plainSentence(
      holds: "Priority, expiration and collapse id are allowed.",
      unknown: "The headers are not known.")
  }
}
