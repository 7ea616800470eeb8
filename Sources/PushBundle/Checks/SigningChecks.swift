extension Inspection {
  /// Profiles and signatures of app and extensions.
  mutating func checkSigning() {
    for part in [app].compactMap({ $0 }) + extensions {
      checkProfile(part)
      checkSignature(part)
    }
  }

  private mutating func checkProfile(_ part: BuiltPart) {
    let file = part.hasProfile == true ? part.path + "/embedded.mobileprovision" : part.path
    guard let profile = part.profile else {
      if part.hasProfile == false, app?.hasProfile == true, part.kind != nil {
        find(.noProfile, part, file: part.path + "/embedded.mobileprovision")
      }
      return
    }
    // A store build is signed anew by the store; its profile no longer counts.
    if let now, let end = profile.expiresAt, end < now, profile.distribution != "app-store" {
      find(.profileExpired(end), part, key: "ExpirationDate", file: file)
    }
    if let id = part.bundleID, profile.covers(id) == false {
      let pattern = profile.entitlements["application-identifier"]?.text ?? ""
      find(
        .profileOfOther(pattern: pattern, id: id), part,
        key: "Entitlements.application-identifier", file: file)
    }
    for key in Signing.notGranted(part) {
      find(.notGranted(key), part, key: "Entitlements.\(key)", file: file)
    }
  }

  private mutating func checkSignature(_ part: BuiltPart) {
    guard let signature = part.program?.main?.signature else { return }
    let file = signedFile(part)
    if signature.formsDiffer { find(.formsDiffer, part, file: file) }
    if part.kind != nil, let team = signature.team,
      let appTeam = app?.program?.main?.signature?.team, team != appTeam
    {
      find(.teamDiffers(own: team, app: appTeam), part, file: file)
    }
    if !signature.isAdHoc, let signed = signature.identifier, let id = part.bundleID, signed != id {
      find(.signedIDDiffers(signed: signed, id: id), part, file: file)
    }
  }

  /// Entitlements of notifications: on the right side, with values that count.
  mutating func checkEntitlements() {
    guard let app else { return }
    if let own = app.entitlements {
      checkEnvironment(app, own)
      checkLevels(app, own)
      checkCommunication(app, own)
      // An entitlements file alone may be the extension's.
      if own[Entitlement.filtering]?.boolean == true, built.extensions != nil {
        let services = extensions.filter { $0.kind == .service }
        let hasIt = services.contains {
          $0.entitlements?[Entitlement.filtering]?.boolean == true
        }
        let isKnown = services.allSatisfy { $0.entitlements != nil }
        if !hasIt, isKnown {
          find(.filteringOnApp, app, key: Entitlement.filtering, file: signedFile(app))
        }
      }
    }
    if app.info?["FirebaseAppDelegateProxyEnabled"]?.boolean == false
      || app.info?["FirebaseAppDelegateProxyEnabled"]?.text?.uppercased() == "NO"
    {
      find(.hookingOff, app, key: "FirebaseAppDelegateProxyEnabled")
    }
  }

  private mutating func checkEnvironment(_ app: BuiltPart, _ own: PlistDictionary) {
    let file = signedFile(app)
    guard let value = own["aps-environment"]?.text else {
      let usesPush =
        extensions.contains { $0.kind == .service || $0.kind == .content }
        || app.info?["UIBackgroundModes"]?.texts?.contains("remote-notification") == true
        || extensions.contains { $0.entitlements?["aps-environment"] != nil }
      // A loose entitlements file shows nothing about what the app does.
      if usesPush { find(.apsMissing, app, key: "aps-environment", file: file) }
      return
    }
    guard value == "development" || value == "production" else {
      find(.apsUnknown(value), app, key: "aps-environment", file: file)
      return
    }
    guard let distribution = built.distribution else { return }
    let isStore = ["app-store", "testflight", "ad-hoc", "enterprise"].contains(distribution)
    if isStore && value == "development" || distribution == "debug" && value == "production" {
      find(
        .apsOfOther(value: value, distribution: distribution), app, key: "aps-environment",
        file: file)
    }
  }

  private mutating func checkLevels(_ app: BuiltPart, _ own: PlistDictionary) {
    for key in [Entitlement.timeSensitive, Entitlement.critical] {
      if own[key]?.boolean == false {
        find(.levelSwitchedOff(key), app, key: key, file: signedFile(app))
      } else if own[key] == nil,
        let part = extensions.first(where: { $0.entitlements?[key]?.boolean == true })
      {
        find(.levelOnExtensionOnly(key), part, key: key, file: signedFile(part))
      }
    }
  }

  private mutating func checkCommunication(_ app: BuiltPart, _ own: PlistDictionary) {
    let key = Entitlement.communication
    let hasIt = own[key]?.boolean == true
    if !hasIt, let part = extensions.first(where: { $0.entitlements?[key]?.boolean == true }) {
      find(.communicationOnExtension, part, key: key, file: signedFile(part))
      return
    }
    guard let info = app.info else { return }
    let activities = info["NSUserActivityTypes"]?.texts ?? []
    let hasActivity =
      activities.contains("INSendMessageIntent") || activities.contains("INStartCallIntent")
    if hasIt, !hasActivity {
      find(.communicationWithoutActivity, app, key: "NSUserActivityTypes")
    } else if !hasIt, activities.contains("INSendMessageIntent"),
      extensions.contains(where: { $0.kind == .service })
    {
      find(.activityWithoutCommunication, app, key: key, file: signedFile(app))
    }
  }

  /// App Groups and keychain groups that should be shared.
  mutating func checkGroups() {
    guard let app, let appEntitlements = app.entitlements else { return }
    let appGroups = appEntitlements[Entitlement.groups]?.texts ?? []
    for part in extensions {
      guard let own = part.entitlements else { continue }
      let groups = own[Entitlement.groups]?.texts ?? []
      let isHandOff = part.kind == .action || part.kind == .share
      if !groups.isEmpty, Set(groups).isDisjoint(with: appGroups) {
        find(
          .groupsApart(own: groups, app: appGroups), part, key: Entitlement.groups,
          file: signedFile(part))
      } else if groups.isEmpty, !appGroups.isEmpty, isHandOff {
        find(.groupMissing(app: appGroups), part, key: Entitlement.groups, file: signedFile(part))
      }
      checkKeychain(part, own, appEntitlements)
    }
  }

  /// The own group that a signature lists for each program by itself is not meant to be shared.
  private mutating func checkKeychain(
    _ part: BuiltPart, _ own: PlistDictionary, _ appEntitlements: PlistDictionary
  ) {
    func shared(_ entitlements: PlistDictionary, _ id: String?) -> [String] {
      (entitlements["keychain-access-groups"]?.texts ?? []).filter { group in
        guard let id, let dot = group.firstIndex(of: ".") else { return true }
        return group[group.index(after: dot)...] != id
      }
    }
    let ownGroups = shared(own, part.bundleID)
    let appGroups = shared(appEntitlements, app?.bundleID)
    let appAll = appEntitlements["keychain-access-groups"]?.texts ?? []
    if !ownGroups.isEmpty, !appGroups.isEmpty, Set(ownGroups).isDisjoint(with: appAll) {
      find(
        .keychainApart(own: ownGroups, app: appGroups), part, key: "keychain-access-groups",
        file: signedFile(part))
    }
  }
}

/// Entitlements that the checks read.
enum Entitlement {
  static let groups = "com.apple.security.application-groups"
  static let communication = "com.apple.developer.usernotifications.communication"
  static let timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
  static let critical = "com.apple.developer.usernotifications.critical-alerts"
  static let filtering = "com.apple.developer.usernotifications.filtering"
}
