import PushModel

// What a scrap says about the payload, and about the way to the phone and its settings.

extension ScrapJudge {
  @Sendable static func visibleAlert(_ look: Look, _ result: StepResult) -> StepResult {
    if let line = look.line(.systemSoundNotFound),
      look.chain.meaning.contains(.sound) || look.symptom == nil
    {
      return StepResult(.broken, cause: .soundMissing, evidence: look.at(line))
    }
    if result.isDecided { return result }
    if let request = look.line(.systemRequestReceived) {
      if look.chain.boolean(.hasAlert, of: request) == false, look.chain.kind == .richAlert {
        return StepResult(.broken, cause: .noAlert, evidence: look.at(request))
      }
      if look.chain.boolean(.hasAlert, of: request) == true, result.outcome == .unknown,
        !look.chain.meaning.contains(.sound)
      {
        return StepResult(.holds, evidence: look.at(request))
      }
    }
    // A sound was asked for: whether the file is there, and of a kind that iOS plays, is open.
    guard look.chain.meaning.contains(.sound), look.symptom == .noSound,
      result.outcome == .holds, case .known = look.seen.payload.sound
    else { return result }
    let isDefault = look.seen.payload.sound.isKnown(.defaultText)
    if isDefault { return result }
    return StepResult(
      .unknown, evidence: look.chain.payloadEvidence(look.seen),
      needs: [Needs(.mediaMagic), Needs(.deviceSettings), Needs(.log)],
      candidates: (.soundMissing, nil))
  }

  @Sendable static func mutableContent(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    let payload = look.seen.payload
    if let request = look.line(.systemRequestReceived),
      let isOn = look.chain.boolean(.mutableContent, of: request)
    {
      if isOn { return StepResult(.holds, evidence: look.at(request)) }
      if payload.mutableContent.isOn == true, look.seen.send >= 0 {
        return StepResult(
          .broken, cause: .providerStripsKeys, confidence: .likely, evidence: look.at(request),
          Evidence(.send, look.seen.send))
      }
      if result.outcome == .unknown {
        return result.open(
          [Needs(.sendPayload), Needs(.receivedPayload)], .mutableContentOff,
          .mutableKeySpellingNesting, evidence: look.at(request))
      }
    }
    guard result.outcome == .unknown, !payload.misplacedMutable.isEmpty else { return result }
    if look.facts.lastRequestFaults.contains(.isFragment) {
      return result.open(
        [Needs(.sendPayload), Needs(.receivedPayload)], .mutableKeySpellingNesting,
        .flagTypeString, evidence: Evidence(.sendRequest))
    }
    guard look.seen.send >= 0, payload.mutableContent == .unknown else { return result }
    return result.open(
      [Needs(.receivedPayload), Needs(.sendPayload)], .mutableKeySpellingNesting,
      evidence: Evidence(.send, look.seen.send))
  }

  @Sendable static func backgroundPayload(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    let payload = look.seen.payload
    if let request = look.line(.systemRequestReceived),
      look.chain.boolean(.contentAvailable, of: request) == true,
      look.chain.boolean(.hasAlert, of: request) == false
    {
      return StepResult(.holds, evidence: look.at(request))
    }
    // Keys of a visible push count even where what stands in them is dropped (F8.1).
    let aps =
      look.facts.evidence.value(at: "send.payload.aps")
      ?? look.facts.evidence.value(at: "payload.aps")
    if result.outcome == .holds, look.seen.woken < 0, let aps, payload.alert != .visible,
      ["alert", "sound", "badge"].contains(where: { aps[$0] != nil })
    {
      return StepResult(
        .broken, cause: .alertInBackgroundPush, confidence: .likely, evidence: result.evidence.0)
    }
    guard result.outcome == .unknown, !payload.misplacedAvailable.isEmpty else { return result }
    return result.open(
      [Needs(.sendPayload), Needs(.receivedPayload)], .mutableKeySpellingNesting, .flagTypeString,
      evidence: Evidence(.sendRequest))
  }

  // MARK: The way to the phone

  @Sendable static func pathToDevice(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if let simulated = simulatedTarget(look) { return simulated }
    if let outage = outage(look) { return outage }
    if let line = look.line(.systemAppUninstalled) {
      return StepResult(
        .unknown, evidence: look.at(line), needs: [Needs(.deviceTokens), Needs(.appBundleID)],
        candidates: (.tokenUnregistered, nil))
    }
    guard result.outcome == .unknown, look.symptom == .nothingArrived else { return result }
    return offline(look, result)
  }

  /// A `.apns` file, or `simctl push`, that names no app or another one (F4.60).
  private static func simulatedTarget(_ look: Look) -> StepResult? {
    guard isSimulated(look) else { return nil }
    let key = "Simulator Target Bundle"
    let target = [look.facts.evidence["payload"], look.facts.evidence.value(at: "send.payload")]
      .compactMap { $0 }.first
    guard let target, target["aps"] != nil else { return nil }
    let evidence =
      look.seen.send >= 0 ? Evidence(.send, look.seen.send) : Evidence(.receivedPayload)
    let named = target[key]
    let isGiven = look.facts.send.known("request.bundle_id").value != nil
    let provider = look.facts.send.text("provider").value?.lowercased() ?? ""
    // `simctl` may have been given the bundle id; a file that was dragged in has nothing but itself.
    let isMissing = named?.isNull == true || (named == nil && provider.contains("apns-file"))
    if isMissing, !isGiven {
      return StepResult(
        .broken, cause: .simulatorTargetBundle, confidence: .likely, evidence: evidence)
    }
    if let text = named?.text, case .known(let bundle) = look.facts.app.part.text("bundle_id"),
      text != bundle, !isGiven
    {
      return StepResult(.broken, cause: .simulatorTargetBundle, evidence: evidence)
    }
    return nil
  }

  /// Whether the push was given to a simulator by hand.
  static func isSimulated(_ look: Look) -> Bool {
    guard look.chain.scrap != nil else { return false }
    let provider = look.facts.send.text("provider").value?.lowercased() ?? ""
    if ["simctl", "apns-file", ".apns", "simulator"].contains(where: provider.contains) {
      return true
    }
    let key = "Simulator Target Bundle"
    return look.facts.evidence["payload"]?[key] != nil
      || look.facts.evidence.value(at: "send.payload")?[key] != nil
  }

  /// Others, who share nothing with this sender but Apple's side, lose theirs too.
  private static func outage(_ look: Look) -> StepResult? {
    guard look.comparing.successes.isEmpty,
      !look.chain.isRefused(look.seen)
        || look.chain.sends[max(look.seen.answer, 0)].status.value ?? 0 >= 500
    else { return nil }
    let others = ["send.credential.topics", "send.credential.key_scope", "send.headers.apns-topic"]
    for (failure, place) in look.comparing.failures {
      for path in others {
        guard case .text(let text)? = failure.value(path) else { continue }
        // One other topic of the same sender says little; within the same time, or said of many
        // ("those of other teams"), it does (F1.64).
        let isOne = !TopicForm.read(text).form.hasStrayCharacters
        if path.hasSuffix("apns-topic"), isOne, failure.value("send.sent_at") == nil { continue }
        return StepResult(
          .broken, cause: .appleOutage, confidence: .likely,
          evidence: Evidence(.comparison, place))
      }
    }
    return nil
  }

  /// The phone was off: it expired, or a later one took its place (F1.14, F1.19).
  private static func offline(_ look: Look, _ result: StepResult) -> StepResult {
    let needs: Needs = [
      Needs(.sendResponse), Needs(.sendSentAt), Needs(.sends), Needs(.deviceOnline),
    ]
    let chain = look.chain
    if let send = chain.sends.first, case .known(let sentAt) = send.sentAt,
      case .known(let onlineAt) = chain.installation.onlineAgainAt, onlineAt - sentAt > 60 * second,
      look.seen.isAccepted || send.acceptedByAPNs
    {
      let next = chain.sends.dropFirst().compactMap(\.sentAt.value)
        .first { $0 > sentAt && $0 <= onlineAt }
      var expiresAt: Int64?
      if case .known(.number(let seconds)) = send.expiration, seconds >= 0,
        seconds < 100_000_000_000
      {
        expiresAt = seconds == 0 ? sentAt : seconds * second
      }
      if let next, next < expiresAt ?? .max {
        return StepResult(
          .broken, cause: .overwrittenInStorage, confidence: .likely, evidence: Evidence(.send, 0),
          Evidence(.send, 1), Evidence(.deviceOnline))
      }
      if let expiresAt, expiresAt <= onlineAt {
        return StepResult(
          .broken, cause: .expiredWhileOffline, confidence: .likely, evidence: Evidence(.send, 0),
          Evidence(.deviceOnline))
      }
    }
    guard
      look.isNetworkOff || !look.facts.device.known("online_since").isUnknown
        || !look.facts.device.known("last_seen_online").isUnknown
    else { return result }
    return result.open(
      needs, .expiredWhileOffline, .overwrittenInStorage, evidence: Evidence(.deviceNetwork))
  }

  // MARK: Settings

  @Sendable static func notificationSettings(_ look: Look, _ result: StepResult) -> StepResult {
    // Which level the payload asks for decides whether a Focus may hold it back at all (F6.9).
    if result.cause == .focusOrSummary, look.seen.payload.interruptionLevel.isUnknown {
      return StepResult(
        .unknown, evidence: result.evidence.0,
        needs: [Needs(.receivedPayload), Needs(.sendPayload), Needs(.appEntitlements)],
        candidates: (.focusOrSummary, .interruptionEntitlement))
    }
    if result.isDecided { return result }
    if let line = look.line(.systemModifiable),
      look.chain.boolean(.allowed, of: line) == false
    {
      return StepResult(
        .broken, cause: .notificationsDenied, confidence: .likely, evidence: look.at(line))
    }
    if let line = look.line(.systemPushDisabled) {
      return StepResult(
        .broken, cause: .notificationsDenied, confidence: .likely, evidence: look.at(line))
    }
    let payload = look.seen.payload
    let settings = CasePart(look.facts.evidence.value(at: "device.settings"))
    let wantsCritical =
      payload.parts.contains(.criticalSound) || payload.interruptionLevel.isKnown(.critical)
    let wantsTimeSensitive = payload.interruptionLevel.isKnown(.timeSensitiveText)
    // The switch is offered in Settings only where the signed app has the entitlement (F6.9, F6.10).
    let isNotOffered =
      (wantsCritical && isNotOffered(settings.known("critical")))
      || (wantsTimeSensitive && isNotOffered(settings.known("time_sensitive")))
    if isNotOffered {
      return StepResult(
        .broken, cause: .interruptionEntitlement, confidence: .likely,
        evidence: look.chain.payloadEvidence(look.seen), Evidence(.deviceSettings))
    }
    if look.chain.meaning.contains(.sound), look.chain.installation.sounds == .known(false) {
      return StepResult(
        .broken, cause: .focusOrSummary, confidence: .likely, evidence: Evidence(.settings))
    }
    // What a Focus or the summary holds back comes late, or is found in the list only (F6.8, F6.13).
    let isHeld =
      look.chain.installation.focus == .known(true)
      || look.chain.installation.scheduledSummary == .known(true)
    if isHeld, !wantsCritical, !wantsTimeSensitive {
      if look.symptom == .late, payload.isWhole {
        return StepResult(
          .broken, cause: .focusOrSummary, confidence: .likely, evidence: Evidence(.settings))
      }
      if look.symptom == .late || (look.symptom == .nothingArrived && look.seen.received < 0) {
        return StepResult(
          .unknown, evidence: Evidence(.settings), needs: [Needs(.eventsApp), Needs(.log)],
          candidates: (.focusOrSummary, nil))
      }
    }
    if payload.interruptionLevel.isKnown(.passive), result.outcome == .unknown {
      return result.open([Needs(.deviceSettings)], .quietLevel)
    }
    return result
  }

  private static func isNotOffered(_ setting: Known<CaseValue>) -> Bool {
    if setting.isMissing { return true }
    let text = setting.value?.text?.lowercased() ?? ""
    return ["not offered", "not-offered", "not available", "absent", "missing"]
      .contains(where: text.contains)
  }
}
