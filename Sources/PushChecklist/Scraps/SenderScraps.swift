import PushModel

// What a scrap says about the sender's side: registration to acceptance.

extension ScrapJudge {
  @Sendable static func registration(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    let chain = look.chain
    if let failed = chain.lastEvent(.appRegistrationFailed),
      chain.firstEvent(.appRegistered) == nil
    {
      let code = chain.integer(.errorCode, of: failed)
      if look.word(.errorDomain, failed) == .nsCocoaErrorDomain, code == 3000 {
        return StepResult(.broken, cause: .apsEntitlementMissing, evidence: look.at(failed))
      }
      if look.word(.errorDomain, failed) == .firebaseRegistration, code == 1001 {
        return tokenNotHanded(look, result, failed)
      }
    }
    if let line = look.line(.sdkTokenMissing) { return tokenNotHanded(look, result, line) }
    if result.outcome == .unknown, let registered = chain.firstEvent(.appRegistered) {
      return StepResult(.holds, evidence: look.at(registered))
    }
    if let line = look.line(.systemAppUnregistered) {
      return result.open([Needs(.eventsApp), Needs(.appEntitlements)], evidence: look.at(line))
    }
    return result
  }

  /// The SDK says that it has no token of Apple: because there is none, or because nobody gave it.
  private static func tokenNotHanded(_ look: Look, _ result: StepResult, _ line: Int) -> StepResult
  {
    if look.chain.release.automaticHooking == .known(false) {
      return StepResult(
        .broken, cause: .apnsTokenNotHandedToSdk, confidence: .likely, evidence: look.at(line),
        Evidence(.appInfo))
    }
    return result.open(
      [Needs(.appEntitlements), Needs(.appInfo)], .apsEntitlementMissing,
      .apnsTokenNotHandedToSdk, evidence: look.at(line))
  }

  @Sendable static func providerAuth(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    let send = look.facts.send
    if let relay = relay(look) { return relay }
    guard look.seen.answer >= 0 else { return result }
    let evidence = look.chain.answerEvidence(look.seen)
    let reason = look.chain.refusal(look.seen)
    let offset = send.number("server_clock_offset_s").value
    if let reason, reason == .expiredProviderToken, case .known(let age) = send.number("jwt.age_s")
    {
      if age > 3600 {
        return StepResult(
          .broken, cause: .providerJwtExpired, evidence: evidence, Evidence(.sendJWT),
          value: age.clamped)
      }
      return StepResult(
        .broken, cause: .providerClockSkew, confidence: .likely, evidence: evidence,
        Evidence(.sendJWT), value: age.clamped)
    }
    if let reason, reason == .tooManyProviderTokenUpdates {
      if let offset, abs(offset) > 300 {
        return StepResult(
          .broken, cause: .providerClockSkew, confidence: .likely, evidence: evidence,
          value: offset.clamped)
      }
      let isChurned = look.facts.sends.contains {
        $0.bool("jwt.distinct_per_request").value == true
      }
      if isChurned {
        return StepResult(
          .broken, cause: .providerJwtChurn, confidence: .likely, evidence: evidence,
          Evidence(.sendJWT))
      }
    }
    // A later answer of a gateway that names the key or certificate (a claim of the gateway's own).
    if look.seen.isGateway, reason == nil,
      case .known(let message) = send.text("receipt.message"),
      ["error", "failed", "failure"].contains(
        send.text("receipt.status").value?.lowercased() ?? ""),
      ["p8", "pem", "certificate", "credential", "apns key", "auth key"]
        .contains(where: message.lowercased().contains)
    {
      return StepResult(
        .broken, cause: .providerAuthInvalid, confidence: .likely, evidence: evidence,
        Evidence(.sendReceipt))
    }
    return result
  }

  /// A self-hosted server and the app derive the relay's topic from their own base addresses.
  private static func relay(_ look: Look) -> StepResult? {
    let own = look.facts.send.known("request.base-url")
    guard !own.isUnknown else { return nil }
    for place in look.chain.events.indices where look.chain.events[place].name == .appRegistered {
      guard let server = look.written(place)?["attrs"]?["server_url"]?.text,
        own.value?.text != server
      else { continue }
      return StepResult(
        .broken, cause: .relayTopicMismatch, confidence: .likely, evidence: look.at(place),
        Evidence(.sendRequest))
    }
    return nil
  }

  @Sendable static func tokenShape(_ look: Look, _ result: StepResult) -> StepResult {
    // Whose token it is says nothing where nobody said to whom it was sent.
    if result.cause == .tokenWrongSystem, look.chain.sends[look.seen.send].provider.isUnknown,
      !look.chain.isRefused(look.seen)
    {
      return StepResult(
        .unknown, evidence: result.evidence.0, needs: [Needs(.sendResponse), Needs(.sendHost)],
        candidates: (.tokenWrongSystem, nil))
    }
    if let mixed = activityToken(look, result) { return mixed }
    guard look.chain.kind == .liveActivity, look.seen.send >= 0,
      look.chain.sends[look.seen.send].tokenKind.isUnknown,
      !look.seen.isAccepted
    else { return result }
    // Three kinds of token can stand here, and only one of them fits each push (F9.1).
    return result.open(
      [Needs(.sendTokenKind), Needs(.sendPayload), Needs(.eventsApp)], .tokenKindMismatch)
  }

  /// A start token for an update or end, or an update token for a start: each has its own (F9.1).
  private static func activityToken(_ look: Look, _ result: StepResult) -> StepResult? {
    guard look.chain.kind == .liveActivity, look.seen.send >= 0, !result.isDecided,
      case .known(let event) = look.facts.send.text("payload.aps.event")
    else { return nil }
    let kind = look.chain.sends[look.seen.send].tokenKind
    let isMixed =
      event == "start"
      ? kind.isKnown(.liveActivityUpdate)
      : kind.isKnown(.liveActivityStart) && (event == "update" || event == "end")
    guard isMixed else { return nil }
    return StepResult(
      .broken, cause: .tokenKindMismatch, confidence: .likely,
      evidence: Evidence(.send, look.seen.send), look.chain.answerEvidence(look.seen))
  }

  @Sendable static func tokenEnvironment(_ look: Look, _ result: StepResult) -> StepResult {
    guard look.facts.gatewayCallsTokenInvalid else { return result }
    return result.open(
      [Needs(.sendEnvironment), Needs(.appEntitlements), Needs(.appDistribution)],
      .tokenEnvMismatch, .tokenUnregistered, evidence: Evidence(.sendResponse))
  }

  @Sendable static func tokenCurrent(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if look.seen.isGateway, look.chain.refusal(look.seen) == nil, saysSwitchedOff(look.facts.send) {
      return StepResult(
        .broken, cause: .vendorSuppressedToken, confidence: .likely,
        evidence: Evidence(.sendResponse))
    }
    guard case .known = look.chain.installation.newerTokenAt, look.seen.received < 0,
      look.chain.refusal(look.seen) == nil,
      look.seen.send < 0 || look.chain.sends[look.seen.send].sentAt.isUnknown
    else { return result }
    // Nobody said when it was sent, so which of the two tokens was the newest then is not certain.
    let needs: Needs = [Needs(.sendResponse), Needs(.sendSentAt)]
    guard look.seen.isAccepted else {
      return StepResult(
        .unknown, evidence: Evidence(.deviceTokens), needs: needs,
        candidates: (.staleToken200, nil))
    }
    return StepResult(
      .broken, cause: .staleToken200, confidence: .likely,
      evidence: Evidence(.send, look.seen.acceptedBy), Evidence(.deviceTokens))
  }

  /// Whether the gateway's own words call the token switched off.
  private static func saysSwitchedOff(_ send: CasePart) -> Bool {
    let said = [
      send.text("response.message").value, send.text("receipt.message").value,
      send.text("receipt.status").value, send.text("response.status").value,
    ].compactMap { $0?.lowercased() }.joined(separator: " ")
    if ["opted out", "not subscribed", "unsubscribed"].contains(where: said.contains) {
      return true
    }
    // Other things are disabled too; the word counts where it is said of what is to get the push.
    guard ["disabled", "suppress"].contains(where: said.contains) else { return false }
    let targets = [
      "endpoint", "token", "device", "player", "subscri", "target", "registration", "recipient",
    ]
    let status = send.text("receipt.status").value?.lowercased() ?? ""
    return targets.contains(where: said.contains) || ["disabled", "suppressed"].contains(status)
  }

  @Sendable static func topic(_ look: Look, _ result: StepResult) -> StepResult {
    // A topic that was corrected to no avail is not, or not alone, what was refused.
    if result.isDecided, let place = look.comparing.stillFails(changing: "send.headers.apns-topic")
    {
      return StepResult(
        .unknown, evidence: result.evidence.0, Evidence(.comparison, place),
        needs: [Needs(.sendCredential), Needs(.sendTokenEnvironment)],
        candidates: (result.cause, nil))
    }
    if result.isDecided { return result }
    guard look.seen.send >= 0, let reason = look.chain.refusal(look.seen),
      reason == .badTopic || reason == .topicDisallowed || reason == .deviceTokenNotForTopic,
      case .known(let type) = look.chain.sends[look.seen.send].pushType, suffix(of: type) != .none
    else { return result }
    // A library's own setting, to which the library adds the suffix.
    let keys = [
      "bundle_id", "bundleId", "bundle", "app_bundle_id", "appBundleId", "bundleIdentifier",
      "apns_topic", "topic",
    ]
    for key in keys {
      guard case .known(let setting) = look.facts.send.text("request.\(key)"),
        TopicForm.read(setting).form.suffix != .none
      else { continue }
      return StepResult(
        .broken, cause: .topicSuffix, confidence: .likely,
        evidence: look.chain.answerEvidence(look.seen), Evidence(.sendRequest))
    }
    return result
  }

  /// The phone had nothing to show and did not wake the app either: so it treats a silent push that
  /// came as an alert (F1.42). An alert without text is not delivered in the same words.
  private static func notNotifying(_ look: Look, _ result: StepResult) -> StepResult? {
    guard let line = look.line(.systemNothingToPresent), !result.isDecided,
      look.line(.systemWakeRequested, .systemWakeQueued) == nil
    else { return nil }
    if let request = look.line(.systemRequestReceived),
      let type = look.chain.text(.pushType, of: request),
      type == .background || type == .backgroundCapital
    {
      return nil
    }
    if look.symptom == .appNotWoken || look.line(.systemWakeRefused) != nil {
      return StepResult(
        .broken, cause: .pushTypeMismatch, confidence: .likely, evidence: look.at(line))
    }
    return result.open(
      [Needs(.sendHeaders), Needs(.sendPayload)], .pushTypeMismatch, .noAlert,
      evidence: look.at(line))
  }

  @Sendable static func pushType(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if let refused = notNotifying(look, result) { return refused }
    guard let request = look.line(.systemRequestReceived),
      let type = look.chain.text(.pushType, of: request)
    else { return result }
    let hasAlert = look.chain.boolean(.hasAlert, of: request)
    let wakes = look.chain.boolean(.contentAvailable, of: request)
    // The log writes the type with a capital.
    let isBackground = type == .background || type == .backgroundCapital
    let isAlert = type == .alert || type == .alertCapital
    if isBackground, hasAlert == true {
      return StepResult(.broken, cause: .pushTypeMismatch, evidence: look.at(request))
    }
    if isAlert, hasAlert == false, wakes == true {
      return StepResult(
        .broken, cause: .pushTypeMismatch, confidence: .likely, evidence: look.at(request))
    }
    return result
  }

  /// Type background with priority 10, or none, is wrong by itself (F1.40); what it is in the end
  /// depends on the payload, as long as nobody gave that.
  @Sendable static func priorityAndExpiration(_ look: Look, _ result: StepResult) -> StepResult {
    guard look.seen.send >= 0, look.seen.woken < 0,
      look.chain.sends[look.seen.send].pushType.isKnown(.background),
      look.seen.payload.alert == .unknown, look.seen.payload.contentAvailable == .unknown
    else { return result }
    let priority = look.chain.sends[look.seen.send].priority
    let isTen = priority == .known(.number(10))
    guard isTen || priority.isMissing else { return result }
    let cause: CauseID = isTen ? .priorityBackground : .priorityMissingForBackground
    if result.isDecided {
      var result = result
      result.suggest(cause)
      return result
    }
    return StepResult(
      .unknown, evidence: Evidence(.send, look.seen.send), Evidence(.sendHeaders),
      needs: Needs(.sendPayload), candidates: (cause, .pushTypeMismatch))
  }

  /// 429 has two reasons, and they are about different things (F2.0): without one it names neither.
  @Sendable static func apnsAccepted(_ look: Look, _ result: StepResult) -> StepResult {
    guard result.cause == .apnsThrottled, look.seen.answer >= 0,
      look.chain.sends[look.seen.answer].status == .known(429),
      look.chain.refusal(look.seen) == nil
    else { return result }
    return StepResult(
      .broken, evidence: look.chain.answerEvidence(look.seen),
      needs: [Needs(.sendResponse), Needs(.sendJWT)],
      candidates: (.apnsThrottled, .providerJwtChurn))
  }

  @Sendable static func requestShape(_ look: Look, _ result: StepResult) -> StepResult {
    let faults = look.facts.lastRequestFaults.subtracting(.isFragment)
    guard !faults.isEmpty, look.seen.received < 0, !result.isDecided else { return result }
    return StepResult(
      .broken, cause: .fcmNesting, confidence: .likely,
      evidence: Evidence(.send, max(look.seen.send, 0)), Evidence(.sendRequest))
  }
}
