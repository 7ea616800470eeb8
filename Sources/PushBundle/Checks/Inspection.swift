/// The static checks of a built app (§12 and the facts that each finding names).
public struct Inspection {
  let built: BuiltApp
  /// Unix seconds; nil leaves expiry unjudged.
  let now: Int64?
  private(set) var findings: [Finding] = []

  /// All findings, in the order of the checklist and of the bundle.
  public static func findings(of built: BuiltApp, now: Int64?) -> [Finding] {
    var inspection = Inspection(built: built, now: now)
    inspection.checkPlaces()
    inspection.checkPoints()
    inspection.checkEntryPoints()
    inspection.checkSigning()
    inspection.checkContentExtensions()
    inspection.checkEntitlements()
    inspection.checkGroups()
    inspection.checkAppKeys()
    inspection.checkLiveActivities()
    inspection.checkActivationRules()
    inspection.checkNames()
    inspection.checkHandOff()
    return inspection.findings
  }

  private init(built: BuiltApp, now: Int64?) {
    self.built = built
    self.now = now
  }

  var app: BuiltPart? { built.app }
  var extensions: [BuiltPart] { built.extensions ?? [] }

  mutating func find(
    _ what: Finding.What, _ part: BuiltPart, key: String? = nil, file: String? = nil
  ) {
    findings.append(
      Finding(
        what: what, part: part.path, file: file ?? part.infoPath, key: key, kind: part.kind))
  }

  /// The file that entitlements were read from.
  func signedFile(_ part: BuiltPart) -> String {
    if part.program == nil { return part.path + ", entitlements" }
    let name = part.info?["CFBundleExecutable"]?.text ?? ""
    return "\(part.path)/\(name), signature"
  }

  func extensionInfo(_ part: BuiltPart) -> PlistDictionary? {
    part.info?["NSExtension"]?.dictionary
  }
}
