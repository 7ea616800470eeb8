import PushModel

/// What comparisons say: which single difference lies between "works" and "does not".
///
/// The case itself is the one that does not work, with the values of its evidence. A difference
/// names the family of a cause: the step is the one that reads what differed.
struct Comparing {
  /// A value that is there where it works and not where it does not.
  struct Difference {
    /// Dotted path.
    let path: String
    /// Value where it does not work; nil if nobody said.
    let fails: CaseValue?
    /// Value where it works.
    let works: CaseValue
    /// Whether nothing else differed.
    let isSingle: Bool
    /// Place of the comparison.
    let place: Int
    /// What was seen to work.
    let seen: Set<String>
  }

  /// Differences that separate.
  private(set) var differences: [Difference] = []
  /// Paths (and places of comparisons) where the same value works and does not.
  private(set) var unsteady: [(path: String, place: Int)] = []
  /// Comparisons that did not work: what was changed to no avail.
  private(set) var failures: [(comparison: Comparison, place: Int)] = []
  /// Comparisons that worked.
  private(set) var successes: [(comparison: Comparison, place: Int)] = []
  private let facts: CaseFacts

  init(_ facts: CaseFacts) {
    self.facts = facts
    for (place, comparison) in facts.comparisons.enumerated() {
      switch Comparing.works(comparison, facts.symptom) {
      case true: successes.append((comparison, place))
      case false: failures.append((comparison, place))
      case nil: break
      }
    }
    for (success, place) in successes { add(success, place) }
    for (success, place) in successes {
      for (failure, _) in failures {
        for member in success.with
        where member.key != "send.sent_at" && failure.value(member.key) == member.value {
          // Where something else separates the two, this is no chance.
          let others = success.with.filter { other in
            other.key != member.key && other.key != "send.sent_at"
              && failure.value(other.key) != other.value
          }
          if others.isEmpty { unsteady.append((member.key, place)) }
        }
      }
    }
  }

  /// Whether a comparison shows that it works, by what the symptom complains of.
  private static func works(_ comparison: Comparison, _ symptom: Symptom?) -> Bool? {
    let isAboutArrival: Bool =
      switch symptom {
      case .nothingArrived?, .sendRefused?, .appNotWoken?, .late?: true
      default: false
      }
    let arrived = comparison.result("arrived")
    let others = comparison.seen.filter { $0.name != "arrived" }.map(\.isTrue)
    if isAboutArrival, let arrived { return arrived }
    if !others.isEmpty { return others.allSatisfy { $0 } }
    return arrived
  }

  private mutating func add(_ success: Comparison, _ place: Int) {
    let differing = success.with.filter { member in
      // What the case itself has, and what failed elsewhere with this value, is no difference.
      facts.evidence.value(at: member.key) != member.value
        && !failures.contains { $0.comparison.value(member.key) == member.value }
    }
    let telling = differing.filter { $0.key != "send.sent_at" || differing.count == 1 }
    for member in telling {
      let failing =
        failures.compactMap { $0.comparison.value(member.key) }.first
        ?? facts.evidence.value(at: member.key)
      differences.append(
        Difference(
          path: member.key, fails: failing, works: member.value,
          isSingle: telling.filter { !Comparing.isIncidental($0.key) }.count == 1
            || telling.count == 1,
          place: place, seen: Set(success.seen.filter(\.isTrue).map(\.name))))
    }
  }

  /// Whether a difference is of the kind that reports mention and nothing reads.
  private static func isIncidental(_ path: String) -> Bool {
    path == "device.model" || path == "send.sent_at" || path == "app.version"
      || path == "app.build"
  }

  /// The place of a comparison in which this was changed and it still did not work.
  func stillFails(changing path: String) -> Int? {
    failures.first { failure in
      guard let value = failure.comparison.value(path) else { return false }
      guard let own = facts.evidence.value(at: path) else { return false }
      return value != own && failure.comparison.with.count == 1
    }?.place
  }

  /// Whether another sender reached the same phone: what lies behind the sender is in order.
  var otherSenderWorks: Bool {
    differences.contains { $0.path == "send.provider" && $0.isSingle }
  }
}

extension Comparing {
  /// What the differences ask for: what differed, where nobody said how it was in the case itself,
  /// and what shows which way it made the difference.
  func needs(of facts: CaseFacts) -> [Needs] {
    differences.filter(\.isSingle).map { difference in
      var needs: Needs = []
      if difference.fails == nil || facts.evidence.value(at: difference.path) == nil,
        let need = Comparing.need(at: difference.path)
      {
        needs.formUnion(Needs(need))
      }
      switch difference.path {
      // Without the flag it shows, so the extension is at fault, or its run; first of all, whether
      // it was sent on at all.
      case "payload.aps.mutable-content", "send.payload.aps.mutable-content":
        if difference.works.isNull {
          needs.formUnion([Needs(.sendResponse), Needs(.extensionEntitlements), Needs(.log)])
        }
      // Another way of installing means another signature.
      case "app.distribution":
        needs.formUnion([Needs(.appEntitlements), Needs(.extensionEntitlements)])
      default: break
      }
      return needs
    }
  }

  /// The kind of evidence that a dotted path belongs to.
  static func need(at path: String) -> Need? {
    let plain = path.split(separator: ".").filter { Int($0) == nil }.joined(separator: ".")
    if plain.hasPrefix("device.vpn") { return .deviceNetwork }
    let holding = Need.allCases.filter { plain == $0.text || plain.hasPrefix($0.text + ".") }
    // `sent_at` differs between any two sends, and tells nothing of itself.
    return holding.max { $0.text.count < $1.text.count }.flatMap { $0 == .sendSentAt ? nil : $0 }
  }
}

/// A cause that a comparison suggests.
struct Suspect {
  let cause: CauseID
  /// The step that reads what differed.
  let step: StepID
  /// Whether the difference excludes its neighbours, so that it may be named.
  let isNamed: Bool
  /// Place of the comparison.
  let place: Int
}

extension Comparing {
  /// What the differences suggest for a chain, best first.
  func suspects(_ chain: Chain, _ seen: Sightings) -> [Suspect] {
    var found: [Suspect] = []
    let all = differences.map { (difference: $0, causes: causes(of: $0, chain, seen)) }
    for (difference, (named, others)) in all {
      // Several things that differ, all of which are of one cause, are as good as one.
      let isOfOne = all.allSatisfy { other in
        other.difference.place != difference.place || other.causes.named.first == named.first
      }
      // A key of the sender is read by whoever takes the branch.
      let isKey = named.first == .vendorSdkDefect && !difference.path.hasPrefix("app.")
      for (place, cause) in (named + others).enumerated() {
        guard let step = Checklist.stepOfCause[cause] else { continue }
        found.append(
          Suspect(
            cause: cause, step: isKey ? .extensionRouting : step,
            isNamed: place < named.count && (difference.isSingle || isOfOne),
            place: difference.place))
      }
    }
    for (path, place) in unsteady {
      for suspect in unsteadyCauses(path, place, chain) { found.append(suspect) }
    }
    return found
  }

  /// The same thing works and does not: what is left to chance by design.
  private func unsteadyCauses(_ path: String, _ place: Int, _ chain: Chain) -> [Suspect] {
    if chain.kind == .background {
      return [
        Suspect(cause: .backgroundBestEffort, step: .appWakeable, isNamed: true, place: place)
      ]
    }
    if path == "app.state", facts.app.state.value == "foreground" {
      return [
        Suspect(cause: .foregroundDelegate, step: .presentation, isNamed: false, place: place)
      ]
    }
    return []
  }

  typealias Causes = (named: [CauseID], others: [CauseID])

  /// The causes that a difference suggests: those that it names, and those that it merely fits.
  private func causes(
    of difference: Difference, _ chain: Chain, _ seen: Sightings
  ) -> Causes {
    let parts = difference.path.split(separator: ".").map { Int($0) == nil ? String($0) : "*" }
    let path = parts.joined(separator: ".")
    switch parts.first {
    case "send"?, "sends"?: return senderCauses(path, difference, chain, seen)
    case "payload"?: return payloadCauses(path, "payload", difference, chain)
    case "app"?: return appCauses(path, difference, chain)
    case "extensions"?: return extensionCauses(path, difference, chain)
    case "device"?: return deviceCauses(path, difference, chain)
    case "media"?: return mediaCauses(path, difference, chain)
    default: return ([], [])
    }
  }

  // MARK: Sender

  private func senderCauses(
    _ path: String, _ difference: Difference, _ chain: Chain, _ seen: Sightings
  ) -> Causes {
    let path = path.hasPrefix("sends.*.") ? "send." + path.dropFirst(8) : path
    if path.hasPrefix("send.payload") {
      return payloadCauses(path, "send.payload", difference, chain)
    }
    if path.hasPrefix("send.request") { return requestCauses(path, difference, chain) }
    if path.hasPrefix("send.headers.") {
      return headerCauses(String(path.dropFirst(13)), difference, chain, seen)
    }
    switch path {
    case "send.server_clock_offset_s": return ([.providerClockSkew], [])
    case "send.jwt.distinct_per_request": return ([.providerJwtChurn], [])
    case "send.jwt.age_s": return ([.providerJwtExpired], [.providerClockSkew])
    case "send.jwt.kid", "send.jwt.iss": return ([.providerAuthInvalid], [])
    case "send.host": return hostCauses(difference, seen)
    case "send.environment": return environmentCauses(chain, seen)
    case "send.credential.environment":
      // Who chooses the host, the gateway or the sender, decides which of the two it is.
      let isSaid = seen.send >= 0 && !chain.sends[seen.send].provider.isUnknown
      if !isSaid { return ([], [.providerCredentialEnv, .providerKeyScope]) }
      return seen.isGateway ? ([.providerCredentialEnv], []) : ([.providerKeyScope], [])
    case "send.credential.kind", "send.credential.topics", "send.credential.key_scope":
      return ([], [.providerAuthInvalid, .providerKeyScope])
    case "send.token_registered_at", "send.newer_token_at":
      return chain.refusal(seen) == nil ? ([.staleToken200], []) : ([], [.tokenUnregistered])
    case "send.token": return ([], [.staleToken200, .tokenEnvMismatch])
    case "send.token_kind": return ([.tokenKindMismatch], [])
    case "send.token_environment": return ([.tokenEnvMismatch], [])
    case "send.payload_bytes": return ([.payloadTooLarge], [])
    default: return ([], [])
    }
  }

  private func hostCauses(_ difference: Difference, _ seen: Sightings) -> Causes {
    let fails = difference.fails?.text?.lowercased() ?? ""
    let works = difference.works.text?.lowercased() ?? ""
    let isSandbox = { (text: String) in text.contains("sandbox") || text.contains("development") }
    if isSandbox(fails) != isSandbox(works) { return ([], [.tokenEnvMismatch, .providerKeyScope]) }
    // The same environment in another form is a question of the gateway's setting (F1.1).
    return seen.isGateway ? ([.providerEndpointConfig], []) : ([], [.providerEndpointConfig])
  }

  private func environmentCauses(_ chain: Chain, _ seen: Sightings) -> Causes {
    let reason = chain.refusal(seen)
    if reason.map({ $0 == .badDeviceToken }) == true || facts.gatewayCallsTokenInvalid {
      return ([.tokenEnvMismatch], [])
    }
    if let reason, reason == .topicDisallowed || reason == .badTopic { return ([], [.topicWrong]) }
    return ([], [.tokenEnvMismatch, .providerKeyScope])
  }

  private func headerCauses(
    _ name: String, _ difference: Difference, _ chain: Chain, _ seen: Sightings
  ) -> Causes {
    let isMissing = difference.fails?.isNull == true
    // Nobody said what it was where it does not work: another value, or none.
    let isUnsaid = difference.fails == nil
    switch name {
    case "apns-topic":
      if isMissing { return ([.topicMissing], []) }
      let fails = difference.fails?.text.map { TopicForm.read($0) }
      let works = difference.works.text.map { TopicForm.read($0) }
      if let fails, let works, fails.form.suffix != works.form.suffix || fails.form.isDoubled {
        return ([.topicSuffix], [])
      }
      // Another topic is another app, with its own token and perhaps another key: only the app's own
      // id, or a refusal that is about the topic, says which of the two is wrong.
      let isAboutTopic = chain.refusal(seen).map {
        $0 == .badTopic || $0 == .topicDisallowed || $0 == .deviceTokenNotForTopic
      }
      let isOwn = facts.app.part.text("bundle_id").value.map { $0 == difference.works.text }
      return isAboutTopic == true || isOwn == true
        ? ([.topicWrong], []) : ([], [.topicWrong, .providerKeyScope])
    case "apns-push-type":
      if isUnsaid { return ([], [.pushTypeMissing, .pushTypeMismatch]) }
      return isMissing ? ([.pushTypeMissing], []) : ([.pushTypeMismatch], [])
    case "apns-priority":
      // What 5 does and 10 does not is within the budget (F9.5).
      if chain.kind == .liveActivity { return ([.laBudget], []) }
      guard chain.kind == .background else { return ([], []) }
      if isUnsaid { return ([], [.priorityBackground, .priorityMissingForBackground]) }
      return isMissing ? ([.priorityMissingForBackground], []) : ([.priorityBackground], [])
    case "apns-expiration":
      if case .text? = difference.fails { return ([.expirationInMilliseconds], []) }
      if let number = difference.fails?.whole, number > 100_000_000_000 {
        return ([.expirationInMilliseconds], [])
      }
      return ([.expiredWhileOffline], [])
    case "apns-collapse-id":
      let isLong = (difference.fails?.text?.utf8.count ?? 0) > 64
      return isLong ? ([.collapseIdTooLong], []) : ([], [.overwrittenInStorage])
    case "authorization": return ([], [.providerAuthInvalid, .providerJwtChurn])
    default: return ([], [])
    }
  }

  private func requestCauses(
    _ path: String, _ difference: Difference, _ chain: Chain
  ) -> Causes {
    let last = path.split(separator: ".").last.map(String.init) ?? ""
    let plain = last.replacing("_", with: "-").lowercased()
    if plain == "base-url" { return ([.relayTopicMismatch], []) }
    let isFlag =
      plain == "mutable-content" || plain == "mutablecontent"
      || plain == "content-available" || plain == "contentavailable"
    if isFlag { return ([.mutableKeySpellingNesting], []) }
    if path == "send.request.notification" || plain == "alert" || plain == "title"
      || plain == "body"
    {
      return ([.noAlert], [])
    }
    if plain == "category" || plain == "click-action" { return ([.categoryMissing], []) }
    if path.hasPrefix("send.request.data") { return customKeyCauses(difference) }
    return ([], [])
  }

  // MARK: Payload

  private func payloadCauses(
    _ path: String, _ root: String, _ difference: Difference, _ chain: Chain
  ) -> Causes {
    let rest = path.dropFirst(root.count).drop { $0 == "." }
    guard rest.hasPrefix("aps") else { return customKeyCauses(difference) }
    let key = rest.split(separator: ".").dropFirst().first.map(String.init) ?? ""
    let isMissing = difference.fails == nil || difference.fails?.isNull == true
    switch key {
    case "": return ([], [.noAlert, .mutableContentOff])
    case "alert": return ([.noAlert], [])
    case "mutable-content":
      // Working only without the flag says that the extension is at fault, not which way.
      return difference.works.isNull ? ([], []) : ([.mutableContentOff], [])
    case "content-available": return ([], [.alertInBackgroundPush])
    case "category":
      if difference.works.isNull {
        // Without the category the attachment shows, so it was made and is sound.
        let isClaimed = chain.release.categoryClaimed == .known(true)
        return isClaimed && difference.seen.contains("image")
          ? ([.categoryClaimsPresentation], []) : ([], [.categoryClaimsPresentation])
      }
      return isMissing
        ? ([.categoryMissing], []) : ([], [.categoryNotRegistered, .categoryNotInPlist])
    case "sound":
      guard chain.meaning.contains(.sound) else { return ([], []) }
      return ([.soundMissing], [])
    case "interruption-level":
      if difference.fails?.text == "passive" { return ([.quietLevel], []) }
      return ([], [.focusOrSummary, .interruptionEntitlement])
    case "timestamp", "event": return ([.laPayloadIncomplete], [])
    case "content-state": return ([.laContentState], [])
    default: return ([], [])
    }
  }

  /// The system does not look at keys of the sender (F3.3): whoever reads them is at fault.
  private func customKeyCauses(_ difference: Difference) -> Causes {
    if difference.seen.contains("extension_ran") { return ([.vendorSdkDefect], [.sdkRouting]) }
    return ([], [.sdkRouting, .contentHandlerNever])
  }

  // MARK: App

  private func appCauses(_ path: String, _ difference: Difference, _ chain: Chain) -> Causes {
    if path.hasPrefix("app.frameworks.") { return ([.vendorSdkDefect], []) }
    if path.hasPrefix("app.delegate") {
      let isRegistration =
        path.contains("regist") || difference.works.text?.lowercased().contains("regist") == true
      if isRegistration { return ([], [.appdelegateHooksMissing]) }
      return facts.app.state.value == "foreground"
        ? ([.foregroundDelegate], []) : ([], [.foregroundDelegate, .responseDelegateMissing])
    }
    if path.hasPrefix("app.entitlements.") {
      return entitlementCauses(String(path.dropFirst(17)), difference)
    }
    if path.hasPrefix("app.info.") { return infoCauses(String(path.dropFirst(9))) }
    switch path {
    case "app.callbacks.registration": return ([.appdelegateHooksMissing], [])
    case "app.state": return stateCauses(difference, chain)
    case "app.plugins": return ([.appexNotEmbedded], [])
    case "app.registered_categories": return ([.categoryNotRegistered], [])
    case "app.bundle_id": return ([], [.topicWrong, .extBundlePrefix])
    case "app.distribution":
      if difference.seen.contains("arrived") {
        return ([], [.tokenEnvMismatch, .providerCredentialEnv])
      }
      if difference.seen.contains("avatar") {
        return ([], [.communicationEntitlement, .intentImage])
      }
      if chain.meaning.isDisjoint(with: .needsExtension) { return ([], []) }
      return ([], [.appexNotEmbedded, .extSigning, .extCrashAtLaunch])
    case "app.version", "app.build":
      return ([], [])
    default: return ([], [])
    }
  }

  private func stateCauses(_ difference: Difference, _ chain: Chain) -> Causes {
    let state = difference.fails?.text ?? facts.app.state.value
    if state == "foreground" {
      // Without any delegate Apple says that it is shown (F4.12); a delegate has to be in play.
      return facts.app.part.known("delegate").isUnknown
        || facts.app.part.known("delegate").isMissing
        ? ([], [.foregroundDelegate]) : ([.foregroundDelegate], [])
    }
    if state == "force-quit", chain.kind == .background { return ([.forceQuit], []) }
    return ([], [])
  }

  private func entitlementCauses(_ name: String, _ difference: Difference) -> Causes {
    switch name {
    case "aps-environment":
      return difference.fails?.isNull == true
        ? ([.apsEntitlementMissing], []) : ([.tokenEnvMismatch], [])
    case "com.apple.developer.usernotifications.communication":
      return ([.communicationEntitlement], [])
    case "com.apple.developer.usernotifications.time-sensitive",
      "com.apple.developer.usernotifications.critical-alerts":
      return ([.interruptionEntitlement], [])
    case "com.apple.developer.usernotifications.filtering": return ([.filterEntitlement], [])
    case "keychain-access-groups": return ([.keychainGroup], [])
    case "com.apple.security.application-groups": return ([.appGroupMissing], [])
    default: return ([], [.extSigning])
    }
  }

  private func infoCauses(_ key: String) -> Causes {
    switch key {
    case "FirebaseAppDelegateProxyEnabled": return ([.apnsTokenNotHandedToSdk], [])
    case "UIBackgroundModes": return ([.backgroundModeMissing], [])
    case "NSUserActivityTypes": return ([.communicationEntitlement], [])
    case "NSSupportsLiveActivities": return ([.laNotSupported], [])
    case "NSSupportsLiveActivitiesFrequentUpdates": return ([.laBudget], [])
    default: return ([], [])
    }
  }

  // MARK: Extensions

  private func extensionCauses(
    _ path: String, _ difference: Difference, _ chain: Chain
  ) -> Causes {
    let rest = String(path.dropFirst("extensions.*.".count))
    if rest.hasPrefix("entitlements.") {
      return entitlementCauses(String(rest.dropFirst(13)), difference)
    }
    if rest.hasPrefix("info.") {
      return plistCauses(rest.split(separator: ".").last.map(String.init) ?? "", rest)
    }
    switch rest {
    case "min_os": return ([.extMinOs], [])
    case "bundle_id": return ([.extBundlePrefix], [])
    case "kind": return ([.wrongExtensionPoint], [])
    case "file": return ([.appexNotEmbedded], [])
    // A library more or less changes what is loaded, how long it takes and how much it needs.
    case "links": return ([], [.extFrameworkMissing, .extStartupBudget, .extMemory])
    case "code.did_receive": return ([.extTemplateCode], [])
    case "code.handler_paths": return ([.contentHandlerNever], [])
    case "code.expiry_handler": return ([], [.contentHandlerNever, .downloadTooSlow])
    case "code.expiry_returns": return ([.expiryReturnsWrongContent], [])
    case "code.init_work": return ([.extStartupBudget], [])
    case "code.download": return ([], [.extMemory])
    default: return ([], [])
    }
  }

  private func plistCauses(_ key: String, _ path: String) -> Causes {
    switch key {
    case "NSExtensionPrincipalClass": return ([.principalClass], [])
    case "NSExtensionPointIdentifier": return ([.wrongExtensionPoint], [])
    case "NSExtensionMainStoryboard": return ([.storyboardAndPrincipalClass], [])
    case "UNNotificationExtensionCategory": return ([.categoryNotInPlist], [])
    case "UNNotificationExtensionUserInteractionEnabled": return ([.contentExtInteraction], [])
    case "UNNotificationExtensionDefaultContentHidden": return ([.defaultContentHidden], [])
    case "UNNotificationExtensionInitialContentSizeRatio": return ([.contentExtSize], [])
    case "MinimumOSVersion": return ([.extMinOs], [])
    case "CFBundleExecutable": return ([.extExecutableMissing], [])
    case "CFBundleIdentifier": return ([.extBundlePrefix], [])
    default:
      return path.contains("NSAppTransportSecurity") ? ([.atsBlocked], []) : ([], [])
    }
  }

  // MARK: Device

  private func deviceCauses(_ path: String, _ difference: Difference, _ chain: Chain) -> Causes {
    let isAboutArrival = difference.seen.contains("arrived")
    switch path {
    case "device.os":
      // Memory limit, runtime and minimum OS all differ by OS.
      return isAboutArrival || chain.meaning.isDisjoint(with: .needsExtension)
        ? ([], []) : ([], [.extMinOs, .extMemory])
    case "device.network", "device.vpn_or_filter":
      return isAboutArrival
        ? ([.networkBlocked], []) : ([], [.mediaHostUnreachable, .downloadTooSlow])
    case "device.locked", "device.unlocked_since_boot": return ([.keychainLocked], [])
    case "device.online_since", "device.last_seen_online":
      return ([], [.expiredWhileOffline, .overwrittenInStorage])
    case "device.settings.authorization", "device.settings.alerts":
      return ([.notificationsDenied], [])
    case "device.settings.sounds", "device.settings.focus", "device.settings.scheduled_summary",
      "device.settings.lock_screen":
      return ([.focusOrSummary], [])
    case "device.settings.background_refresh": return ([.backgroundModeMissing], [])
    case "device.settings.low_power":
      return chain.kind == .background ? ([.backgroundBestEffort], []) : ([], [])
    case "device.settings.time_sensitive", "device.settings.critical":
      return ([], [.focusOrSummary, .interruptionEntitlement])
    default: return ([], [])
    }
  }

  // MARK: Media

  private func mediaCauses(_ path: String, _ difference: Difference, _ chain: Chain) -> Causes {
    switch path {
    case "media.url", "media.file_name": return addressCauses(difference)
    case "media.magic":
      let isBad = difference.fails?.text.map { MediaKinds.isAttachable($0) == false } ?? false
      return isBad ? ([.unsupportedFormat], []) : ([], [.unsupportedFormat])
    case "media.content_type":
      let type = difference.fails?.text?.lowercased() ?? ""
      if type.contains("html") { return ([.mediaHttpStatus], []) }
      if MediaKinds.isAttachable(type) == false { return ([.unsupportedFormat], []) }
      return ([], [.fileExtensionMissing, .unsupportedFormat])
    case "media.bytes":
      if let bytes = difference.fails?.number, MediaKinds.isTooLarge(bytes, facts.media) {
        return ([.attachmentTooLarge], [])
      }
      // Below the limit: memory and time both grow with size.
      return ([], [.extMemory, .downloadTooSlow])
    case "media.tls": return ([.mediaTls], [])
    case "media.http_status": return ([.mediaHttpStatus], [])
    case "media.type_hint":
      let isMIME = difference.fails?.text?.contains("/") ?? false
      return isMIME ? ([.typeHintNotUti], []) : ([.fileExtensionMissing], [])
    case "media.redirects": return ([], [.mediaHttpStatus, .fileExtensionMissing])
    default: return ([], [])
    }
  }

  private func addressCauses(_ difference: Difference) -> Causes {
    guard let fails = difference.fails?.text, let works = difference.works.text else {
      return ([], [.mediaHostUnreachable, .unsupportedFormat])
    }
    let isPlain = { (text: String) in text.lowercased().hasPrefix("http://") }
    if isPlain(fails), works.lowercased().hasPrefix("https://") { return ([.atsBlocked], []) }
    let before = MediaKinds.ending(of: fails)
    let after = MediaKinds.ending(of: works)
    if MediaKinds.isAddress(works) || works.contains(".") {
      if before.map(MediaKinds.isKnownEnding) != true, after.map(MediaKinds.isKnownEnding) == true {
        return ([.fileExtensionMissing], [])
      }
      if let before, MediaKinds.isAttachable(before) == false,
        after.map(MediaKinds.isKnownEnding) == true
      {
        return ([.unsupportedFormat], [])
      }
      if fails.contains(" "), !works.contains(" ") { return ([.urlInvalid], []) }
      if MediaKinds.host(of: fails) != MediaKinds.host(of: works) {
        return ([], [.mediaHostUnreachable, .mediaTls, .mediaHttpStatus])
      }
    }
    return ([], [.unsupportedFormat, .fileExtensionMissing])
  }
}
