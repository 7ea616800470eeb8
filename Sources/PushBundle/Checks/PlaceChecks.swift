import PushModel

extension Inspection {
  /// Where extensions stand, what they are called and whether their program is there.
  mutating func checkPlaces() {
    for part in built.misplaced { find(.misplaced, part) }
    let services = extensions.filter {
      extensionInfo($0)?["NSExtensionPointIdentifier"]?.text == ExtensionPoint.service
    }
    if services.count > 1 {
      for part in services.dropFirst() {
        find(
          .severalServices(services.map(\.name)), part,
          key: "NSExtension.NSExtensionPointIdentifier")
      }
    }
    for part in extensions {
      if let info = part.info, part.program != nil || part.hasProfile != nil {
        let type = info["CFBundlePackageType"]?.text
        if type != "XPC!" { find(.wrongPackageType(type), part, key: "CFBundlePackageType") }
      }
      if let id = part.bundleID, let appID = app?.bundleID, !id.hasPrefix(appID + ".") {
        find(.foreignPrefix(id: id, app: appID), part, key: "CFBundleIdentifier")
      }
      if extensionInfo(part) != nil, part.path.hasSuffix("/Extensions/\(part.name)") {
        find(.inFolderOfOthers, part)
      }
      checkProgram(part)
      checkVersion(part)
    }
  }

  private mutating func checkProgram(_ part: BuiltPart) {
    if part.hasProgram == false {
      find(
        .programMissing(part.info?["CFBundleExecutable"]?.text), part, key: "CFBundleExecutable")
      return
    }
    guard let own = part.program, let app = app?.program else { return }
    let missing = Set(app.slices.map(\.architecture)).subtracting(own.slices.map(\.architecture))
    // An arm64e slice of the app runs beside arm64 code.
    let needed = missing.subtracting(["arm64e"])
    let file = "\(part.path)/\(part.info?["CFBundleExecutable"]?.text ?? "")"
    if !needed.isEmpty {
      find(.architectureMissing(needed.sorted()), part, file: file)
    } else if let platform = own.main?.platform, let appPlatform = app.main?.platform,
      platform != appPlatform
    {
      find(.otherPlatform, part, file: file)
    }
  }

  private mutating func checkVersion(_ part: BuiltPart) {
    for key in ["CFBundleShortVersionString", "CFBundleVersion"] {
      guard let own = part.info?[key]?.text, let appVersion = app?.info?[key]?.text,
        own != appVersion
      else { continue }
      find(.versionDiffers(own: own, app: appVersion), part, key: key)
    }
  }

  /// Extension points and lowest OS versions.
  mutating func checkPoints() {
    for part in extensions {
      checkPoint(part)
      guard let own = part.minimumOS, let ownVersion = OSVersion(own) else { continue }
      if let appOS = app?.minimumOS, let appVersion = OSVersion(appOS), ownVersion > appVersion {
        find(.minimumOSAbove(own: own, app: appOS), part, key: "MinimumOSVersion")
      } else if let program = part.program?.main?.minimumOS,
        let programVersion = OSVersion(program), programVersion > ownVersion
      {
        find(
          .minimumOSDisagrees(plist: own, program: program), part, key: "MinimumOSVersion")
      }
    }
  }

  private mutating func checkPoint(_ part: BuiltPart) {
    guard let info = part.info else { return }
    guard let extensionInfo = extensionInfo(part) else {
      // Extensions of the newer framework have their point elsewhere.
      if info["EXAppExtensionAttributes"] == nil {
        find(.noExtensionInfo, part, key: "NSExtension")
      }
      return
    }
    let point = extensionInfo["NSExtensionPointIdentifier"]?.text
    let key = "NSExtension.NSExtensionPointIdentifier"
    let expected = part.kind.flatMap { ExtensionPoint.expected[$0] }
    if let point, let kind = ExtensionKind.points[point] {
      // The point says what it is, unless its class says otherwise.
      if kind != .service, inheritsFromService(part) {
        find(.wrongPoint(point, expected: ExtensionPoint.service), part, key: key)
      }
    } else if let expected {
      find(.wrongPoint(point, expected: expected), part, key: key)
    } else if let point {
      find(.unknownPoint(point), part, key: key)
    } else {
      find(.noExtensionInfo, part, key: key)
    }
  }

  private func inheritsFromService(_ part: BuiltPart) -> Bool {
    part.program?.main?.names?.importedClasses.contains("UNNotificationServiceExtension") == true
  }

  /// Classes, storyboards and libraries.
  mutating func checkEntryPoints() {
    for part in extensions {
      for library in part.missingLibraries ?? [] where !library.isWeak {
        find(
          .libraryMissing(library.name), part,
          file: "\(part.path)/\(part.info?["CFBundleExecutable"]?.text ?? "")")
      }
      guard let info = extensionInfo(part) else { continue }
      let entry = EntryPoint(part)
      let key = "NSExtension.NSExtensionPrincipalClass"
      let needsOne = [.service, .content, .action, .share].contains(part.kind)
      if entry.className != nil, entry.storyboard != nil {
        find(.twoEntryPoints, part, key: key)
      } else if entry.className == nil, entry.storyboard == nil,
        info["NSExtensionActionWantsFullScreenPresentation"] == nil, needsOne
      {
        find(.noEntryPoint, part, key: key)
      } else if let name = entry.className, entry.isFound == false {
        find(
          entry.isPlaceholder
            ? .classPlaceholder(name) : .classNotFound(name, suggestion: entry.suggestion),
          part, key: key)
      } else if let name = entry.storyboard, entry.isFound == false {
        find(.storyboardMissing(name), part, key: "NSExtension.NSExtensionMainStoryboard")
      }
    }
  }
}

/// The extension points that matter for notifications and hand-off.
enum ExtensionPoint {
  static let service = "com.apple.usernotifications.service"
  static let content = "com.apple.usernotifications.content-extension"

  static let expected: [ExtensionKind: String] = [
    .service: service, .content: content, .action: "com.apple.ui-services",
    .share: "com.apple.share-services",
  ]
}
