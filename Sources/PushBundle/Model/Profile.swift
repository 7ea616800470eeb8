/// What a provisioning profile says.
public struct Profile: Sendable {
  /// Its name.
  public var name: String?
  /// Its UUID.
  public var uuid: String?
  /// Teams that may use it.
  public var teams: [String] = []
  /// When it ends, Unix seconds.
  public var expiresAt: Int64?
  /// Number of phones that it lists; nil if it lists none.
  public var deviceCount: Int?
  /// Whether it is good for every phone (in-house distribution).
  public var isForAllDevices = false
  /// What an app that it covers may ask for.
  public var entitlements = PlistDictionary()

  /// Reads an `embedded.mobileprovision`, or the property list inside of one.
  ///
  /// Signatures are not checked.
  public static func read(_ bytes: [UInt8]) throws(FormatFault) -> Profile {
    let content = bytes.first == 0x30 ? try SignedMessage.content(of: bytes) : bytes
    let plist = try PropertyList.dictionary(content)
    var profile = Profile()
    profile.name = plist["Name"]?.text
    profile.uuid = plist["UUID"]?.text
    profile.teams = plist["TeamIdentifier"]?.texts ?? []
    if case .date(let seconds) = plist["ExpirationDate"] { profile.expiresAt = seconds }
    profile.deviceCount = plist["ProvisionedDevices"]?.array?.count
    profile.isForAllDevices = plist["ProvisionsAllDevices"]?.boolean ?? false
    profile.entitlements = plist["Entitlements"]?.dictionary ?? PlistDictionary()
    return profile
  }

  /// How a build with this profile is distributed, in the words of facts: `debug`, `ad-hoc`,
  /// `enterprise` or `app-store`.
  public var distribution: String {
    if entitlements["get-task-allow"]?.boolean == true { return "debug" }
    if isForAllDevices { return "enterprise" }
    return deviceCount != nil ? "ad-hoc" : "app-store"
  }

  /// Whether it covers the bundle id: `TEAM.com.example.app`, `TEAM.com.example.*` or `TEAM.*`.
  public func covers(_ bundleID: String) -> Bool? {
    guard let pattern = entitlements["application-identifier"]?.text,
      let dot = pattern.firstIndex(of: ".")
    else { return nil }
    let wanted = pattern[pattern.index(after: dot)...]
    if wanted == "*" { return true }
    if wanted.hasSuffix("*") { return bundleID.hasPrefix(wanted.dropLast()) }
    return bundleID == wanted
  }
}
