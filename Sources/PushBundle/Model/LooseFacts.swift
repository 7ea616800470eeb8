/// Reads facts without a binary: a plist, an entitlements file, a profile, or facts as JSON.
enum LooseFacts {
  static func read(_ bytes: [UInt8], source: String) throws(BundleProblem) -> [BuiltApp] {
    let start = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    do throws(FormatFault) {
      if start == 0x30 { return [profile(try Profile.read(bytes), source)] }
      // `{` begins a dictionary of the old text form too.
      if start == UInt8(ascii: "{"), let value = try json(bytes) {
        return try described(value, source)
      }
      return [try plist(try PropertyList.dictionary(bytes), source)]
    } catch {
      if start == 0x30 || start == UInt8(ascii: "{") || start == UInt8(ascii: "<")
        || bytes.starts(with: Array("bplist".utf8))
      {
        throw BundleProblem(.damaged(error), at: source)
      }
      throw BundleProblem(.notABundle, at: source)
    }
  }

  private static func json(_ bytes: [UInt8]) throws(FormatFault) -> PlistDictionary? {
    do throws(FormatFault) {
      return try JSONText.read(bytes).dictionary
    } catch {
      if let value = try? PropertyList.read(bytes), value.dictionary != nil { return nil }
      throw error
    }
  }

  private static func profile(_ profile: Profile, _ source: String) -> BuiltApp {
    var built = BuiltApp(source: source)
    var part = BuiltPart(path: source)
    part.profile = profile
    part.hasProfile = true
    built.app = part
    built.distribution = profile.distribution
    return built
  }

  private static func plist(
    _ dictionary: PlistDictionary, _ source: String
  ) throws(FormatFault) -> BuiltApp {
    var built = BuiltApp(source: source)
    var part = BuiltPart(path: source)
    part.infoPath = source
    let isInfo =
      dictionary["CFBundleIdentifier"] != nil || dictionary["NSExtension"] != nil
      || dictionary.keys.contains { $0.hasPrefix("CFBundle") || $0.hasPrefix("UI") }
    let isEntitlements = dictionary.keys.contains {
      $0 == "aps-environment" || $0.hasPrefix("com.apple.") || $0 == "keychain-access-groups"
        || $0 == "application-identifier" || $0 == "get-task-allow"
    }
    if isInfo {
      part.info = dictionary
      if part.isExtension || dictionary["CFBundlePackageType"] == "XPC!" {
        part.kind = ExtensionKind.of(part)
        built.extensions = [part]
        return built
      }
    } else if isEntitlements {
      part.entitlements = dictionary
    } else {
      throw FormatFault(
        .xmlPropertyList, .expected("an Info.plist or entitlements"), offset: nil)
    }
    built.app = part
    return built
  }

  // MARK: Facts as JSON

  /// `{"releases":[…]}`, one release alone, or a case file.
  private static func described(
    _ value: PlistDictionary, _ source: String
  ) throws(FormatFault) -> [BuiltApp] {
    if let releases = value["releases"] {
      guard let list = releases.array else {
        throw FormatFault(.json, .expected("an array as 'releases'"))
      }
      var built: [BuiltApp] = []
      for (number, item) in list.enumerated() {
        guard let release = item.dictionary else {
          throw FormatFault(.json, .expected("an object as 'releases.\(number)'"))
        }
        built.append(described(app: release, extensions: release["extensions"], source))
      }
      return built
    }
    if let evidence = value["evidence"]?.dictionary {
      let app = evidence["app"]?.dictionary ?? PlistDictionary()
      return [described(app: app, extensions: evidence["extensions"], source)]
    }
    guard
      value["bundle_id"] != nil || value["info"] != nil || value["entitlements"] != nil
        || value["extensions"] != nil
    else {
      throw FormatFault(
        .json, .expected("'bundle_id', 'info', 'entitlements' or 'extensions'"))
    }
    return [described(app: value, extensions: value["extensions"], source)]
  }

  private static func described(
    app facts: PlistDictionary, extensions: PlistValue?, _ source: String
  ) -> BuiltApp {
    var built = BuiltApp(source: source)
    built.givenVersion = facts["version"]?.text
    built.givenBuild = facts["build"]?.text
    built.distribution = facts["distribution"]?.text
    built.app = part(facts, path: source)
    built.extensions = extensions?.array?.enumerated().compactMap { number, value in
      guard let facts = value.dictionary else { return nil }
      let name = facts["file"]?.text ?? "extensions.\(number)"
      var part = part(facts, path: name)
      part.kind = facts["kind"]?.text.flatMap(ExtensionKind.init) ?? ExtensionKind.of(part)
      return part
    }
    if let frameworks = facts["frameworks"]?.dictionary {
      built.frameworks = frameworks.keys.sorted()
      for (name, value) in frameworks.members where value != "unknown" {
        built.frameworkVersions[name] = value.text
      }
    }
    if built.extensions == nil, case .null? = extensions { built.extensions = [] }
    return built
  }

  private static let read: Set<String> = [
    "bundle_id", "version", "build", "min_os", "distribution", "info", "entitlements",
    "extensions", "file", "kind", "frameworks", "executable_present", "missing_links",
  ]

  private static func part(_ facts: PlistDictionary, path: String) -> BuiltPart {
    var part = BuiltPart(path: path)
    part.infoPath = path + ", info"
    part.info = facts["info"]?.dictionary
    part.entitlements = facts["entitlements"]?.dictionary
    if case .null? = facts["entitlements"] { part.entitlements = PlistDictionary() }
    part.givenID = facts["bundle_id"]?.text
    part.givenMinimumOS = facts["min_os"]?.text
    part.hasProgram = facts["executable_present"]?.boolean
    if let missing = facts["missing_links"]?.texts {
      part.missingLibraries = missing.map { MachO.Library(name: $0, isWeak: false) }
    }
    for (key, value) in facts.members where !read.contains(key) { part.noted[key] = value }
    return part
  }
}
