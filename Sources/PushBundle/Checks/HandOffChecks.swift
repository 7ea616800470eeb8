extension Inspection {
  private var handOff: [BuiltPart] {
    extensions.filter { $0.kind == .action || $0.kind == .share }
  }

  /// The rules that decide when action and share extensions are offered.
  mutating func checkActivationRules() {
    let key = "NSExtension.NSExtensionAttributes.NSExtensionActivationRule"
    var seen: [(part: BuiltPart, kinds: Set<String>)] = []
    for part in handOff {
      guard let info = extensionInfo(part) else { continue }
      let (faults, accepted) = RuleReading.judge(
        info["NSExtensionAttributes"]?.dictionary?["NSExtensionActivationRule"],
        distribution: built.distribution)
      for fault in faults { find(fault, part, key: key) }
      for other in seen where other.part.kind == part.kind {
        let common = accepted.kinds.intersection(other.kinds)
        if !common.isEmpty {
          find(.rulesOverlap(other: other.part.name, kinds: common.sorted()), part, key: key)
        }
      }
      seen.append((part, accepted.kinds))
    }
  }

  /// Languages in which an action or share extension should have a display name and has none.
  ///
  /// They are those in which the app or another extension has one, and if its own name is translated
  /// at all, those of the app. The language of the plist itself needs no table, and a language serves
  /// its regions: `pt` for `pt-BR`.
  public static func missingNames(_ part: BuiltPart, in built: BuiltApp) -> [String] {
    guard let names = part.displayNames else { return [] }
    let parts = [built.app].compactMap { $0 } + (built.extensions ?? [])
    var wanted = Set(parts.flatMap { ($0.displayNames ?? [:]).keys })
    if !names.isEmpty { wanted.formUnion(built.app?.languages ?? []) }
    if part.info?["CFBundleDisplayName"] != nil,
      let own = part.info?["CFBundleDevelopmentRegion"]?.text
    {
      wanted.remove(own)
    }
    return wanted.filter { language in
      names[language] == nil
        && names[String(language.prefix { $0 != "-" && $0 != "_" })] == nil
    }.sorted()
  }

  /// Display names: one in each language that the others have.
  mutating func checkNames() {
    for part in handOff {
      guard let info = part.info, let names = part.displayNames else { continue }
      let plain = info["CFBundleDisplayName"]?.text
      if names.isEmpty, plain == nil || plain == "" {
        find(.nameAbsent, part, key: "CFBundleDisplayName")
        continue
      }
      let missing = Self.missingNames(part, in: built)
      if !missing.isEmpty {
        find(.nameMissing(languages: missing), part, key: "CFBundleDisplayName")
      }
    }
  }

  /// Schemes that are likely the app's own, that an action or share extension names and the app does
  /// not register; nil where that cannot be told.
  public static func unregisteredSchemes(_ part: BuiltPart, of app: BuiltPart?) -> [String]? {
    guard let names = part.program?.main?.names, let info = app?.info else { return nil }
    let own = names.addressSchemes.filter { isOwn($0, of: app) }
    guard !own.isEmpty else { return nil }
    let types = info["CFBundleURLTypes"]?.array ?? []
    let schemes = Set(
      types.flatMap { $0.dictionary?["CFBundleURLSchemes"]?.texts ?? [] }.map { $0.lowercased() })
    return own.filter { !schemes.contains($0) }.sorted()
  }

  /// Ways to open the app that do not work.
  mutating func checkHandOff() {
    for part in extensions where [.action, .share, .content].contains(part.kind) {
      guard let names = part.program?.main?.names else { continue }
      let file = "\(part.path)/\(part.info?["CFBundleExecutable"]?.text ?? "")"
      if names.selectors.contains("openURL:") { find(.openURLSelector, part, file: file) }
      guard app?.info != nil, part.kind != .content else { continue }
      for scheme in Self.unregisteredSchemes(part, of: app) ?? [] {
        find(.schemeNotRegistered(scheme), part, key: "CFBundleURLTypes", file: app?.infoPath)
      }
    }
  }

  /// Whether a scheme is likely the app's own: it shares a word with its bundle id or name.
  private static func isOwn(_ scheme: String, of app: BuiltPart?) -> Bool {
    let name = app?.info?["CFBundleName"]?.text ?? app?.info?["CFBundleExecutable"]?.text ?? ""
    let words =
      (app?.bundleID?.lowercased().split(separator: ".").map(String.init) ?? [])
      + [name.lowercased()]
    return words.contains { word in
      word.count >= 4 && (scheme.contains(word) || word.contains(scheme))
    }
  }
}
