import PushModel

// What a scrap says about the service extension: in the app, found, started, called.

extension ScrapJudge {
  @Sendable static func extensionEmbedded(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if let line = look.line(
      .systemInstallRefused, .systemEntitlementRefused, .systemExtensionNotValid)
    {
      return StepResult(
        .broken, cause: .extSigning, confidence: .likely, evidence: look.at(line))
    }
    if let line = look.line(.systemPrefixRefused) {
      return StepResult(.broken, cause: .extBundlePrefix, evidence: look.at(line))
    }
    if look.seen.extensionRan >= 0 { return result }
    let hasBundle = look.facts.app.plugins.value?.contains { $0.hasSuffix(".appex") } ?? false
    if let line = look.line(.systemNoPluginFound), !hasBundle {
      return StepResult(
        .broken, cause: .appexNotEmbedded, confidence: .likely, evidence: look.at(line))
    }
    if let line = look.line(.systemNoExtension, .systemNoPluginFound) {
      return noExtension(look, result, line, hasBundle: hasBundle)
    }
    return result
  }

  /// iOS found no extension that it could use. The line alone fits four causes (F4.4, F4.7 to F4.9);
  /// what is known of the built app leaves some of them.
  private static func noExtension(
    _ look: Look, _ result: StepResult, _ line: Int, hasBundle: Bool
  ) -> StepResult {
    let release = look.chain.release
    let isPointRight = release.servicePoint.isKnown(.comAppleUsernotificationsService)
    var isTooNew: Bool?
    if case .known(let minimum) = release.serviceMinimumOS,
      case .known(let system) = look.chain.installation.os
    {
      isTooNew = minimum > system
    }
    // Judged at their own steps.
    if isTooNew == true { return result }
    if case .known = release.servicePoint, !isPointRight { return result }
    if release.servicePoint.isMissing { return result }
    var open: [CauseID] = []
    if !hasBundle { open.append(.appexNotEmbedded) }
    if release.servicePrefixFits != .known(true) { open.append(.extBundlePrefix) }
    if !isPointRight { open.append(.wrongExtensionPoint) }
    if isTooNew == nil { open.append(.extMinOs) }
    var broken = StepResult(
      .broken, evidence: look.at(line),
      needs: [Needs(.appPlugins), Needs(.extensionInfo), Needs(.deviceOS)])
    broken.confidence = .likely
    for cause in open { broken.suggest(cause) }
    return broken
  }

  @Sendable static func extensionPoint(_ look: Look, _ result: StepResult) -> StepResult {
    guard !result.isDecided, let service = look.facts.service, service.point.isMissing else {
      return result
    }
    return StepResult(
      .broken, cause: .wrongExtensionPoint, evidence: Evidence(.release), Evidence(.extensionInfo))
  }

  @Sendable static func extensionLoads(_ look: Look, _ result: StepResult) -> StepResult {
    let chain = look.chain
    if let line = look.line(.systemLibraryMissing) {
      return StepResult(
        .broken, cause: .extFrameworkMissing, confidence: .likely, evidence: look.at(line))
    }
    if let line = look.line(.systemPrincipalClassMissing) {
      return StepResult(.broken, cause: .principalClass, evidence: look.at(line))
    }
    if result.isDecided || look.seen.extensionRan >= 0 { return result }
    if let line = look.line(.systemStartupUsedTime) {
      return StepResult(.broken, cause: .extStartupBudget, evidence: look.at(line))
    }
    // Killed for its memory is a cause of its own.
    if look.line(.systemMemoryExceeded, .systemKilledForMemory) != nil { return result }
    let broke = look.line(
      .systemContentNotApplied, .systemExtensionStartFailed, .systemConnectionError)
    guard let broke else { return result }
    let code = chain.integer(.errorCode, of: broke)
    let isConnection =
      code == 4097 || code == 4099 || chain.events[broke].name == .systemExtensionStartFailed
    let runtime = chain.integer(.elapsedMs, of: broke) ?? chain.integer(.durationMs, of: broke)
    guard isConnection else { return result }
    if let runtime, runtime >= 1000 {
      // It lived for a while: something in its run ended it.
      return runtime >= 25_000
        ? result
        : result.open(
          [Needs(.crashReport), Needs(.eventsExtension)], .extCrashAtLaunch, .extMemory,
          evidence: look.at(broke))
    }
    guard runtime != nil || chain.events[broke].name == .systemExtensionStartFailed else {
      return result.open(
        [Needs(.log), Needs(.crashReport)], .extCrashAtLaunch, .extMemory,
        evidence: look.at(broke))
    }
    return StepResult(
      .broken, cause: .extCrashAtLaunch, confidence: .likely, evidence: look.at(broke),
      value: runtime ?? 0)
  }

  @Sendable static func didReceive(_ look: Look, _ result: StepResult) -> StepResult {
    // A payload of APNs was received, so there was a remote one; its own record may be missing.
    if result.cause == .localNotification, look.facts.evidence["payload"] != nil {
      return StepResult(
        .unknown, evidence: result.evidence.0, needs: [Needs(.eventsApp), Needs(.log)],
        candidates: (.localNotification, .duplicateLocalCopy))
    }
    if result.isDecided || look.seen.extensionRan >= 0 { return result }
    if isSimulated(look) {
      return StepResult(
        .broken, cause: .simulatorPushLimits, confidence: .likely,
        evidence: look.seen.send >= 0 ? Evidence(.send, look.seen.send) : Evidence(.receivedPayload)
      )
    }
    if look.seen.localCopy >= 0, look.seen.presented < 0, look.seen.send < 0,
      look.facts.evidence["payload"] == nil
    {
      return StepResult(
        .broken, cause: .localNotification, evidence: look.at(look.seen.localCopy))
    }
    if let line = look.line(.systemDebuggerAttached) {
      return result.open(
        [Needs(.eventsExtension), Needs(.log)], .falseAlarmDebugger, evidence: look.at(line))
    }
    return result
  }

  @Sendable static func extensionRouting(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    let presented = look.chain.firstEvent(.appPresented)
    // The stub's own mark at the end of a shown title.
    let hasMark =
      presented.flatMap { look.written($0)?["attrs"]?["title"]?.text }
      .map { $0.hasSuffix("[modified]") } ?? false
    if hasMark, let presented {
      return StepResult(
        .broken, cause: .extTemplateCode, confidence: .likely, evidence: look.at(presented))
    }
    if look.chain.release.serviceIsTemplate == .known(true), result.outcome != .holds {
      return StepResult(
        .broken, cause: .extTemplateCode, confidence: .likely, evidence: Evidence(.extensionCode),
        look.chain.runEvidence(look.seen))
    }
    return result
  }

  @Sendable static func sharedStorage(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    let failure =
      look.chain.firstEvent(.nseKeychainFailed) ?? look.chain.firstEvent(.nseSharedStorageFailed)
    if let failure {
      let isAfterBoot = look.facts.device.bool("unlocked_since_boot") == .known(false)
      let groups = look.chain.release
      let excludesGroups =
        groups.sharedAppGroup != .known(false) && groups.sharedKeychainGroup != .known(false)
      // Before the first unlock neither keychain nor protected files can be read (F4.43).
      if isAfterBoot, excludesGroups {
        return StepResult(
          .broken, cause: .keychainLocked, confidence: .likely, evidence: look.at(failure),
          Evidence(.deviceLock))
      }
      if groups.sharedKeychainGroup == .known(false), groups.sharedAppGroup != .known(false) {
        return StepResult(
          .broken, cause: .keychainGroup, confidence: .likely, evidence: look.at(failure),
          Evidence(.extensionEntitlements))
      }
    }
    // An SDK that says itself that it does not get at the group.
    if let failure, look.chain.attribute(.sdk, of: failure) != nil,
      look.word(.what, failure) == .appGroup
    {
      return StepResult(
        .broken, cause: .appGroupMissing, confidence: .likely, evidence: look.at(failure))
    }
    if let line = look.line(.sdkGroupMissing) {
      return StepResult(
        .broken, cause: .appGroupMissing, confidence: .likely, evidence: look.at(line))
    }
    let missesSomething =
      look.symptom.map { !$0.meaning.isDisjoint(with: .needsExtension) } ?? false
    if failure == nil, look.seen.handler < 0, missesSomething {
      if look.chain.release.sharedKeychainGroup == .known(false) {
        // A picture may be missing for many reasons that have nothing to do with a shared secret.
        if look.symptom != .plainInsteadOfRich {
          return result.open(
            [Needs(.eventsExtension), Needs(.log)], .keychainGroup,
            evidence: Evidence(.extensionEntitlements))
        }
        return StepResult(
          .broken, cause: .keychainGroup, confidence: .likely,
          evidence: Evidence(.extensionEntitlements), Evidence(.appEntitlements))
      }
      // No group is needed for attachments, so a missing one is a fault only if something is shared.
      if look.chain.release.sharedAppGroup == .known(false) {
        return result.open(
          [Needs(.eventsExtension), Needs(.log)], .appGroupMissing,
          evidence: Evidence(.extensionEntitlements))
      }
    }
    return result
  }

  @Sendable static func extensionMemory(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if let line = look.line(.systemMemoryExceeded, .systemKilledForMemory) {
      return StepResult(
        .broken, cause: .extMemory, evidence: look.at(line), look.chain.runEvidence(look.seen),
        value: look.chain.integer(.limitMb, of: line) ?? 0)
    }
    return result
  }

  // MARK: The handler

  @Sendable static func handlerTiming(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if look.line(.systemMemoryExceeded, .systemKilledForMemory, .systemStartupUsedTime) != nil {
      return result
    }
    let cut = cutLine(look)
    let isOpen =
      look.seen.holds(.nseDownloadStarted) && !look.seen.holds(.nseDownloadFinished)
      && !look.seen.holds(.nseAttachmentCreated)
    let open = look.line(.sdkDownloadOpen)
    if look.seen.handler >= 0 { return lateCall(look, result, cut, isOpen: isOpen) }
    if let open, isOpen || look.seen.extensionRan >= 0 || cut != nil {
      return StepResult(
        .broken, cause: .downloadTooSlow, confidence: .likely, evidence: look.at(open),
        cut.map { look.at($0) } ?? .none)
    }
    if let cut {
      let first = look.at(cut)
      if isOpen, look.isNetworkPoor {
        return StepResult(
          .broken, cause: .downloadTooSlow, confidence: .likely, evidence: first,
          Evidence(.deviceNetwork))
      }
      // Without an expiry method nobody calls the handler at the end, whatever was still open.
      let hasNoExpiry = look.facts.service?.code("expiry_handler").value == "absent"
      if !hasNoExpiry, isOpen || look.isNetworkPoor {
        return result.open(
          [Needs(.deviceNetwork), Needs(.eventsExtension), Needs(.extensionCode)],
          .contentHandlerNever, .downloadTooSlow, evidence: first)
      }
      return StepResult(
        .broken, cause: .contentHandlerNever, confidence: .likely, evidence: first,
        look.chain.runEvidence(look.seen))
    }
    if look.facts.service?.code("handler_paths").value == "some",
      look.symptom == .late || look.symptom == .plainInsteadOfRich
    {
      if look.symptom == .late {
        return StepResult(
          .broken, cause: .contentHandlerNever, confidence: .likely,
          evidence: Evidence(.extensionCode))
      }
      return result.open(
        [Needs(.eventsExtension), Needs(.log)], .contentHandlerNever,
        evidence: Evidence(.extensionCode))
    }
    if isOpen, look.isNetworkPoor {
      return result.open(
        [Needs(.eventsExtension), Needs(.log)], .downloadTooSlow, .contentHandlerNever)
    }
    return result
  }

  /// A line that says that the time was up: grace, exceeded, or given up after about 30 s.
  private static func cutLine(_ look: Look) -> Int? {
    if let line = look.line(.systemTimeExceeded) { return line }
    if let line = look.chain.firstEvent(.systemContentNotApplied) {
      let runtime =
        look.chain.integer(.elapsedMs, of: line) ?? look.chain.integer(.durationMs, of: line)
      if let runtime, runtime >= 25_000 { return line }
      // Error 1901: the time expired (F4.29).
      if look.chain.integer(.errorCode, of: line) == 1901 { return line }
    }
    // Shown when the time was up, not before: that is what waiting for the handler looks like (F4.20).
    if look.seen.extensionRan >= 0, look.seen.presented >= 0,
      case .known(let ran) = look.chain.events[look.seen.extensionRan].recordedAt,
      case .known(let shown) = look.chain.events[look.seen.presented].recordedAt,
      (28_500_000...33_000_000).contains(shown - ran)
    {
      return look.seen.presented
    }
    return nil
  }

  /// The handler was called: too late, or with the wrong content at the end.
  private static func lateCall(
    _ look: Look, _ result: StepResult, _ cut: Int?, isOpen: Bool
  ) -> StepResult {
    let handler = look.seen.handler
    let isFallback = look.chain.boolean(.fallback, of: handler) == true
    let elapsed = look.elapsed(handler) ?? 0
    let wasCut = cut.map { $0 < handler } ?? false
    if !isFallback, elapsed >= extensionTimeMilliseconds || wasCut {
      let cause: CauseID = isOpen ? .downloadTooSlow : .contentHandlerLate
      return StepResult(
        .broken, cause: cause, confidence: .likely, evidence: look.at(handler),
        cut.map { look.at($0) } ?? .none, value: elapsed)
    }
    if isFallback, isOpen, look.isNetworkPoor,
      let warning = look.line(.nseWillExpire, .systemWillExpire)
    {
      return StepResult(
        .broken, cause: .downloadTooSlow, confidence: .likely, evidence: look.at(handler),
        look.at(warning), Evidence(.deviceNetwork), value: elapsed)
    }
    let returns = look.facts.service?.code("expiry_returns").value
    let warning = look.line(.nseWillExpire, .systemWillExpire)
    if isFallback, let warning, !isOpen, returns == "original" || returns == "placeholder" {
      return StepResult(
        .broken, cause: .expiryReturnsWrongContent, confidence: .likely, evidence: look.at(handler),
        look.at(warning), Evidence(.extensionCode), value: elapsed)
    }
    return result
  }

  @Sendable static func contentApplied(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if let line = look.line(.systemContentWithoutAlert) {
      let isKnown = look.chain.release.filteringEntitlement == .known(false)
      return StepResult(
        .broken, cause: .filterEntitlement, confidence: isKnown ? .certain : .likely,
        evidence: look.at(line), isKnown ? Evidence(.extensionEntitlements) : .none)
    }
    if look.symptom == .duplicate || look.symptom == nil,
      look.chain.eventCount(.nseDidReceive) > 1, look.seen.localCopy < 0,
      result.outcome != .broken
    {
      // One push processed twice, or two pushes: the sends would tell.
      return StepResult(
        .unknown, evidence: look.chain.runEvidence(look.seen),
        needs: [Needs(.sends), Needs(.log)], candidates: (.osBug, nil))
    }
    return result
  }
}
