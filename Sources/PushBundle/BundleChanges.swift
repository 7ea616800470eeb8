/// A difference between two built releases of an app.
public struct BundleChange: Sendable, Equatable {
  /// What can differ. The text names it.
  public enum Aspect: String, Sendable, CaseIterable {
    case part = "the extension itself"
    case point = "extension point"
    case minimumOS = "minimum OS"
    case entryPoint = "entry point"
    case entryPointFound = "entry point is there"
    case program = "program is there"
    case categories = "categories"
    case activationRule = "activation rule"
    case entitlement = "entitlement"
    case bundleID = "bundle id"
    case backgroundModes = "background modes"
    case activityTypes = "activity types"
    case addressSchemes = "address schemes"
    case liveActivities = "Live Activities"
    case transport = "transport security"
    case missingLibraries = "libraries that are missing"
    case frameworks = "framework"
    case distribution = "distribution"
    case profile = "profile ends"
    case languages = "languages with a name"
    case sdk = "built with"
  }

  /// Name of the app or extension.
  public var part: String
  /// What differs.
  public var aspect: Aspect
  /// Key within the aspect, such as an entitlement; empty if there is none.
  public var key: String
  /// Before; nil if it was not there.
  public var before: String?
  /// After; nil if it is not there.
  public var after: String?

  /// What the change means for notifications; nil if it means nothing by itself.
  public var meaning: String? {
    switch aspect {
    case .part:
      after == nil
        ? "what it did for notifications no longer happens" : "it takes part from this release on"
    case .point: "iOS looks for extensions by this text alone (F4.4)"
    case .minimumOS: "phones below it do not run this part, and nothing says so (F4.9)"
    case .entryPoint, .entryPointFound: "iOS starts the extension there (F7.12, F7.13)"
    case .program: "without it the extension cannot start (F4.4)"
    case .categories: "these notifications get the own view (F7.7)"
    case .activationRule: "it decides for which content the row is offered (F12.2)"
    case .entitlement: entitlementMeaning
    case .bundleID: "topics and tokens belong to a bundle id (F1.16)"
    case .backgroundModes: "without remote-notification silent notifications wake nobody (F8.1)"
    case .activityTypes: "communication notifications need INSendMessageIntent here (F6.1)"
    case .addressSchemes: "extensions open the app by them (F12.9)"
    case .liveActivities: "without the key no Live Activity starts (F9.6)"
    case .missingLibraries: "dyld ends the extension at start"
    case .frameworks, .distribution, .profile, .languages, .transport, .sdk: nil
    }
  }

  private var entitlementMeaning: String? {
    switch key {
    case "aps-environment": "tokens belong to the other host from then on (F10.1)"
    case Entitlement.groups: "app and extension share files through it only (§12)"
    case "keychain-access-groups": "app and extension share secrets through it only"
    case Entitlement.communication: "a sender's picture is shown only with it (F6.1)"
    case Entitlement.timeSensitive: "time-sensitive notifications break through only with it (F6.9)"
    case Entitlement.critical: "critical notifications break through only with it (F6.10)"
    case Entitlement.filtering: "only with it may an extension hide a notification (F4.50)"
    default: nil
    }
  }

  /// All differences that matter for notifications, those with a meaning first.
  public static func between(_ before: BuiltApp, _ after: BuiltApp) -> [BundleChange] {
    var changes: [BundleChange] = []
    func compare(_ name: String, _ old: BuiltPart?, _ new: BuiltPart?) {
      let left = old.map { aspects($0) } ?? [:]
      let right = new.map { aspects($0) } ?? [:]
      for subject in Set(left.keys).union(right.keys).sorted() where left[subject] != right[subject]
      {
        changes.append(
          BundleChange(
            part: name, aspect: subject.aspect, key: subject.key, before: left[subject],
            after: right[subject]))
      }
    }
    if let old = before.app, let new = after.app {
      compare("app", old, new)
      for (name, values) in frameworks(before, after) {
        changes.append(
          BundleChange(
            part: "app", aspect: .frameworks, key: name, before: values.0, after: values.1))
      }
      if before.distribution != after.distribution {
        changes.append(
          BundleChange(
            part: "app", aspect: .distribution, key: "", before: before.distribution,
            after: after.distribution))
      }
    }
    if let old = before.extensions, let new = after.extensions {
      for name in Set(old.map(\.name) + new.map(\.name)).sorted() {
        let left = old.first { $0.name == name }
        let right = new.first { $0.name == name }
        if let left, let right {
          compare(name, left, right)
        } else {
          changes.append(
            BundleChange(
              part: name, aspect: .part, key: "", before: left?.kind?.rawValue,
              after: right?.kind?.rawValue))
        }
      }
    }
    return changes.filter { $0.meaning != nil } + changes.filter { $0.meaning == nil }
  }

  private struct Subject: Hashable, Comparable {
    var aspect: Aspect
    var key = ""

    static func < (left: Subject, right: Subject) -> Bool {
      (place(left.aspect), left.key) < (place(right.aspect), right.key)
    }

    private static func place(_ aspect: Aspect) -> Int {
      Aspect.allCases.firstIndex(of: aspect) ?? 0
    }
  }

  private static func frameworks(
    _ before: BuiltApp, _ after: BuiltApp
  ) -> [(String, (String?, String?))] {
    func versions(_ built: BuiltApp) -> [String: String]? {
      built.frameworks.map { names in
        // Stored facts keep the names without their suffix.
        Dictionary(
          names.map { name in
            let base = name.hasSuffix(".framework") ? String(name.dropLast(10)) : name
            return (base, built.frameworkVersions[name] ?? "there")
          }
        ) { first, _ in first }
      }
    }
    guard let old = versions(before), let new = versions(after) else { return [] }
    return Set(old.keys).union(new.keys).sorted().compactMap { name in
      old[name] == new[name] ? nil : (name, (old[name], new[name]))
    }
  }

  /// What is known of a part, as text; what is not known is not in it.
  private static func aspects(_ part: BuiltPart) -> [Subject: String] {
    var values: [Subject: String] = [:]
    func set(_ aspect: Aspect, _ value: String?) {
      if let value { values[Subject(aspect: aspect)] = value }
    }
    set(.bundleID, part.bundleID)
    set(.minimumOS, part.minimumOS)
    set(.program, part.kind == nil ? nil : part.hasProgram.map { $0 ? "yes" : "no" })
    if let info = part.info {
      let nested = info["NSExtension"]?.dictionary
      let attributes = nested?["NSExtensionAttributes"]?.dictionary
      set(.point, nested?["NSExtensionPointIdentifier"]?.text)
      let entry = EntryPoint(part)
      set(.entryPoint, entry.className ?? entry.storyboard)
      set(.entryPointFound, entry.isFound.map { $0 ? "yes" : "no" })
      set(
        .categories,
        attributes?["UNNotificationExtensionCategory"].map {
          $0.texts?.sorted().joined(separator: ", ") ?? $0.kindName
        })
      set(.activationRule, attributes?["NSExtensionActivationRule"].map { JSONText.write($0) })
      set(.backgroundModes, list(info["UIBackgroundModes"]))
      set(.activityTypes, list(info["NSUserActivityTypes"]))
      let types = info["CFBundleURLTypes"]?.array ?? []
      let schemes = types.flatMap { $0.dictionary?["CFBundleURLSchemes"]?.texts ?? [] }
      set(.addressSchemes, schemes.isEmpty ? nil : schemes.sorted().joined(separator: ", "))
      set(.liveActivities, info["NSSupportsLiveActivities"].map { JSONText.write($0) })
      set(.transport, info["NSAppTransportSecurity"].map { JSONText.write($0) })
      set(.sdk, info["DTSDKName"]?.text)
    }
    if let missing = part.missingLibraries, !missing.isEmpty {
      set(.missingLibraries, missing.map(\.name).sorted().joined(separator: ", "))
    }
    set(.profile, part.profile?.expiresAt.map { String(Instant.text($0).prefix(10)) })
    if let names = part.displayNames, !names.isEmpty {
      set(.languages, names.keys.sorted().joined(separator: ", "))
    }
    for (key, value) in part.entitlements?.members ?? []
    where key != "application-identifier" && key != "com.apple.developer.team-identifier" {
      values[Subject(aspect: .entitlement, key: key)] =
        value.texts?.sorted().joined(separator: ", ") ?? JSONText.write(value)
    }
    return values
  }

  private static func list(_ value: PlistValue?) -> String? {
    value.map { $0.texts?.sorted().joined(separator: ", ") ?? $0.kindName }
  }
}
