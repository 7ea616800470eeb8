import PushModel

extension ChecklistStep {
  /// Asks whether APNs believed who was sending.
  static let providerAuth = ChecklistStep(
    id: .providerAuth,
    title: "APNs knows the sender",
    question: "Are credential, key, JWT, clock and gateway configuration right?",
    decidedBy: """
      By APNs' reason, the age of the JWT (the signed note that names key and team), and the \
      sender's clock.
      """,
    facts: ["F1.6", "F1.11", "F2.0", "F2.1", "F2.2"],
    needs: [.sendResponse, .sendJWT, .sendCredential],
    outcomes: [
      OutcomeText(.holds, "APNs accepted, or refused for another reason than the credential."),
      OutcomeText(.broken, "APNs refused the credential."),
      OutcomeText(.unknown, "No answer is known, or the age of the JWT would have to decide."),
    ],
    causes: [
      Cause(
        .providerAuthInvalid,
        meaning: "Key, key id, team id or certificate is missing, wrong, revoked or unreadable.",
        toldApartBy: """
          403 `InvalidProviderToken`, `MissingProviderToken` or `BadCertificate`; it fails for every \
          token.
          """,
        repair: """
          Check key id and team id (they are often swapped), and upload the whole current key file \
          again.
          """,
        facts: ["F1.11", "F2.0", "F2.1"]),
      Cause(
        .providerJwtExpired,
        meaning: "The JWT is older than an hour.",
        toldApartBy: "403 `ExpiredProviderToken`, and the JWT's own age is above 3600 seconds.",
        repair: "Make a new JWT every 20 to 60 minutes.",
        facts: ["F2.0", "F2.1"]),
      Cause(
        .providerClockSkew,
        meaning: """
          The server's clock is wrong, so a fresh JWT counts as old, or is rebuilt all the time.
          """,
        toldApartBy: """
          403 `ExpiredProviderToken` for a JWT that was just made, or 429 \
          `TooManyProviderTokenUpdates` with a known offset of the clock.
          """,
        repair: "Set the clock (NTP) and compare it with the Date header of APNs' answers.",
        facts: ["F2.0", "F2.1"]),
      Cause(
        .providerJwtChurn,
        meaning: "The server makes a new JWT for each request; APNs allows one in 20 minutes.",
        toldApartBy: """
          429 `TooManyProviderTokenUpdates` for a JWT made at the moment of the send, without an \
          offset of the clock.
          """,
        repair: "Keep one JWT for 20 to 60 minutes and share it between all workers.",
        facts: ["F2.0", "F2.1"]),
      Cause(
        .providerKeyScope,
        meaning: """
          A good credential where it is not allowed: of the other environment, or a second key or \
          team on one connection.
          """,
        toldApartBy: """
          403 `BadEnvironmentKeyIdInToken` (also without `Id`), `BadCertificateEnvironment`, \
          `UnrelatedKeyIdInToken` or `Forbidden`. Device tokens play no part.
          """,
        repair: "Use the key of this environment, and one connection for each team and key.",
        facts: ["F1.6", "F2.0", "F2.2"]),
      Cause(
        .providerEndpointConfig,
        meaning: "A gateway stores a setting in a form that it cannot use later.",
        toldApartBy: """
          The gateway accepts setting and sends, APNs never answers, and the same send with another \
          form of the setting arrives.
          """,
        repair: "Write the value as the gateway's manual has it.",
        facts: ["F1.1", "F1.64"]),
      Cause(
        .relayTopicMismatch,
        meaning: """
          A self-hosted server and the app derive the relay's topic from different base addresses.
          """,
        toldApartBy: """
          The relay is reached, the app refreshes, and no notification ever comes; the two base \
          addresses are not equal character for character.
          """,
        repair: "Set the same base address on both sides, scheme and slash included.",
        facts: []),
    ],
    nextAction: "Stop the worker that fails for every token first; it slows the connection down.",
    knownLimits: "One notification cannot show how many JWTs a whole fleet of workers makes.",
    examples: [
      Example("accepted", .holds, from: .plain),
      Example("no answer known", .unknown, from: .plain) { $0.forgetAnswer() },
      Example("the signature is wrong", .broken, .providerAuthInvalid, from: .plain) {
        $0.refuse(403, .invalidProviderToken)
      },
      Example(
        "the token is bad, not the credential", .holds, nearMiss: .providerAuthInvalid, from: .plain
      ) {
        $0.refuse(400, .badDeviceToken)
      },
      Example("a JWT of two hours", .broken, .providerJwtExpired, from: .plain) {
        $0.refuse(403, .expiredProviderToken)
        $0.send.jwtIssuedAt = .known(ExampleChain.sentAt - 7200 * second)
      },
      Example(
        "expired, the JWT's age is not known", .unknown, nearMiss: .providerJwtExpired, from: .plain
      ) {
        $0.refuse(403, .expiredProviderToken)
      },
      Example("expired, and just made", .broken, .providerClockSkew, from: .plain) {
        $0.refuse(403, .expiredProviderToken)
        $0.send.jwtIssuedAt = .known(ExampleChain.sentAt - 10 * second)
      },
      Example(
        "expired after 61 minutes", .broken, .providerJwtExpired, nearMiss: .providerClockSkew,
        from: .plain
      ) {
        $0.refuse(403, .expiredProviderToken)
        $0.send.jwtIssuedAt = .known(ExampleChain.sentAt - 3660 * second)
      },
      Example("too many, made with the send", .broken, .providerJwtChurn, from: .plain) {
        $0.refuse(429, .tooManyProviderTokenUpdates)
        $0.send.jwtIssuedAt = .known(ExampleChain.sentAt - second)
      },
      Example(
        "too many, and the clock is off by hours", .broken, .providerClockSkew,
        nearMiss: .providerJwtChurn, from: .plain
      ) {
        $0.refuse(429, .tooManyProviderTokenUpdates)
        $0.send.jwtIssuedAt = .known(ExampleChain.sentAt - second)
        $0.send.senderClockOffset = .known(-7200 * second)
      },
      Example("too many, nothing known of the JWT", .unknown, from: .plain) {
        $0.refuse(429, .tooManyProviderTokenUpdates)
      },
      Example("a key of the other environment", .broken, .providerKeyScope, from: .plain) {
        $0.refuse(403, .badEnvironmentKeyInToken)
      },
      Example(
        "a token of the other environment is no question of the key", .holds,
        nearMiss: .providerKeyScope, from: .plain
      ) {
        $0.refuse(400, .badDeviceToken)
      },
      Example(
        "the gateway's host in another form arrives", .broken, .providerEndpointConfig, from: .plain
      ) {
        $0.compareHosts(with: "https://api.push.apple.com:443/3/device")
      },
      Example(
        "the host of the other environment arrives", .unknown, nearMiss: .providerEndpointConfig,
        from: .plain
      ) {
        $0.compareHosts(with: "https://api.sandbox.push.apple.com")
      },
      Example("server and app have different addresses", .broken, .relayTopicMismatch, from: .empty)
      {
        $0.register(server: "https://n.example.test", base: .null)
      },
      Example(
        "server and app have one address", .unknown, nearMiss: .relayTopicMismatch, from: .empty
      ) {
        $0.register(server: "https://n.example.test", base: .text("https://n.example.test"))
      },
    ],
    explain: explainProviderAuth)
}

/// A JWT is good for an hour (F2.0, F2.1).
private let jwtLife: Int64 = 3600 * second
/// An offset of the sender's clock above this explains what APNs says about time.
private let clockOffsetThatMatters: Int64 = 300 * second

func judgeProviderAuth(_ chain: Chain, _ seen: Sightings) -> StepResult {
  if seen.isAccepted { return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy)) }
  let evidence = chain.answerEvidence(seen)
  guard let reason = chain.refusal(seen) else {
    return StepResult(.unknown, needs: Needs(.sendResponse))
  }
  if reason == .invalidProviderToken || reason == .missingProviderToken || reason == .badCertificate
  {
    return StepResult(.broken, cause: .providerAuthInvalid, evidence: evidence)
  }
  if reason == .badEnvironmentKeyIdInToken || reason == .badEnvironmentKeyInToken
    || reason == .badCertificateEnvironment || reason == .unrelatedKeyIdInToken
    || reason == .forbidden
  {
    return StepResult(.broken, cause: .providerKeyScope, evidence: evidence)
  }
  if reason == .expiredProviderToken { return judgeExpired(chain.sends[seen.answer], evidence) }
  if reason == .tooManyProviderTokenUpdates { return judgeChurn(chain, seen, evidence) }
  // APNs reads the credential before it reads token, topic and headers.
  if isLaterReason(reason) { return StepResult(.holds, evidence: evidence) }
  return StepResult(.unknown, evidence: evidence, needs: Needs(.sendCredential))
}

private func judgeExpired(_ send: Send, _ evidence: Evidence) -> StepResult {
  guard case .known(let issued) = send.jwtIssuedAt, case .known(let sent) = send.sentAt else {
    return StepResult(
      .unknown, evidence: evidence, needs: Needs(.sendJWT),
      candidates: (.providerJwtExpired, .providerClockSkew))
  }
  let age = sent - issued
  if age > jwtLife {
    return StepResult(.broken, cause: .providerJwtExpired, evidence: evidence, value: age / second)
  }
  return StepResult(
    .broken, cause: .providerClockSkew, confidence: .likely, evidence: evidence,
    value: age / second)
}

private func judgeChurn(_ chain: Chain, _ seen: Sightings, _ evidence: Evidence) -> StepResult {
  let send = chain.sends[seen.answer]
  if case .known(let offset) = send.senderClockOffset, abs(offset) > clockOffsetThatMatters {
    return StepResult(
      .broken, cause: .providerClockSkew, confidence: .likely, evidence: evidence,
      value: offset / second)
  }
  guard case .known(let issued) = send.jwtIssuedAt, case .known(let sent) = send.sentAt,
    sent - issued < 60 * second
  else {
    return StepResult(
      .unknown, evidence: evidence, needs: Needs(.sendJWT),
      candidates: (.providerJwtChurn, .providerClockSkew))
  }
  return StepResult(
    .broken, cause: .providerJwtChurn, confidence: .likely, evidence: evidence,
    value: (sent - issued) / second)
}

private func isLaterReason(_ reason: Symbol) -> Bool {
  reason == .badDeviceToken || reason == .unregistered || reason == .expiredToken
    || reason == .deviceTokenNotForTopic || reason == .badCollapseId
    || reason == .badExpirationDate || reason == .payloadTooLarge || reason == .payloadEmpty
    || reason == .badPriority || reason == .invalidPushType || reason == .badMessageId
    || reason == .tooManyRequests
}

private func explainProviderAuth(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  let answer = chain.answerText(result, texts)
  switch result.cause {
  case .providerAuthInvalid: return "APNs does not accept the credential: \(answer)."
  case .providerJwtExpired: return "The JWT was \(result.value) s old: \(answer)."
  case .providerClockSkew:
    return "By the sender's clock the JWT was young; the clock is off: \(answer)."
  case .providerJwtChurn: return "The JWT was made \(result.value) s before the send: \(answer)."
  case .providerKeyScope: return "The credential may not be used here: \(answer)."
  default:
    return result.plainSentence(
      holds: "APNs accepted the credential.",
      unknown: result.candidates.0 == nil
        ? "No answer about the credential is known." : "\(answer); the JWT's age is not known.")
  }
}

extension ExampleChain {
  /// A gateway that took everything and sent nothing, and what another host did.
  mutating func compareHosts(with host: String) {
    forgetAnswer()
    send.provider = .known(Symbol(.azureNh))
    complain(.nothingArrived)
    know("send.host", .text("https://api.push.apple.com"))
    compare([("send.host", .text(host))], "arrived", true)
  }

  /// An app that registered at a server, and the server's own base address.
  mutating func register(server: String, base: CaseValue) {
    mean(.plain)
    add(.appRegistered, at: -60_000)
    let attributes = CaseValue.object([CaseValue.Member("server_url", .text(server))])
    know("events", .list([.object([CaseValue.Member("attrs", attributes)])]))
    know("send.request", .object([CaseValue.Member("base-url", base)]))
  }
}
