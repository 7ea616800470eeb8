/// Whether profile, entitlements and signature of a part fit each other (§12, check 8).
enum Signing {
  /// Entitlements that a profile has to grant; the rest is free or has rules of its own.
  private static func mustBeGranted(_ key: String) -> Bool {
    key == "aps-environment" || key == "com.apple.security.application-groups"
      || key == "keychain-access-groups" || key.hasPrefix("com.apple.developer.")
  }

  /// Entitlements that the signed program asks for and its profile does not grant.
  static func notGranted(_ part: BuiltPart) -> [String] {
    guard let profile = part.profile, let asked = part.entitlements else { return [] }
    return asked.members.filter { key, value in
      guard mustBeGranted(key), value != .boolean(false) else { return false }
      guard let granted = profile.entitlements[key] else { return true }
      return !covers(granted, value)
    }.map(\.key)
  }

  /// Whether a grant covers what is asked for. A star at the end stands for anything.
  static func covers(_ granted: PlistValue, _ asked: PlistValue) -> Bool {
    if granted == asked { return true }
    guard let patterns = granted.texts, let wanted = asked.texts else {
      // A Boolean grant of another form, such as a level, is not ours to judge.
      return granted.boolean != false
    }
    return wanted.allSatisfy { text in
      patterns.contains { pattern in
        pattern == "*" || pattern == text
          || pattern.hasSuffix("*") && text.hasPrefix(pattern.dropLast())
      }
    }
  }

  /// Whether an extension is signed so that it may run beside its app; nil if that is not known.
  static func fits(_ part: BuiltPart, app: BuiltPart?) -> Bool? {
    guard part.program?.main?.signature != nil || part.profile != nil else { return nil }
    if let profile = part.profile {
      if let id = part.bundleID, profile.covers(id) == false { return false }
      if !notGranted(part).isEmpty { return false }
    }
    if let team = part.program?.main?.signature?.team,
      let appTeam = app?.program?.main?.signature?.team, team != appTeam
    {
      return false
    }
    return true
  }
}
