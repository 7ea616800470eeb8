import PushModel

extension ChecklistStep {
  /// Asks whether token and host belong to one environment.
  static let tokenEnvironment = ChecklistStep(
    id: .tokenEnvironment,
    title: "Token and host are of one environment",
    question: "Do token, host, credential and `aps-environment` name one environment?",
    decidedBy: """
      By the environment that the request went to, and the one the token was issued for: what the \
      phone reported with the token, else the entitlement of the signed app, else how the app was \
      distributed. Apple runs two separate systems, sandbox and production; a token of one means \
      nothing to the other.
      """,
    facts: ["F10.1", "F10.2", "F4.61", "F1.1", "F1.2", "F1.6", "F2.2"],
    needs: [.sendEnvironment, .appEntitlements, .sendResponse],
    outcomes: [
      OutcomeText(.holds, "Both sides name the same environment, or APNs accepted the token."),
      OutcomeText(.broken, "The token is of one environment, the request went to the other."),
      OutcomeText(.unknown, "APNs calls the token bad, and one side's environment is not known."),
    ],
    causes: [
      Cause(
        .tokenEnvMismatch,
        meaning: """
          A token that a development build got was sent to the production host, or the other way \
          round. Builds that Xcode installs, and simulators, get sandbox tokens; ad hoc, TestFlight \
          and App Store builds get production tokens.
          """,
        toldApartBy: """
          The two environments are known and differ; APNs then says `BadDeviceToken`, never 410.
          """,
        repair: """
          Store the environment with each token and send to `api.sandbox.push.apple.com` or \
          `api.push.apple.com` accordingly.
          """,
        facts: ["F10.1", "F10.2", "F4.61", "F1.1"]),
      Cause(
        .providerCredentialEnv,
        meaning: """
          The credential stored at the gateway covers only the other environment, so builds of one \
          distribution get their notifications and those of the other never do.
          """,
        toldApartBy: """
          The host is the gateway's choice, and the credential's environment is known and is not \
          the build's.
          """,
        repair: "Upload a credential for production, or one that covers both.",
        facts: ["F10.1", "F2.2", "F1.6"]),
    ],
    nextAction: "Compare the host in the server's configuration with the build that people run.",
    knownLimits: """
      Two builds of one version with different profiles cannot be told apart by version alone; what \
      the phone reports decides then.
      """,
    examples: [
      Example("production app, production host", .holds, from: .plain),
      Example("TestFlight build, sandbox host", .broken, .tokenEnvMismatch, from: .plain) {
        $0.refuse(400, .badDeviceToken)
        $0.send.environment = .known(Symbol(.sandbox))
        $0.chain.installation.apsEnvironment = .unknown
        $0.chain.release.distribution = .known(Symbol(.testflight))
      },
      Example("development app by its host alone", .broken, .tokenEnvMismatch, from: .plain) {
        $0.refuse(400, .badDeviceToken)
        $0.send.environment = .unknown
        $0.send.host = .known(Symbol(.apiPushHost))
        $0.chain.installation.apsEnvironment = .known(Symbol(.development))
      },
      Example(
        "the same refusal, environment of the app unknown", .unknown, nearMiss: .tokenEnvMismatch,
        from: .plain
      ) {
        $0.refuse(400, .badDeviceToken)
        $0.send.environment = .known(Symbol(.sandbox))
        $0.chain.installation.apsEnvironment = .unknown
      },
      Example("another profile in the known release, accepted", .holds, from: .plain, inDocs: false)
      {
        $0.send.environment = .known(Symbol(.sandbox))
        $0.chain.installation.apsEnvironment = .unknown
        $0.chain.release.apsEnvironment = .known(Symbol(.production))
      },
      Example(
        "the phone says sandbox, production accepted it", .broken, .tokenEnvMismatch, from: .plain
      ) {
        $0.chain.installation.apsEnvironment = .known(Symbol(.development))
      },
      Example(
        "`api.development.push.apple.com` is the sandbox", .holds, from: .plain, inDocs: false
      ) {
        $0.send.environment = .unknown
        $0.send.host = .known(Symbol(.apiDevelopmentHost))
        $0.chain.installation.apsEnvironment = .known(Symbol(.development))
      },
      Example("a sandbox credential at the gateway", .broken, .providerCredentialEnv, from: .plain)
      {
        $0.send.provider = .known(Symbol(.azureNh))
        $0.send.environment = .unknown
        $0.send.credentialEnvironment = .known(Symbol(.sandbox))
      },
      Example(
        "the gateway's credential covers the build", .holds, nearMiss: .providerCredentialEnv,
        from: .plain
      ) {
        $0.send.provider = .known(Symbol(.azureNh))
        $0.send.environment = .unknown
        $0.send.credentialEnvironment = .known(Symbol(.production))
      },
    ],
    explain: explainTokenEnvironment)
}

func judgeTokenEnvironment(_ chain: Chain, _ seen: Sightings) -> StepResult {
  let token = chain.tokenEnvironment(seen)
  let needs: Needs = [Needs(.sendEnvironment), Needs(.appEntitlements), Needs(.deviceTokens)]
  guard seen.send >= 0 else { return StepResult(.unknown, needs: needs) }
  let evidence = Evidence(.send, seen.send)
  let request = chain.requestEnvironment(seen)
  if seen.isGateway, case .known(let limit) = chain.sends[seen.send].credentialEnvironment,
    let environment = token.environment
  {
    let isSandbox = limit == .sandbox || limit == .development
    if isSandbox == (environment == .sandbox) {
      return StepResult(.holds, evidence: evidence, token.evidence)
    }
    return StepResult(
      .broken, cause: .providerCredentialEnv, confidence: .likely, evidence: evidence,
      token.evidence)
  }
  let reason = chain.refusal(seen)
  // APNs knew the token in this environment, or it would have called it bad (F10.2).
  if isAny(reason, .unregistered, .expiredToken) { return StepResult(.holds, evidence: evidence) }
  if let request, let environment = token.environment {
    if request == environment { return StepResult(.holds, evidence: evidence, token.evidence) }
    // Builds of one version may differ in their profile; APNs' 200 is about this one.
    if seen.isAccepted, token.evidence.kind == .release {
      return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy))
    }
    let isBad = reason.map { $0 == .badDeviceToken } == true
    return StepResult(
      .broken, cause: .tokenEnvMismatch, confidence: isBad ? .certain : .likely,
      evidence: evidence, token.evidence, value: request == .production ? 1 : 0)
  }
  if seen.isAccepted { return StepResult(.holds, evidence: Evidence(.send, seen.acceptedBy)) }
  let isSound = chain.sends[seen.send].token.value.map { $0.isHex && $0.length >= 64 } ?? true
  if let reason, reason == .badDeviceToken, isSound {
    return StepResult(
      .unknown, evidence: chain.answerEvidence(seen), needs: needs,
      candidates: (.tokenEnvMismatch, nil))
  }
  return StepResult(.unknown, needs: needs)
}

private func explainTokenEnvironment(
  _ chain: Chain, _ result: StepResult, _ texts: SymbolTable
) -> String {
  switch result.cause {
  case .tokenEnvMismatch:
    return result.value == 1
      ? "The request went to production, the token is of the sandbox."
      : "The request went to the sandbox, the token is of production."
  case .providerCredentialEnv:
    return "The gateway's credential does not cover the environment of this build."
  default:
    return result.plainSentence(
      holds: "Token and request are of one environment.",
      unknown: result.candidates.0 == nil
        ? "The environment of the request or of the token is not known."
        : "APNs calls the token bad; the environment of one side is not known.")
  }
}
