import PushModel

// What a scrap says about the app's own part, the view, silent pushes, Live Activities and calls.

extension ScrapJudge {
  @Sendable static func presentation(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if let line = look.line(.sdkCompletionNotCalled), !isElsewhere(look) {
      return StepResult(
        .broken, cause: .foregroundCompletionNotCalled, confidence: .likely,
        evidence: look.at(line), Evidence(.appState))
    }
    if look.seen.localCopy >= 0, look.seen.presented >= 0 {
      return StepResult(
        .broken, cause: .duplicateLocalCopy, evidence: look.at(look.seen.presented),
        look.at(look.seen.localCopy))
    }
    guard look.isInState("foreground"), look.seen.presented < 0 else { return result }
    let delegate = CasePart(look.facts.evidence.value(at: "app.delegate"))
    let isAbsent =
      delegate.text("will_present").value == "absent" || delegate.known("will_present").isMissing
    let options = delegate.texts("presentation_options")
    // A delegate that does not answer, or answers with nothing, silences it (F4.12).
    if delegate.value != nil, isAbsent || options.value == [] || options.isMissing,
      delegate.value?.isNull != true
    {
      return StepResult(
        .broken, cause: .foregroundDelegate, confidence: .likely, evidence: Evidence(.appDelegate),
        Evidence(.appState))
    }
    let isMissed = look.symptom == .nothingArrived || look.symptom == .other
    guard isMissed, result.outcome == .unknown else { return result }
    return result.open(
      [Needs(.appDelegate), Needs(.eventsApp), Needs(.log)], .foregroundDelegate,
      evidence: Evidence(.appState))
  }

  /// Whether the app is known not to have been in front.
  private static func isElsewhere(_ look: Look) -> Bool {
    look.facts.app.state.value.map { $0 != "foreground" } ?? false
  }

  // MARK: Expanded view

  @Sendable static func contentExtension(_ look: Look, _ result: StepResult) -> StepResult {
    // It failed once it ran, or with a picture handed over, and nobody said over what.
    if result.cause == .contentExtFailed,
      look.chain.handedAttachment(look.seen) != nil || look.line(.contentExtDidReceive) != nil,
      let failed = look.line(.contentExtFailed), look.chain.text(.reason, of: failed) == nil
    {
      return StepResult(
        .unknown, evidence: look.at(failed),
        needs: [Needs(.eventsContentExtension), Needs(.crashReport)],
        candidates: (.contentExtFailed, .contentExtAttachment))
    }
    if result.isDecided { return result }
    // The picture was handed over. Who claims the category owns the look, and may fail to read it.
    if look.symptom == .noImage, look.chain.release.categoryClaimed == .known(true),
      look.seen.handler >= 0, look.chain.integer(.attachments, of: look.seen.handler) ?? 0 > 0
    {
      return result.open(
        [Needs(.eventsContentExtension), Needs(.observed), Needs(.log)],
        .categoryClaimsPresentation, .contentExtAttachment, evidence: look.at(look.seen.handler))
    }
    let contents = look.facts.contentExtensions
    guard let content = contents.first else { return result }
    // A view that takes no part in what was meant explains nothing.
    let isMeant = look.chain.meaning.contains(.customView)
    guard isMeant || look.symptom == .noCustomUI || look.symptom == .other else { return result }
    if look.chain.release.contentTwoEntryPoints == .known(true), result.outcome != .holds {
      return StepResult(
        .broken, cause: .storyboardAndPrincipalClass, evidence: Evidence(.extensionInfo))
    }
    if CaseScrapFacts.principalFits(content) == false {
      return StepResult(
        .broken, cause: .principalClass, confidence: .likely, evidence: Evidence(.extensionInfo))
    }
    if content.attribute("UNNotificationExtensionDefaultContentHidden").value?.bool == true,
      look.symptom == .other || look.symptom == .noCustomUI
    {
      // Hiding the texts is right for a view that draws them; only a view that ran and left
      // something to complain of makes it the fault (F7.5).
      if look.seen.holds(.contentExtDidReceive) {
        return StepResult(
          .broken, cause: .defaultContentHidden, confidence: .likely,
          evidence: Evidence(.extensionInfo))
      }
      if result.outcome != .holds, look.symptom == .other {
        return result.open(
          [Needs(.eventsContentExtension), Needs(.observed)], .defaultContentHidden,
          evidence: Evidence(.extensionInfo))
      }
    }
    let touches = content.attribute("UNNotificationExtensionUserInteractionEnabled")
    if touches.isMissing || touches.value?.bool == false {
      if look.seen.holds(.contentExtDidReceive) || look.symptom == .other {
        return StepResult(
          .broken, cause: .contentExtInteraction, confidence: .likely,
          evidence: Evidence(.extensionInfo))
      }
    }
    return sizeFault(content) ?? result
  }

  /// A ratio that is no number, or far off (F7.4).
  private static func sizeFault(_ content: ExtensionFacts) -> StepResult? {
    let ratio = content.attribute("UNNotificationExtensionInitialContentSizeRatio")
    guard case .known(let value) = ratio else { return nil }
    let number = value.number ?? value.text.flatMap { Double($0) }
    if let number, number > 0, number <= 3 { return nil }
    return StepResult(
      .broken, cause: .contentExtSize, confidence: .likely, evidence: Evidence(.extensionInfo))
  }

  // MARK: Silent pushes

  /// UIKit itself says that the completion was not called (F8.6).
  @Sendable static func backgroundHandled(_ look: Look, _ result: StepResult) -> StepResult {
    guard !result.isDecided, let line = look.line(.systemBackgroundNotCompleted) else {
      return result
    }
    return StepResult(
      .broken, cause: .backgroundNotCompleted, confidence: .likely, evidence: look.at(line))
  }

  @Sendable static func appWakeable(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided || look.seen.woken >= 0 { return result }
    if look.isInState("force-quit"), look.seen.payload.contentAvailable.isOn == true,
      look.seen.payload.alert.isVisible != true
    {
      return StepResult(.broken, cause: .forceQuit, evidence: Evidence(.appState))
    }
    if let line = look.line(.systemWakeCancelled) {
      if look.isInState("force-quit") {
        return StepResult(
          .broken, cause: .forceQuit, evidence: look.at(line), Evidence(.appState))
      }
      return StepResult(
        .broken, cause: .backgroundBestEffort, confidence: .likely, evidence: look.at(line),
        look.line(.systemWakeRequested, .systemWakeQueued).map { look.at($0) } ?? .none)
    }
    if let line = look.line(.systemWakeRefused) {
      return result.open(
        [Needs(.appInfo), Needs(.deviceSettings), Needs(.appState)], .backgroundModeMissing,
        .forceQuit, evidence: look.at(line))
    }
    // The scheduler's own lines tell, and whether the app had been swiped away.
    guard result.outcome == .unknown, look.chain.scrap != nil, look.seen.isAccepted else {
      return result
    }
    var open = result
    open.needs.formUnion(Needs(.log))
    if look.facts.app.state.isUnknown { open.needs.formUnion(Needs(.appState)) }
    return open
  }

  // MARK: Live Activities

  @Sendable static func laSupported(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided || result.outcome == .holds { return result }
    let key = look.facts.app.info("NSSupportsLiveActivities")
    if key.isMissing || key.value?.bool == false {
      return StepResult(.broken, cause: .laNotSupported, evidence: Evidence(.appInfo))
    }
    let hasNoWidget =
      look.facts.app.plugins.value?.isEmpty == true || look.facts.app.plugins.isMissing
    if hasNoWidget {
      return StepResult(
        .broken, cause: .laNotSupported, confidence: .likely, evidence: Evidence(.appPlugins))
    }
    guard case .known(let system) = look.chain.installation.os else { return result }
    let isStart =
      look.facts.text("send.payload.aps.event").value == "start"
      || look.facts.send.text("token_kind").value == Word.liveActivityStart.rawValue
    // Starting by push needs iOS 17.2 (F9.1), Live Activities at all 16.1 (F9.6).
    if system < OSVersion(major: 16, minor: 1)
      || (isStart && system < OSVersion(major: 17, minor: 2))
    {
      return StepResult(.broken, cause: .laNotSupported, evidence: Evidence(.deviceOS))
    }
    return result
  }

  @Sendable static func laPayload(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided { return result }
    if let shifted = dateShift(look) { return shifted }
    guard look.chain.kind == .liveActivity, look.seen.send >= 0,
      case .object? = look.facts.evidence.value(at: "send.payload.aps")
        ?? look.facts.evidence.value(at: "send.request.apns.payload.aps")
    else { return result }
    let aps =
      look.facts.evidence.value(at: "send.payload.aps")
      ?? look.facts.evidence.value(at: "send.request.apns.payload.aps") ?? .object([])
    var missing = ["timestamp", "event"]
    if aps["event"]?.text == "start" {
      missing += ["attributes-type", "attributes", "content-state", "alert"]
    } else if aps["event"]?.text == "update" {
      missing.append("content-state")
    }
    let isIncomplete = missing.contains { aps[$0] == nil || aps[$0]?.isNull == true }
    let isInMilliseconds = aps["timestamp"]?.number.map { $0 > 100_000_000_000 } ?? false
    if isIncomplete || isInMilliseconds {
      return StepResult(
        .broken, cause: .laPayloadIncomplete, evidence: Evidence(.send, look.seen.send))
    }
    return result
  }

  /// A date that is 31 years off: Unix seconds read as seconds from 2001 (F9.4).
  private static func dateShift(_ look: Look) -> StepResult? {
    let offset: Double = 978_307_200
    guard let state = look.facts.evidence.value(at: "send.payload.aps.content-state") else {
      return nil
    }
    for place in look.chain.events.indices {
      guard let attributes = look.written(place)?["attrs"] else { continue }
      for member in state.members {
        guard let sent = member.value.number, let shown = attributes[member.key]?.number else {
          continue
        }
        if abs(abs(shown - sent) - offset) < 86_400 {
          return StepResult(
            .broken, cause: .laContentState, evidence: look.at(place),
            Evidence(.send, max(look.seen.send, 0)))
        }
      }
    }
    return nil
  }

  @Sendable static func laBudget(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided || result.outcome == .holds { return result }
    guard look.symptom == .notUpdated, !look.chain.isRefused(look.seen),
      let first = look.comparing.differences.first(where: { $0.path == "send.sent_at" })
    else { return result }
    // Live at first and frozen later.
    let priority = look.seen.send >= 0 ? look.chain.sends[look.seen.send].priority : .unknown
    if priority == .known(.number(10)) || priority.isMissing {
      return StepResult(
        .broken, cause: .laBudget, confidence: .likely,
        evidence: Evidence(.comparison, first.place), Evidence(.sendHeaders))
    }
    return result.open(
      [Needs(.sendHeaders), Needs(.eventsApp), Needs(.log)], .laBudget,
      evidence: Evidence(.comparison, first.place))
  }

  @Sendable static func laState(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided || look.symptom != .notUpdated { return result }
    if let ended = look.chain.lastEvent(.liveActivityEnded),
      look.chain.lastEvent(.liveActivityUpdated).map({ $0 < ended }) ?? true
    {
      return StepResult(
        .broken, cause: .laEnded, confidence: .likely, evidence: look.at(ended))
    }
    let sends = look.facts.sends
    let ends = sends.dropLast().lastIndex { $0.text("payload.aps.event").value == "end" }
    if let ends {
      return StepResult(
        .broken, cause: .laEnded, confidence: .likely, evidence: Evidence(.send, ends))
    }
    return result
  }

  // MARK: Calls

  @Sendable static func callReported(_ look: Look, _ result: StepResult) -> StepResult {
    if result.isDecided || result.outcome == .holds { return result }
    if let crash = look.line(.systemAppCrashed, .nseCrashed),
      look.chain.integer(.code, of: crash) == 0xbaad_ca11
    {
      return StepResult(.broken, cause: .voipNotReported, evidence: look.at(crash))
    }
    let first = look.comparing.differences.first { $0.path == "send.sent_at" }
    let received = look.chain.firstEvent(.appVoipReceived)
    guard first != nil || received != nil else { return result }
    // What iOS does after repeated lapses looks the same as a token that is no longer active.
    return result.open(
      [Needs(.sendResponse), Needs(.log), Needs(.eventsApp)], .voipNotReported,
      first == nil ? nil : CauseID.tokenUnregistered,
      evidence: first.map { Evidence(.comparison, $0.place) } ?? look.at(received ?? 0))
  }
}

/// What only a look at an extension's plist tells.
enum CaseScrapFacts {
  /// Whether the class is written as its language needs it (F7.13); nil where nobody can tell.
  static func principalFits(_ content: ExtensionFacts) -> Bool? {
    guard case .known(.text(let name)) = content.entry("NSExtensionPrincipalClass"),
      case .known(let language) = content.language
    else { return nil }
    switch language.lowercased() {
    case "swift": return name.contains(".")
    case "objc", "objective-c": return !name.contains(".")
    default: return nil
    }
  }
}
