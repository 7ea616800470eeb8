/// What an extension is for.
public enum ExtensionKind: String, Sendable {
  case service, content, action, share, widget, intents, other
}

/// An app or an extension, as far as it is known. Nil is unknown throughout, never "none".
public struct BuiltPart: Sendable {
  /// Path inside the bundle, such as `Payload/Courier.app/PlugIns/Service.appex`; for loose facts
  /// the name of their file.
  public var path = ""
  /// What it is for; nil for the app itself.
  public var kind: ExtensionKind?
  /// Its Info.plist.
  public var info: PlistDictionary?
  /// File of the plist.
  public var infoPath: String
  /// Entitlements in force.
  public var entitlements: PlistDictionary?
  /// Whether the program that `CFBundleExecutable` names is there.
  public var hasProgram: Bool?
  /// The program.
  public var program: MachO?
  /// Whether it has a profile of its own.
  public var hasProfile: Bool?
  /// Its profile.
  public var profile: Profile?
  /// Languages it has folders for, without `Base`.
  public var languages: [String]?
  /// `CFBundleDisplayName` by language, from its tables of names.
  public var displayNames: [String: String]?
  /// Names of compiled storyboards in it.
  public var storyboards: Set<String>?
  /// Libraries that it links and that are not where its run paths point.
  public var missingLibraries: [MachO.Library]?
  /// What somebody noted down beyond these: keys of facts that are passed on as they are.
  public var noted = PlistDictionary()
  /// Values given beside the plist, as facts do: bundle id and lowest OS.
  var givenID: String?
  var givenMinimumOS: String?

  /// Its bundle id.
  public var bundleID: String? { info?["CFBundleIdentifier"]?.text ?? givenID }
  /// Its lowest OS, as in its plist.
  public var minimumOS: String? { info?["MinimumOSVersion"]?.text ?? givenMinimumOS }
  /// Last part of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether its plist is an extension's, in the older form or that of ExtensionKit.
  var isExtension: Bool {
    info?["NSExtension"] != nil || info?["EXAppExtensionAttributes"] != nil
  }

  init(path: String) {
    self.path = path
    infoPath = path + "/Info.plist"
  }
}

/// An app that was built, with its extensions.
public struct BuiltApp: Sendable {
  /// File or folder, as the user named it.
  public var source: String
  /// The app; nil if only an extension was given.
  public var app: BuiltPart?
  /// Extensions in `PlugIns` and `Extensions`; nil if it is not known which there are.
  public var extensions: [BuiltPart]?
  /// Folders with an extension's plist that stand elsewhere or have another suffix.
  public var misplaced: [BuiltPart] = []
  /// Apps inside of the app: for the watch, and app clips.
  public var inner: [BuiltPart] = []
  /// Names in `Frameworks`; nil if not known.
  public var frameworks: [String]?
  /// Versions of the frameworks that have one.
  public var frameworkVersions: [String: String] = [:]
  /// How it is distributed, in the words of facts; nil if that does not show.
  public var distribution: String?
  /// Parts that could not be read.
  public var problems: [BundleProblem] = []

  init(source: String) { self.source = source }

  /// Version as users see it.
  public var version: String? { app?.info?["CFBundleShortVersionString"]?.text ?? givenVersion }
  /// Build.
  public var build: String? { app?.info?["CFBundleVersion"]?.text ?? givenBuild }
  var givenVersion: String?
  var givenBuild: String?
}

extension ExtensionKind {
  /// Apple's extension points, as far as they are known here (F4.6, F7.1, F12.1).
  static let points: [String: ExtensionKind] = {
    var points: [String: ExtensionKind] = [
      "com.apple.usernotifications.service": .service,
      "com.apple.usernotifications.content-extension": .content,
      "com.apple.ui-services": .action, "com.apple.services": .action,
      "com.apple.share-services": .share, "com.apple.widgetkit-extension": .widget,
      "com.apple.widget-extension": .widget, "com.apple.intents-service": .intents,
      "com.apple.intents-ui-service": .intents,
    ]
    for name in otherPoints { points[name] = .other }
    return points
  }()

  private static let otherPoints = [
    "com.apple.AppSSO.idp-extension", "com.apple.FinderSync",
    "com.apple.ManagedSettings.shield-action-service",
    "com.apple.ManagedSettingsUI.shield-configuration-service",
    "com.apple.Safari.content-blocker", "com.apple.Safari.extension",
    "com.apple.Safari.sharedlinks-service", "com.apple.Safari.web-extension",
    "com.apple.appintents-extension",
    "com.apple.authentication-services-account-authentication-modification-ui",
    "com.apple.authentication-services-credential-provider-ui",
    "com.apple.background-asset-downloader-extension", "com.apple.broadcast-services",
    "com.apple.broadcast-services-setupui", "com.apple.broadcast-services-upload",
    "com.apple.callkit.call-directory", "com.apple.classkit.context-provider",
    "com.apple.deviceactivity.monitor-extension", "com.apple.deviceactivityui.report-extension",
    "com.apple.fileprovider-actionsui", "com.apple.fileprovider-nonui",
    "com.apple.fileprovider-ui", "com.apple.identitylookup.classification-ui",
    "com.apple.identitylookup.message-filter", "com.apple.keyboard-service",
    "com.apple.location.push.service", "com.apple.matter.support.extension.device-setup",
    "com.apple.message-payload-provider", "com.apple.networkextension.app-proxy",
    "com.apple.networkextension.app-push", "com.apple.networkextension.dns-proxy",
    "com.apple.networkextension.filter-control", "com.apple.networkextension.filter-data",
    "com.apple.networkextension.packet-tunnel", "com.apple.photo-editing",
    "com.apple.printing.discovery", "com.apple.quicklook.preview",
    "com.apple.quicklook.thumbnail", "com.apple.spotlight.import", "com.apple.spotlight.index",
    "com.apple.tv-top-shelf", "com.apple.watchkit",
  ]

  /// What a part is for: by its point, else by what it inherits from or is called.
  static func of(_ part: BuiltPart) -> ExtensionKind {
    let extensionInfo = part.info?["NSExtension"]?.dictionary
    let point =
      extensionInfo?["NSExtensionPointIdentifier"]?.text
      ?? part.info?.value("EXAppExtensionAttributes", "EXExtensionPointIdentifier")?.text
    if let kind = point.flatMap({ points[$0] }) { return kind }
    let imported = part.program?.main?.names?.importedClasses ?? []
    if imported.contains("UNNotificationServiceExtension") { return .service }
    let attributes = extensionInfo?["NSExtensionAttributes"]?.dictionary
    if attributes?.keys.contains(where: { $0.hasPrefix("UNNotificationExtension") }) == true {
      return .content
    }
    let lowered = (point ?? "").lowercased()
    let principal = extensionInfo?["NSExtensionPrincipalClass"]?.text ?? ""
    if lowered.contains("notification") {
      return lowered.contains("content") ? .content : .service
    }
    if principal.hasSuffix("NotificationService") { return .service }
    if lowered.contains("share") { return .share }
    if lowered.contains("action") || lowered.contains("ui-service") { return .action }
    return .other
  }
}
