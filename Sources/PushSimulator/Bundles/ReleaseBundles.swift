import Foundation

extension Simulator {
  /// Writes one `.ipa` for each release of the corpus into `bundles/`, small but whole: the same
  /// facts as `facts.json`, where an app really has them.
  /// - Returns: how many were written.
  static func writeBundles(to directory: String) throws(SimulatorError) -> Int {
    let folder = directory + "/bundles"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .file(path: folder, operation: "make the directory", code: errno)
    }
    for release in Catalogue.releases {
      let app = Catalogue.apps[release.app]
      let name = "\(app.bundle)".split(separator: ".").last.map(String.init) ?? "app"
      try bundle(of: release, name: name).write(
        ipa: "\(folder)/\(name)-\(release.version).ipa")
    }
    return Catalogue.releases.count
  }

  private static let team = "K7XM2QP4LA"

  private static func bundle(of release: AppRelease, name: String) -> BundlePart {
    let app = Catalogue.apps[release.app]
    let folder = name.capitalized
    let group = PlistPart.array([.text("group.\(app.bundle)")])
    var whole = part(
      release, path: "\(folder).app", id: "\(app.bundle)", executable: folder, type: "APPL",
      entitlements: [
        "aps-environment": .text(release.development ? "development" : "production"),
        "com.apple.developer.usernotifications.communication": true,
        "com.apple.security.application-groups": group,
      ])
    whole.info["NSUserActivityTypes"] = ["INSendMessageIntent"]
    whole.info["UIBackgroundModes"] = ["remote-notification"]

    var service = part(
      release, path: "\(folder).app/PlugIns/Service.appex", id: "\(app.service)",
      executable: "Service", entitlements: ["com.apple.security.application-groups": group])
    service.info["MinimumOSVersion"] = .text("\(release.serviceMinimumOS).0")
    service.info["NSExtension"] = [
      "NSExtensionPointIdentifier": .text("\(release.servicePoint)"),
      "NSExtensionPrincipalClass": "Service.NotificationService",
    ]
    service.program?.minimumOS = (release.serviceMinimumOS, 0)
    service.program?.classes = [MachOPart.mangled("Service", "NotificationService")]
    service.program?.swiftTypes = ["NotificationService"]
    service.program?.importedClasses = ["UNNotificationServiceExtension"]
    service.program?.libraries.append(
      "/System/Library/Frameworks/UserNotifications.framework/UserNotifications")

    var preview = part(
      release, path: "\(folder).app/PlugIns/Preview.appex", id: "\(app.content)",
      executable: "Preview", entitlements: [:])
    preview.info["NSExtension"] = [
      "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
      "NSExtensionMainStoryboard": "MainInterface",
      "NSExtensionAttributes": [
        "UNNotificationExtensionCategory": [.text("\(app.viewCategory)")],
        "UNNotificationExtensionInitialContentSizeRatio": 0.6,
      ],
    ]
    preview.more["Base.lproj/MainInterface.storyboardc/Info.plist"] =
      PlistPart.dictionary([]).binaryFile

    var bundle = BundlePart()
    for part in [whole, service, preview] { part.add(to: &bundle) }
    return bundle
  }

  private static func part(
    _ release: AppRelease, path: String, id: String, executable: String, type: String = "XPC!",
    entitlements: PlistPart
  ) -> ProgramPart {
    var part = ProgramPart(
      path: path,
      info: [
        "CFBundleIdentifier": .text(id), "CFBundleExecutable": .text(executable),
        "CFBundlePackageType": .text(type),
        "CFBundleShortVersionString": .text("\(release.version)"),
        "CFBundleVersion": .text("\(release.build)"), "MinimumOSVersion": "15.0",
      ])
    var program = MachOPart()
    program.identifier = id
    program.team = team
    program.entitlements = entitlements
    var granted = entitlements
    granted["application-identifier"] = .text("\(team).\(id)")
    granted["get-task-allow"] = .boolean(release.development)
    if release.development { program.entitlements?["get-task-allow"] = true }
    part.program = program
    part.profile = [
      "Name": .text("\(executable) \(release.development ? "Development" : "Distribution")"),
      "UUID": "00000000-0000-4000-8000-000000000001", "TeamIdentifier": [.text(team)],
      "ExpirationDate": .date("2036-01-01T00:00:00Z"), "Entitlements": granted,
    ]
    if release.development { part.profile?["ProvisionedDevices"] = ["phone-1", "phone-2"] }
    return part
  }
}
