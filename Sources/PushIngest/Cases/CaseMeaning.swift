import PushModel

extension CaseBuilder {
  /// What was meant, and which checklist the chain walks.
  mutating func settleMeaning() {
    let sent = chain.sends.last?.payload ?? Payload()
    var payload = sent
    if payload.alert == .unknown { payload.alert = chain.received.alert }
    if payload.mutableContent == .unknown { payload.mutableContent = chain.received.mutableContent }
    if payload.contentAvailable == .unknown {
      payload.contentAvailable = chain.received.contentAvailable
    }
    if payload.category.isUnknown { payload.category = chain.received.category }
    payload.parts.formUnion(chain.received.parts)
    payload.misplacedMutable.formUnion(chain.received.misplacedMutable)
    payload.misplacedAvailable.formUnion(chain.received.misplacedAvailable)
    let kind = otherKind()
    let (said, source) = MeaningRule.derive(
      from: payload, release: chain.release, stated: nil)
    var meaning = facts.symptom?.meaning ?? []
    if facts.symptom == .notUpdated, payload.alert == .visible, kind != .liveActivity {
      meaning = said
    }
    if isAboutResponse, kind == nil {
      chain.kind = .response
      chain.meaning = .actions
      chain.meaningSource = .stated
      return
    }
    if let kind {
      chain.kind = kind
      chain.meaning =
        switch kind {
        case .voip: .call
        case .liveActivity: .liveActivity
        case .response: [.plain, .actions]
        default: .plain
        }
      chain.meaningSource = .stated
      return
    }
    if meaning == .silent || (meaning.isEmpty && isSilent(payload, said)) {
      chain.kind = .background
      chain.meaning = .silent
      chain.meaningSource = facts.symptom?.meaning == .silent ? .stated : .payload
      return
    }
    chain.kind = .richAlert
    if meaning.isEmpty {
      chain.meaning = said.subtracting(.silent)
      chain.meaningSource = source
    } else {
      // The symptom is a statement; what the payload states is meant besides.
      let stated = MeaningRule.statements(of: payload, release: chain.release)
      chain.meaning = meaning.union(stated.subtracting([.silent, .media]))
      if meaning.contains(.modified),
        payload.parts.contains(.knownMediaKey)
          || payload.parts.contains(.guessedMediaKey)
      {
        chain.meaning.insert(.media)
      }
      chain.meaningSource = .stated
    }
    addWhatEvidenceIsAbout()
    if chain.meaning.isEmpty { chain.meaning = .plain }
  }

  /// Whoever describes a file to be shown, or an extension's run, meant them to be.
  private mutating func addWhatEvidenceIsAbout() {
    // The file of a sound is no attachment.
    let isAboutSound = facts.symptom == .noSound || isSoundFile
    let aboutFile = facts.evidence["media"] != nil && !isAboutSound
    let names: [Word] = [
      .nseDownloadStarted, .nseDownloadFinished, .nseAttachmentFailed, .nseAttachmentCreated,
    ]
    let hasFileEvents = names.contains { chain.firstEvent($0) != nil }
    let hasRun = chain.events.contains { event in
      event.name.word.map { $0.rawValue.hasPrefix("nse.") } ?? false
    }
    let intents: [Word] = [.intentDonated, .intentFailed, .nseContentUpdated]
    let hasIntent = intents.contains { chain.firstEvent($0) != nil }
    var about: Meaning = []
    if aboutFile || hasFileEvents { about.insert(.media) }
    if hasRun || hasExtensionLine { about.insert(.modified) }
    if hasIntent { about.insert(.communication) }
    if facts.evidence["extensions"]?.items.contains(where: { $0["kind"]?.text == "service" })
      == true,
      facts.symptom != .noCustomUI, facts.symptom != .noActions
    {
      about.insert(.modified)
    }
    if facts.comparisons.contains(where: { $0.result("extension_ran") != nil }) {
      about.insert(.modified)
    }
    if facts.comparisons.contains(where: { $0.result("image") != nil }) { about.insert(.media) }
    if facts.comparisons.contains(where: { $0.result("avatar") != nil }) {
      about.insert(.communication)
    }
    let views: [Word] = [.contentExtFailed, .contentExtDidReceive]
    let hasView =
      views.contains { chain.firstEvent($0) != nil }
      || (!facts.contentExtensions.isEmpty && facts.service == nil)
    if hasView,
      facts.symptom == nil || facts.symptom == .noCustomUI || facts.symptom == .other
    {
      about.insert(.customView)
    }
    if about.isEmpty { return }
    if chain.meaning == .plain { chain.meaning = [] }
    chain.meaning.formUnion(about)
    chain.meaningSource = .stated
  }

  /// Whether the file is the one that the payload's sound names.
  private var isSoundFile: Bool {
    let sound =
      sentPayload?["aps"]?["sound"]?.text ?? facts.text("payload.aps.sound").value
    return sound != nil && facts.media.fileName.value == sound
  }

  /// Whether a line of the system is about an extension.
  private var hasExtensionLine: Bool {
    let lines: [Word] = [
      .systemNoExtension, .systemNoPluginFound, .systemExtensionStartFailed,
      .systemContentNotApplied, .systemTimeExceeded, .systemGraceTime, .systemStartupUsedTime,
      .systemMemoryExceeded, .systemKilledForMemory, .systemContentWithoutAlert,
      .systemExtensionNotValid, .systemEntitlementRefused, .systemPrincipalClassMissing,
      .systemLibraryMissing, .systemConnectionError, .systemExceptionInDidReceive,
      .systemExtensionInterrupted, .systemInstallRefused, .systemPrefixRefused,
      .systemAttachmentNotStaged, .systemAttachmentTypeConflict, .systemContentApplied,
    ]
    return lines.contains { chain.firstEvent($0) != nil }
  }

  private func isSilent(_ payload: Payload, _ said: Meaning) -> Bool {
    // A block for display was meant to be shown, though nothing of it may be.
    if said == .silent { return message?.meansAlert != true }
    if let request = chain.firstEvent(.systemRequestReceived),
      chain.boolean(.hasAlert, of: request) == false,
      chain.boolean(.contentAvailable, of: request) == true
    {
      return true
    }
    // Headers alone, and nobody complains: what they say it is.
    if facts.symptom == nil, payload.alert == .unknown, !payload.parts.contains(.whole),
      chain.sends.last?.pushType.isKnown(.background) == true
    {
      return true
    }
    let wakes: [Word] = [.systemWakeRequested, .systemWakeQueued, .systemWakeCancelled]
    return payload.alert == .unknown && wakes.contains { chain.firstEvent($0) != nil }
  }

  /// A kind that push type, token, payload or events name; nil for alerts and silent ones.
  private func otherKind() -> ChainKind? {
    let send = chain.sends.last ?? Send()
    func has(_ prefix: String) -> Bool {
      chain.events.contains { $0.name.word.map { $0.rawValue.hasPrefix(prefix) } ?? false }
    }
    if has("handoff.") { return .handoff }
    let isOfHandoff = facts.extensions.contains {
      $0.kind.value == "share" || $0.kind.value == "action"
    }
    if isOfHandoff, facts.service == nil, facts.contentExtensions.isEmpty { return .handoff }
    // An answer that was given and did not get through, not a look that is missed.
    let isOfAnswer = has("app.action") || has("app.replied") || has("content_ext.action")
    if isOfAnswer, facts.symptom == .other || facts.symptom == .noActions { return .response }
    if facts.symptom == .noActions, registeredActions != nil, !has("nse.") { return .response }
    if isAboutHandoff { return .handoff }
    // A broadcast goes to a channel: a request without a phone.
    if send.channel.value != nil { return .requestOnly }
    if case .known(let type) = send.pushType {
      if type == .liveactivity { return .liveActivity }
      if type == .voip { return .voip }
      let others: [Word] = [
        .complication, .fileprovider, .mdm, .location, .pushtotalk, .widgets, .controls,
      ]
      if others.contains(where: { type == $0 }) { return .requestOnly }
    }
    if send.pushType.isUnknown {
      if send.topicForm.value?.suffix == .liveactivity { return .liveActivity }
      if send.topicForm.value?.suffix == .voip { return .voip }
    }
    let namesActivity =
      message?.headers.contains(where: { $0.key == "live-activity-token" }) ?? false
    if send.payload.parts.contains(.liveActivity) || chain.received.parts.contains(.liveActivity)
      || has("live_activity.") || namesActivity
    {
      return .liveActivity
    }
    if has("app.voip_received") || has("call.reported") { return .voip }
    let isActivityToken =
      send.tokenKind.isKnown(.liveActivityStart) || send.tokenKind.isKnown(.liveActivityUpdate)
    if isActivityToken, send.pushType.isUnknown, send.payload.alert != .visible {
      return .liveActivity
    }
    if facts.symptom == .notUpdated, send.payload.alert != .visible,
      chain.received.alert != .visible
    {
      return .liveActivity
    }
    if chain.firstEvent(.systemAppCrashed).map({ chain.integer(.code, of: $0) }) == 0xbaad_ca11 {
      return .voip
    }
    return nil
  }
}
