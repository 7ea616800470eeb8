extension BuiltApp {
  /// The facts of this release in the form in which they are stored and in which case files give
  /// them: real names of plist keys and entitlements, and what inspection found of each extension.
  /// What is not known is left out; what is known to be missing is null.
  public var facts: PlistDictionary {
    var facts = app.map { described($0, isApp: true) } ?? PlistDictionary()
    facts["version"] = version.map { .text($0) }
    facts["build"] = build.map { .text($0) }
    facts["distribution"] = distribution.map { .text($0) }
    if let frameworks {
      facts["frameworks"] = .dictionary(
        PlistDictionary(
          frameworks.map { name in
            (Self.base(name), frameworkVersions[name].map { .text($0) } ?? .text("unknown"))
          }))
    }
    if let extensions {
      let folders = extensions.map(\.name) + misplaced.map(\.name)
      if app != nil, facts["plugins"] == nil, !extensions.isEmpty || frameworks != nil {
        facts["plugins"] = .array(folders.sorted().map { .text($0) })
      }
      facts["extensions"] = .array(
        extensions.map { .dictionary(described($0, isApp: false)) })
    }
    return facts
  }

  /// The facts on one line, as the database keeps them.
  public var factsText: String { JSONText.write(.dictionary(facts)) }

  private static func base(_ name: String) -> String {
    String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
  }

  private func described(_ part: BuiltPart, isApp: Bool) -> PlistDictionary {
    var facts = PlistDictionary()
    if !isApp {
      facts["file"] = .text(part.name)
      facts["kind"] = part.kind.map { .text($0.rawValue) }
    }
    facts["bundle_id"] = part.bundleID.map { .text($0) }
    facts["min_os"] = part.minimumOS.map { .text($0) }
    if let info = part.info {
      facts["info"] = .dictionary(
        PlistDictionary(
          Self.keys.compactMap { key in info[key].map { (key, $0) } }))
    }
    facts["entitlements"] = part.entitlements.map { .dictionary($0) }
    if let main = part.program?.main {
      facts["uuid"] = .array(
        (part.program?.slices ?? []).compactMap { slice in slice.uuid.map { .text($0) } })
      if !isApp { facts["links"] = .array(main.libraries.map { .text($0.name) }) }
    }
    facts["profile"] = part.profile.map { .dictionary($0.described) }
    if !isApp {
      facts["executable_present"] = part.hasProgram.map { .boolean($0) }
      facts["principal_class_found"] = EntryPoint(part).isFound.map { .boolean($0) }
      facts["missing_links"] = part.missingLibraries.map {
        .array($0.filter { !$0.isWeak }.map { .text($0.name) })
      }
      facts["profile_fits"] = Signing.fits(part, app: app).map { .boolean($0) }
    }
    if part.kind == .action || part.kind == .share {
      facts["old_open_selector"] = (part.program?.main?.names).map {
        .boolean($0.selectors.contains("openURL:"))
      }
      facts["unregistered_schemes"] = Inspection.unregisteredSchemes(part, of: app).map {
        .array($0.map { .text($0) })
      }
      if part.displayNames != nil {
        facts["missing_names"] = .array(
          Inspection.missingNames(part, in: self).map { .text($0) })
      }
    }
    for (key, value) in part.noted.members where facts[key] == nil { facts[key] = value }
    return facts
  }

  /// Keys of a plist that the checklist or a comparison of releases reads.
  static let keys = [
    "CFBundleIdentifier", "CFBundleShortVersionString", "CFBundleVersion", "CFBundlePackageType",
    "CFBundleExecutable", "CFBundleDisplayName", "CFBundleURLTypes", "MinimumOSVersion",
    "UIDeviceFamily", "DTSDKName", "DTXcode", "UIBackgroundModes", "NSUserActivityTypes",
    "NSSupportsLiveActivities", "NSSupportsLiveActivitiesFrequentUpdates",
    "NSAppTransportSecurity", "FirebaseAppDelegateProxyEnabled", "NSExtension",
    "EXAppExtensionAttributes",
  ]
}

extension Profile {
  /// The profile in facts; phones are counted, never named.
  var described: PlistDictionary {
    var facts = PlistDictionary()
    facts["name"] = name.map { .text($0) }
    facts["uuid"] = uuid.map { .text($0) }
    facts["teams"] = .array(teams.map { .text($0) })
    facts["expires_at"] = expiresAt.map { .text(Instant.text($0)) }
    facts["devices"] = deviceCount.map { .integer(Int64($0)) }
    facts["all_devices"] = .boolean(isForAllDevices)
    facts["entitlements"] = .dictionary(entitlements)
    return facts
  }
}
