import PushModel

extension ChecklistStep {
  /// Asks whether the token is the one that the installation has now.
  static let tokenCurrent = ChecklistStep(
    id: .tokenCurrent,
    title: "The token is current",
    question: """
      Is it the newest token of that installation, not unregistered, not suppressed by the gateway?
      """,
    decidedBy: """
      By a 410 of APNs (or behind a gateway's 200), by the registrations that the app logged, and by \
      a gateway's delivery record.
      """,
    facts: ["F2.0", "F1.64", "F10.3", "F10.4", "F10.9"],
    needs: [.sendResponse, .sendReceipt, .deviceTokens],
    outcomes: [
      OutcomeText(.holds, "No newer token of this installation is known, or it was received."),
      OutcomeText(.broken, "The token is no longer the one that reaches this installation."),
      OutcomeText(.unknown, "The app's registrations are not known."),
    ],
    causes: [
      Cause(
        .tokenUnregistered,
        meaning: """
          APNs says that the token is no longer active: the app was removed, or the phone got a new \
          token.
          """,
        toldApartBy: """
          410 `Unregistered` or `ExpiredToken`, also in a gateway's receipt, and the same token was \
          not registered again after the time that the 410 names.
          """,
        repair: """
          Delete the token on the server; let the app send its token at every launch, then a new one \
          arrives by itself.
          """,
        facts: ["F2.0", "F10.3", "F10.9"]),
      Cause(
        .staleToken200,
        meaning: """
          The server used an older token of the installation. APNs still answers 200 for it, but \
          nothing shows on the phone.
          """,
        toldApartBy: """
          No refusal; a newer token of the same installation was registered before the send, and \
          nothing of this notification was seen on the phone.
          """,
        repair: """
          Keep one current token per installation: key the table by the installation's id and let \
          the newest registration win.
          """,
        facts: ["F1.64", "F10.3", "F10.4"]),
      Cause(
        .vendorSuppressedToken,
        meaning: """
          The gateway itself has switched this token off after an earlier refusal, and answers the \
          sender as if all were well.
          """,
        toldApartBy: """
          The gateway's delivery record says disabled or suppressed; there is no answer of APNs for \
          this send.
          """,
        repair: """
          Find and repair the first refusal in the gateway's log, then re-enable the endpoint or \
          create it anew with the current token.
          """,
        facts: ["F1.64"]),
    ],
    nextAction: """
      Delete what APNs calls unregistered. For old tokens, look at how the server replaces a token \
      when the app sends a new one.
      """,
    knownLimits: """
      APNs does not say when it drops what it accepted, so an old token shows only in the app's own \
      registrations.
      """,
    examples: [
      Example("no newer token", .holds, from: .plain),
      Example("registrations not known", .unknown, from: .plain) {
        $0.chain.installation.newerTokenAt = .unknown
      },
      Example("410 of APNs", .broken, .tokenUnregistered, from: .plain) {
        $0.refuse(410, .unregistered)
        $0.send.unregisteredAt = .known(ExampleChain.sentAt - 3600 * second)
        $0.chain.installation.registeredAgainAt = .missing
      },
      Example(
        "410, and the same token was registered after its time", .unknown,
        nearMiss: .tokenUnregistered, from: .plain
      ) {
        $0.refuse(410, .unregistered)
        $0.send.unregisteredAt = .known(ExampleChain.sentAt - 3600 * second)
        $0.chain.installation.registeredAgainAt = .known(ExampleChain.sentAt - 60 * second)
      },
      Example("a receipt behind the gateway's 200", .broken, .tokenUnregistered, from: .plain) {
        $0.send.provider = .known(Symbol(.expo))
        $0.send.receiptReason = .known(Symbol(.deviceNotRegistered))
      },
      Example("a newer token was registered an hour before", .broken, .staleToken200, from: .plain)
      {
        $0.chain.installation.newerTokenAt = .known(ExampleChain.sentAt - 3600 * second)
      },
      Example(
        "the old token still reached the phone", .holds, nearMiss: .staleToken200, from: .media
      ) {
        $0.chain.installation.newerTokenAt = .known(ExampleChain.sentAt - 3600 * second)
      },
      Example(
        "the newer token came after the send", .holds, from: .plain, inDocs: false
      ) {
        $0.chain.installation.newerTokenAt = .known(ExampleChain.sentAt + 3600 * second)
      },
      Example(
        "a newer one was seen a day later, and nothing of this one", .unknown,
        nearMiss: .staleToken200, from: .plain, inDocs: false
      ) {
        $0.chain.installation.newerTokenAt = .missing
        $0.chain.installation.laterTokenAt = .known(ExampleChain.sentAt + 20 * 3600 * second)
      },
      Example("the gateway has disabled it", .broken, .vendorSuppressedToken, from: .plain) {
        $0.send.provider = .known(Symbol(.sns))
        $0.send.receiptReason = .known(Symbol(.endpointDisabled))
      },
      Example(
        "the gateway says nothing more than 200", .holds, nearMiss: .vendorSuppressedToken,
        from: .plain
      ) {
        $0.send.provider = .known(Symbol(.sns))
      },
    ],
    explain: explainTokenCurrent)
}

func judgeTokenCurrent(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let answer = chain.answerEvidence(seen)
  if let reason = chain.refusal(seen) {
    if reason == .unregistered || reason == .expiredToken || reason == .deviceNotRegistered {
      if case .known(let since) = chain.sends[seen.answer].unregisteredAt,
        case .known(let again) = chain.installation.registeredAgainAt, again > since
      {
        return StepResult(
          .unknown, evidence: answer, Evidence(.installation), needs: Needs(.deviceTokens),
          candidates: (.tokenUnregistered, nil))
      }
      return StepResult(.broken, cause: .tokenUnregistered, evidence: answer)
    }
    if reason == .endpointDisabled || reason == .disabled || reason == .suppressed {
      return StepResult(.broken, cause: .vendorSuppressedToken, evidence: answer)
    }
  }
  switch chain.installation.newerTokenAt {
  case .unknown: return StepResult(.unknown, needs: Needs(.deviceTokens))
  case .missing:
    // Replaced within a day after the send, and nobody told when.
    if case .known = chain.installation.laterTokenAt, seen.received < 0, seen.isAccepted {
      return StepResult(
        .unknown, evidence: Evidence(.newerToken), needs: Needs(.deviceTokens),
        candidates: (.staleToken200, nil))
    }
    return StepResult(.holds, evidence: Evidence(.installation))
  case .known(let newerAt):
    guard seen.send >= 0, case .known(let sentAt) = chain.sends[seen.send].sentAt,
      newerAt < sentAt
    else { return StepResult(.holds, evidence: Evidence(.newerToken)) }
    if seen.received >= 0 {
      return StepResult(.holds, evidence: Evidence(.event, seen.received), value: 1)
    }
    guard seen.isAccepted else {
      return StepResult(
        .unknown, evidence: Evidence(.newerToken), needs: Needs(.sendResponse),
        candidates: (.staleToken200, nil))
    }
    return StepResult(
      .broken, cause: .staleToken200, confidence: .likely,
      evidence: Evidence(.send, seen.acceptedBy), Evidence(.newerToken))
  }
}

private func explainTokenCurrent(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  switch result.cause {
  case .tokenUnregistered: return "The token is not active: \(chain.answerText(result, texts))."
  case .staleToken200:
    return "APNs accepted an older token; the installation had registered a newer one before."
  case .vendorSuppressedToken: return "The gateway has switched this token off."
  default:
    return result.plainSentence(
      holds: result.value == 1
        ? "A newer token exists, but this one reached the phone."
        : "No newer token of this installation was registered before the send.",
      unknown: result.candidates.0 == nil
        ? "The registrations of this installation are not known."
        : "The token was refused or replaced, and the records do not say which of them is current.")
  }
}
