import PushModel

extension CaseBuilder {
  /// Reads `app` and `extensions` as facts of the release, where a field of it says the same.
  mutating func readRelease() {
    let app = facts.app
    var release = Release()
    if facts.evidence["app"] != nil || facts.evidence["extensions"] != nil {
      release.reference = RecordReference(source: 3, line: 1)
    }
    release.bundle = symbol(app.part.text("bundle_id"))
    release.version = symbol(app.part.text("version"))
    release.build = symbol(app.part.text("build"))
    release.distribution = symbol(app.part.text("distribution"))
    release.minimumOS = os(app.part.text("min_os"))
    readEntitlements(app, into: &release)
    readInfo(app, into: &release)
    if case .known(let state) = app.part.text("callbacks.registration") {
      release.registrationCallbacks = .known(state != "absent")
    } else if app.part.known("callbacks.registration").isMissing {
      release.registrationCallbacks = .known(false)
    }
    readServices(app, into: &release)
    readContents(into: &release)
    chain.release = release
  }

  private func os(_ text: Known<String>) -> Known<OSVersion> {
    text.isMissing ? .missing : Known(optional: text.value.flatMap { OSVersion($0) })
  }

  /// Whether an entitlement or key is there: null and false say no, anything else yes.
  private func has(_ value: Known<CaseValue>) -> Known<Bool> {
    switch value {
    case .unknown: .unknown
    case .missing: .known(false)
    case .known(let value): .known(value != .bool(false))
    }
  }

  /// Whether an array names a word.
  private func names(_ value: Known<CaseValue>, _ word: String) -> Known<Bool> {
    switch value {
    case .unknown: .unknown
    case .missing: .known(false)
    case .known(let value):
      .known(value.text == word || value.items.contains { $0.text == word })
    }
  }

  private func readEntitlements(_ app: AppFacts, into release: inout Release) {
    let prefix = "com.apple.developer.usernotifications"
    switch app.entitlement("aps-environment") {
    case .missing: release.apsEnvironment = .missing
    case .known(.text(let text)): release.apsEnvironment = .known(intern(text))
    default: break
    }
    release.communicationEntitlement = has(app.entitlement("\(prefix).communication"))
    release.timeSensitiveEntitlement = has(app.entitlement("\(prefix).time-sensitive"))
    release.criticalEntitlement = has(app.entitlement("\(prefix).critical-alerts"))
  }

  private func readInfo(_ app: AppFacts, into release: inout Release) {
    release.remoteNotificationMode = names(app.info("UIBackgroundModes"), "remote-notification")
    release.sendMessageActivity = names(app.info("NSUserActivityTypes"), "INSendMessageIntent")
    if case .known(let flag) = app.info("FirebaseAppDelegateProxyEnabled") {
      release.automaticHooking = .known(flag != .bool(false) && flag.text?.uppercased() != "NO")
    }
  }

  private func readServices(_ app: AppFacts, into release: inout Release) {
    let services = facts.extensions.filter(\.isService)
    switch app.plugins {
    case .missing: release.serviceExtensions = .known(0)
    case .known(let files):
      // What else is in PlugIns may claim any point; without an `.appex` nothing can claim one.
      let bundles = files.filter { $0.hasSuffix(".appex") }
      if bundles.isEmpty { release.serviceExtensions = .known(0) }
      if !bundles.isEmpty, !services.isEmpty {
        release.serviceExtensions = .known(Int64(services.count))
      }
    case .unknown:
      if services.count > 1 { release.serviceExtensions = .known(Int64(services.count)) }
    }
    guard let service = facts.service else { return }
    release.servicePoint = symbol(service.point)
    release.serviceBundle = symbol(service.part.text("bundle_id"))
    release.serviceMinimumOS = os(service.part.text("min_os"))
    if release.serviceMinimumOS.isUnknown {
      release.serviceMinimumOS = os(service.info("MinimumOSVersion").read(\.text))
    }
    if let own = service.part.text("bundle_id").value, let bundle = app.part.text("bundle_id").value
    {
      release.servicePrefixFits = .known(
        own.hasPrefix(bundle + ".") && own.count > bundle.count + 1)
    }
    release.filteringEntitlement = has(
      service.entitlement("com.apple.developer.usernotifications.filtering"))
    release.sharedAppGroup = shared(
      app.entitlement("com.apple.security.application-groups"),
      service.entitlement("com.apple.security.application-groups"))
    release.sharedKeychainGroup = shared(
      app.entitlement("keychain-access-groups"), service.entitlement("keychain-access-groups"))
    release.servicePrincipalFits = CaseBuilder.principalFits(service)
    readInspection(service, into: &release)
    if case .known(let code) = service.code("did_receive") {
      release.serviceIsTemplate = .known(code == "template")
    }
    let security = service.info("NSAppTransportSecurity")
    if security.isMissing {
      release.serviceAllowsHTTP = .known(false)
    } else if security.value?["NSAllowsArbitraryLoads"] == .bool(true) {
      release.serviceAllowsHTTP = .known(true)
    }
  }

  /// What inspection of the built service extension saw; it knows more than the plist alone.
  private func readInspection(_ service: ExtensionFacts, into release: inout Release) {
    release.serviceExecutablePresent = service.part.bool("executable_present")
    release.serviceSigningFits = service.part.bool("profile_fits")
    if case .known(let isFound) = service.part.bool("principal_class_found") {
      release.servicePrincipalFits = .known(isFound)
    }
    if case .known(.list(let missing)) = service.part.known("missing_links") {
      release.serviceLibrariesPresent = .known(missing.isEmpty)
    }
  }

  /// Whether two lists of groups have one in common; unknown where one side is not known.
  private func shared(_ left: Known<CaseValue>, _ right: Known<CaseValue>) -> Known<Bool> {
    func groups(_ value: Known<CaseValue>) -> Set<String>? {
      switch value {
      case .unknown: nil
      case .missing: []
      case .known(let value): Set(value.items.compactMap(\.text) + [value.text].compactMap { $0 })
      }
    }
    guard let left = groups(left), let right = groups(right) else { return .unknown }
    // A missing group is a fault only if something is shared: one side has to have one.
    if left.isEmpty, right.isEmpty { return .unknown }
    return .known(!left.isDisjoint(with: right))
  }

  /// Whether the class in the plist is written as its language needs it (F7.13, F4.4).
  static func principalFits(_ appex: ExtensionFacts) -> Known<Bool> {
    let name = appex.entry("NSExtensionPrincipalClass")
    let hasStoryboard = appex.entry("NSExtensionMainStoryboard").value != nil
    if name.isMissing { return hasStoryboard ? .known(true) : .known(false) }
    guard case .known(.text(let text)) = name, case .known(let language) = appex.language else {
      return .unknown
    }
    switch language.lowercased() {
    case "swift": return .known(text.contains("."))
    case "objc", "objective-c", "objectivec": return .known(!text.contains("."))
    default: return .unknown
    }
  }

  private func readContents(into release: inout Release) {
    let contents = facts.contentExtensions
    guard !contents.isEmpty else { return }
    release.contentExtensions = .known(Int64(contents.count))
    let category = payloadCategory
    var claims = 0
    var isKnown = true
    var claimant: ExtensionFacts?
    for content in contents {
      switch content.attribute("UNNotificationExtensionCategory") {
      case .unknown: isKnown = false
      case .missing: break
      case .known(let value):
        let own = value.text.map { [$0] } ?? value.items.compactMap(\.text)
        if let category, own.contains(category) {
          claims += 1
          claimant = content
        }
      }
    }
    if claims > 0 {
      release.categoryClaimed = .known(true)
      release.contentCategoryOverlap = .known(claims > 1)
    } else if isKnown, category != nil {
      release.categoryClaimed = .known(false)
    }
    // Without a category in the payload two plists can still claim the same.
    if category == nil, isKnown {
      let all = contents.flatMap {
        $0.attribute("UNNotificationExtensionCategory").value.map { value in
          value.text.map { [$0] } ?? value.items.compactMap(\.text)
        } ?? []
      }
      if Set(all).count < all.count { release.contentCategoryOverlap = .known(true) }
    }
    let meant = claimant ?? contents[0]
    release.contentMinimumOS = os(meant.part.text("min_os"))
    let storyboard = meant.entry("NSExtensionMainStoryboard")
    let principal = meant.entry("NSExtensionPrincipalClass")
    if case .known = storyboard, case .known = principal {
      release.contentTwoEntryPoints = .known(true)
    } else if storyboard.isMissing || principal.isMissing {
      release.contentTwoEntryPoints = .known(false)
    }
  }

  /// The category in the payload, as sent or as received.
  var payloadCategory: String? {
    sentPayload?["aps"]?["category"]?.text ?? facts.text("payload.aps.category").value
  }
}
