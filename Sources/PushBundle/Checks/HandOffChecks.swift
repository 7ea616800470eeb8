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

  /// Languages in which the app or one of its extensions has a display name.
  public static func languages(of built: BuiltApp) -> [String] {
    let parts = [built.app].compactMap { $0 } + (built.extensions ?? [])
    return Set(parts.flatMap { ($0.displayNames ?? [:]).keys }).sorted()
  }

  /// Display names: one in each language in which the others have one. The language of the plist
  /// itself needs no table.
  mutating func checkNames() {
    let languages = Self.languages(of: built)
    for part in handOff {
      guard let info = part.info, let names = part.displayNames else { continue }
      let plain = info["CFBundleDisplayName"]?.text
      if names.isEmpty, plain == nil || plain == "" {
        find(.nameAbsent, part, key: "CFBundleDisplayName")
        continue
      }
      let own = plain == nil ? nil : info["CFBundleDevelopmentRegion"]?.text
      let missing = languages.filter { names[$0] == nil && $0 != own }
      if !missing.isEmpty {
        find(.nameMissing(languages: missing), part, key: "CFBundleDisplayName")
      }
    }
  }

  /// Ways to open the app that do not work.
  mutating func checkHandOff() {
    let types = app?.info?["CFBundleURLTypes"]?.array ?? []
    let schemes = Set(
      types.flatMap { $0.dictionary?["CFBundleURLSchemes"]?.texts ?? [] }.map { $0.lowercased() })
    for part in extensions where [.action, .share, .content].contains(part.kind) {
      guard let names = part.program?.main?.names else { continue }
      let file = "\(part.path)/\(part.info?["CFBundleExecutable"]?.text ?? "")"
      if names.selectors.contains("openURL:") { find(.openURLSelector, part, file: file) }
      guard app?.info != nil, part.kind != .content else { continue }
      for scheme in names.addressSchemes.sorted() where isOwn(scheme) && !schemes.contains(scheme) {
        find(.schemeNotRegistered(scheme), part, key: "CFBundleURLTypes", file: app?.infoPath)
      }
    }
  }

  /// Whether a scheme is likely the app's own: it shares a word with its bundle id or name.
  private func isOwn(_ scheme: String) -> Bool {
    let name = app?.info?["CFBundleName"]?.text ?? app?.info?["CFBundleExecutable"]?.text ?? ""
    let words =
      (app?.bundleID?.lowercased().split(separator: ".").map(String.init) ?? [])
      + [name.lowercased()]
    return words.contains { word in
      word.count >= 4 && (scheme.contains(word) || word.contains(scheme))
    }
  }
}
