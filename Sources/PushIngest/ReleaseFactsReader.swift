public import PushModel

/// Reads hand-written facts of releases: `{"version":1,"releases":[{…}]}`, names as in case files.
public enum ReleaseFactsReader {
  /// Facts of one release, as they are stored.
  public struct Entry: Sendable, Hashable {
    /// Bundle id of the app.
    public var bundle: String
    /// App version.
    public var version: String
    /// Build; "" = any build of the version.
    public var build: String
    /// The facts as one line of JSON.
    public var json: String
  }

  /// Why a file of facts cannot be used.
  public struct Problem: Error, Sendable, Hashable {
    /// Where: a path such as `releases.2.version`.
    public var field: String
    /// What is wrong.
    public var reason: String
  }

  /// Whether the beginning of a file looks like one of facts.
  public static func recognises(head: [UInt8]) -> Bool {
    guard let first = head.first(where: { $0 != 0x20 && $0 != 0x0a && $0 != 0x0d && $0 != 0x09 }),
      first == 0x7b
    else { return false }
    let text = String(decoding: head.prefix(4096), as: UTF8.self)
    return text.contains("\"releases\"")
  }

  /// Reads a whole file.
  public static func read(_ bytes: [UInt8]) throws(Problem) -> [Entry] {
    let parser = JSONParser()
    var padded = bytes
    padded.append(contentsOf: [UInt8](repeating: 0, count: JSONParser.padding))
    let result = padded.withUnsafeBytes { buffer -> Result<[Entry], Problem> in
      guard let base = buffer.baseAddress else {
        return .failure(Problem(field: "file", reason: "is empty"))
      }
      switch parser.parse(base, bytes.count) {
      case .failure(let code):
        return .failure(Problem(field: "file", reason: JSONParser.message(code)))
      case .tape(let json): return entries(json)
      }
    }
    return try result.get()
  }

  private static func entries(_ json: JSONTape) -> Result<[Entry], Problem> {
    guard json.kind(json.root) == .object, let list = member("releases", json, json.root),
      json.kind(list) == .array
    else { return .failure(Problem(field: "releases", reason: "is not an array")) }
    if let version = member("version", json, json.root), json.wholeNumber(version) != 1 {
      return .failure(Problem(field: "version", reason: "is not 1"))
    }
    var entries: [Entry] = []
    var place = json.first(list)
    let end = json.end(list)
    while place < end {
      let number = entries.count
      guard json.kind(place) == .object else {
        return .failure(Problem(field: "releases.\(number)", reason: "is not an object"))
      }
      guard let bundle = text("bundle_id", json, place) else {
        return .failure(Problem(field: "releases.\(number).bundle_id", reason: "is missing"))
      }
      guard let version = text("version", json, place) else {
        return .failure(Problem(field: "releases.\(number).version", reason: "is missing"))
      }
      var out: [UInt8] = []
      compact(json, place, &out)
      entries.append(
        Entry(
          bundle: bundle, version: version, build: text("build", json, place) ?? "",
          json: String(decoding: out, as: UTF8.self)))
      place = json.next(place)
    }
    return .success(entries)
  }

  private static func compact(_ json: JSONTape, _ value: Int, _ out: inout [UInt8]) {
    switch json.kind(value) {
    case .object, .array:
      let isObject = json.kind(value) == .object
      out.append(isObject ? 0x7b : 0x5b)
      var place = json.first(value)
      let end = json.end(value)
      var isFirst = true
      while place < end {
        if !isFirst { out.append(0x2c) }
        isFirst = false
        if isObject {
          PayloadReader.quote(Array(json.text(place).buffer), into: &out)
          out.append(0x3a)
          place += 1
        }
        compact(json, place, &out)
        place = json.next(place)
      }
      out.append(isObject ? 0x7d : 0x5d)
    case .text: PayloadReader.quote(Array(json.text(value).buffer), into: &out)
    case .integer, .unsigned:
      out.append(contentsOf: (json.wholeNumber(value).map(String.init) ?? "0").utf8)
    case .real: out.append(contentsOf: "\(json.real(value) ?? 0)".utf8)
    case .yes: out.append(contentsOf: "true".utf8)
    case .no: out.append(contentsOf: "false".utf8)
    case .null, .other: out.append(contentsOf: "null".utf8)
    }
  }

  private static func member(_ name: StaticString, _ json: JSONTape, _ object: Int) -> Int? {
    guard json.kind(object) == .object else { return nil }
    var place = json.first(object)
    let end = json.end(object)
    while place < end {
      if json.text(place).equals(name) { return place + 1 }
      place = json.next(place + 1)
    }
    return nil
  }

  private static func text(_ name: StaticString, _ json: JSONTape, _ object: Int) -> String? {
    guard let value = member(name, json, object), json.kind(value) == .text else { return nil }
    return json.text(value).string
  }

  // MARK: Facts of a release

  /// The facts of one stored release. `intern` makes symbols of texts.
  public static func release(
    _ text: String, intern: (String) -> Symbol
  ) -> (release: Release, claimedCategories: Set<UInt32>?)? {
    let parser = JSONParser()
    var bytes = Array(text.utf8)
    let count = bytes.count
    bytes.append(contentsOf: [UInt8](repeating: 0, count: JSONParser.padding))
    return bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, case .tape(let json) = parser.parse(base, count) else {
        return nil
      }
      return release(json, intern)
    }
  }

  private static let servicePoint: StaticString = "com.apple.usernotifications.service"

  private static func release(
    _ json: JSONTape, _ intern: (String) -> Symbol
  ) -> (release: Release, claimedCategories: Set<UInt32>?) {
    var release = Release()
    let root = json.root
    func symbol(_ name: StaticString, _ object: Int) -> Known<Symbol> {
      guard let value = member(name, json, object) else { return .unknown }
      if json.kind(value) == .null { return .missing }
      return json.kind(value) == .text ? .known(intern(json.text(value).string)) : .unknown
    }
    func os(_ name: StaticString, _ object: Int) -> Known<OSVersion> {
      guard let value = member(name, json, object) else { return .unknown }
      if json.kind(value) == .null { return .missing }
      guard json.kind(value) == .text, let version = OSVersion(json.text(value).string) else {
        return .unknown
      }
      return .known(version)
    }
    release.bundle = symbol("bundle_id", root)
    release.version = symbol("version", root)
    release.build = symbol("build", root)
    release.distribution = symbol("distribution", root)
    release.minimumOS = os("min_os", root)
    // Entitlements given as a whole object: one that is not in it is not there.
    if let entitlements = member("entitlements", json, root) {
      func has(_ name: StaticString) -> Known<Bool> {
        guard let value = member(name, json, entitlements) else { return .known(false) }
        switch json.kind(value) {
        case .no, .null: return .known(false)
        default: return .known(true)
        }
      }
      release.apsEnvironment = symbol("aps-environment", entitlements)
      if case .unknown = release.apsEnvironment { release.apsEnvironment = .missing }
      release.communicationEntitlement = has("com.apple.developer.usernotifications.communication")
      release.timeSensitiveEntitlement = has("com.apple.developer.usernotifications.time-sensitive")
      release.criticalEntitlement = has("com.apple.developer.usernotifications.critical-alerts")
    }
    if let info = member("info", json, root) {
      if let modes = member("UIBackgroundModes", json, info) {
        release.remoteNotificationMode = .known(contains("remote-notification", json, modes))
      } else {
        release.remoteNotificationMode = .known(false)
      }
      if let activities = member("NSUserActivityTypes", json, info) {
        release.sendMessageActivity = .known(contains("INSendMessageIntent", json, activities))
      } else {
        release.sendMessageActivity = .known(false)
      }
      if let hooking = member("FirebaseAppDelegateProxyEnabled", json, info) {
        release.automaticHooking = truth(json, hooking)
      }
    }
    if let callbacks = member("callbacks", json, root),
      let registration = text("registration", json, callbacks)
    {
      release.registrationCallbacks = .known(registration == "implemented")
    }
    var claimed: Set<UInt32>?
    guard let extensions = member("extensions", json, root), json.kind(extensions) == .array else {
      return (release, nil)
    }
    var services: Int64 = 0
    var contents: Int64 = 0
    var categories: Set<UInt32> = []
    var overlap = false
    let appGroups = groups("com.apple.security.application-groups", json, root)
    let appKeychain = groups("keychain-access-groups", json, root)
    var place = json.first(extensions)
    let end = json.end(extensions)
    while place < end {
      defer { place = json.next(place) }
      let info = member("info", json, place)
      let nested = info.flatMap { member("NSExtension", json, $0) }
      let point = nested.flatMap { member("NSExtensionPointIdentifier", json, $0) }
      let isPoint =
        point.map { json.kind($0) == .text && json.text($0).equals(servicePoint) } ?? false
      let kind = member("kind", json, place).map { json.text($0).string }
      if kind == "service" || isPoint {
        services += 1
        if let point, json.kind(point) == .text {
          release.servicePoint = .known(intern(json.text(point).string))
        } else if nested != nil {
          release.servicePoint = .missing
        }
        release.serviceBundle = symbol("bundle_id", place)
        release.serviceMinimumOS = os("min_os", place)
        if let app = text("bundle_id", json, root), let own = text("bundle_id", json, place) {
          release.servicePrefixFits = .known(own.hasPrefix(app + "."))
        }
        if let entitlements = member("entitlements", json, place) {
          let filtering = member(
            "com.apple.developer.usernotifications.filtering", json, entitlements)
          release.filteringEntitlement = .known(
            filtering.map { json.kind($0) != .no && json.kind($0) != .null } ?? false)
        }
        if let appGroups,
          let own = groups("com.apple.security.application-groups", json, place)
        {
          release.sharedAppGroup = .known(!appGroups.isDisjoint(with: own))
        }
        if let appKeychain, let own = groups("keychain-access-groups", json, place) {
          release.sharedKeychainGroup = .known(!appKeychain.isDisjoint(with: own))
        }
        readInspection(json, place, into: &release)
      } else if kind == "share" || kind == "action" {
        release.handoff = handoff(json, place, nested, appGroups)
      } else if kind == "content" {
        contents += 1
        let attributes = nested.flatMap { member("NSExtensionAttributes", json, $0) }
        if let claim = attributes.flatMap({ member("UNNotificationExtensionCategory", json, $0) }) {
          var own: [String] = []
          if json.kind(claim) == .text { own = [json.text(claim).string] }
          if json.kind(claim) == .array {
            var item = json.first(claim)
            let last = json.end(claim)
            while item < last {
              if json.kind(item) == .text { own.append(json.text(item).string) }
              item = json.next(item)
            }
          }
          for category in own {
            if !categories.insert(intern(category).index).inserted { overlap = true }
          }
        }
        if let nested {
          let hasBoth =
            member("NSExtensionMainStoryboard", json, nested) != nil
            && member("NSExtensionPrincipalClass", json, nested) != nil
          release.contentTwoEntryPoints = .known(hasBoth)
        }
        release.contentMinimumOS = os("min_os", place)
      }
    }
    release.serviceExtensions = .known(services)
    release.contentExtensions = .known(contents)
    release.contentCategoryOverlap = .known(overlap)
    claimed = categories
    return (release, claimed)
  }

  /// Facts of a share or action extension.
  private static func handoff(
    _ json: JSONTape, _ place: Int, _ nested: Int?, _ appGroups: Set<String>?
  ) -> HandoffRelease {
    var facts = HandoffRelease()
    let attributes = nested.flatMap { member("NSExtensionAttributes", json, $0) }
    if let rule = attributes.flatMap({ member("NSExtensionActivationRule", json, $0) }) {
      switch json.kind(rule) {
      case .object: facts.rule = .known(.dictionary)
      case .text: facts.rule = .known(ActivationRule.form(ofPredicate: json.text(rule).string))
      case .null: facts.rule = .missing
      default: break
      }
    }
    // Apple documents opening the app for Today and iMessage extensions only (F12.9).
    facts.mayOpenApp = .known(false)
    func isEmpty(_ name: StaticString) -> Known<Bool> {
      guard let list = member(name, json, place), json.kind(list) == .array else { return .unknown }
      return .known(json.first(list) == json.end(list))
    }
    facts.schemeRegistered = isEmpty("unregistered_schemes")
    facts.hasAllDisplayNames = isEmpty("missing_names")
    if let selector = member("old_open_selector", json, place) {
      facts.usesOldOpenSelector = truth(json, selector)
    }
    if let appGroups, let own = groups("com.apple.security.application-groups", json, place) {
      facts.sharedAppGroup = .known(!appGroups.isDisjoint(with: own))
    }
    return facts
  }

  /// What inspection of the built service extension saw, and what is noted of its code.
  private static func readInspection(_ json: JSONTape, _ place: Int, into release: inout Release) {
    func fact(_ name: StaticString) -> Known<Bool> {
      member(name, json, place).map { truth(json, $0) } ?? .unknown
    }
    release.serviceExecutablePresent = fact("executable_present")
    release.servicePrincipalFits = fact("principal_class_found")
    release.serviceSigningFits = fact("profile_fits")
    if let missing = member("missing_links", json, place), json.kind(missing) == .array {
      release.serviceLibrariesPresent = .known(json.first(missing) == json.end(missing))
    }
    if let code = member("code", json, place), let work = text("did_receive", json, code) {
      release.serviceIsTemplate = .known(work == "template")
    }
  }

  private static func truth(_ json: JSONTape, _ value: Int) -> Known<Bool> {
    switch json.kind(value) {
    case .yes: .known(true)
    case .no: .known(false)
    case .null: .missing
    default: .unknown
    }
  }

  /// The groups that a signature lists under a key; none if it has entitlements without that key,
  /// nil if they are not known.
  private static func groups(
    _ key: StaticString, _ json: JSONTape, _ object: Int
  ) -> Set<String>? {
    guard let entitlements = member("entitlements", json, object) else { return nil }
    guard let list = member(key, json, entitlements),
      json.kind(list) == .array
    else { return [] }
    var found: Set<String> = []
    var place = json.first(list)
    let end = json.end(list)
    while place < end {
      if json.kind(place) == .text { found.insert(json.text(place).string) }
      place = json.next(place)
    }
    return found
  }

  private static func contains(_ word: StaticString, _ json: JSONTape, _ list: Int) -> Bool {
    guard json.kind(list) == .array else { return false }
    var place = json.first(list)
    let end = json.end(list)
    while place < end {
      if json.kind(place) == .text, json.text(place).equals(word) { return true }
      place = json.next(place)
    }
    return false
  }
}
