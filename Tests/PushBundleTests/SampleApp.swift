import PushBundle
import PushSimulator
import TestSupport

/// A whole, sound app that tests change in one thing: service, content, share and action
/// extension, with profiles, App Group and two languages.
struct SampleApp {
  var app: ProgramPart
  /// By their folder's name in `PlugIns`, in order.
  var extensions: [(name: String, part: ProgramPart)]
  var frameworks: [String: [UInt8]] = [:]
  /// Files outside of the parts.
  var more: [String: [UInt8]] = [:]
  var isBinary = true

  static let team = "ABCDE12345"
  static let group = "com.apple.security.application-groups"
  static let communication = "com.apple.developer.usernotifications.communication"
  static let timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
  static let filtering = "com.apple.developer.usernotifications.filtering"
  static let point = "NSExtensionPointIdentifier"

  /// 2026-11-30T00:00:00Z, by `date -u -d 2026-11-30 +%s`.
  static let today: Int64 = 1_795_996_800

  init() {
    app = Self.part(
      "Courier.app", id: "com.example.courier", executable: "Courier", type: "APPL",
      entitlements: ["aps-environment": "production", Self.group: ["group.com.example.courier"]])
    app.info["CFBundleURLTypes"] = [["CFBundleURLSchemes": ["courier"]]]
    app.names = ["en": "Courier", "de": "Kurier"]
    extensions = []
    add("Service.appex", Self.service())
    add("Preview.appex", Self.content())
    add("Share.appex", Self.share())
  }

  mutating func add(_ name: String, _ part: ProgramPart) {
    var part = part
    part.path = "Courier.app/PlugIns/\(name)"
    extensions.append((name, part))
  }

  /// The extension in a folder; tests change it in place.
  subscript(_ name: String) -> ProgramPart {
    get { extensions.first { $0.name == name }?.part ?? app }
    set {
      guard let place = extensions.firstIndex(where: { $0.name == name }) else { return }
      extensions[place].part = newValue
    }
  }

  /// A part with a program that is signed for distribution, and a profile that grants what the
  /// program asks for.
  static func part(
    _ path: String, id: String, executable: String, type: String = "XPC!",
    entitlements: PlistPart
  ) -> ProgramPart {
    var part = ProgramPart(
      path: path,
      info: [
        "CFBundleIdentifier": .text(id), "CFBundleExecutable": .text(executable),
        "CFBundlePackageType": .text(type), "CFBundleShortVersionString": "5.2.0",
        "CFBundleVersion": "5201", "MinimumOSVersion": "15.0",
      ])
    var program = MachOPart()
    program.identifier = id
    program.team = team
    program.entitlements = entitlements
    part.program = program
    part.profile = profile(id: id, entitlements: entitlements)
    return part
  }

  static func profile(
    id: String, entitlements: PlistPart, devices: Int = 0, isDebug: Bool = false,
    expires: String = "2027-06-01T10:00:00Z"
  ) -> PlistPart {
    var granted = entitlements
    granted["application-identifier"] = .text("\(team).\(id)")
    granted["get-task-allow"] = .boolean(isDebug)
    var profile: PlistPart = [
      "Name": "Courier Distribution", "UUID": "5f2c1a7e-0000-4000-8000-000000000001",
      "TeamIdentifier": [.text(team)], "ExpirationDate": .date(expires), "Entitlements": granted,
    ]
    if devices > 0 {
      profile["ProvisionedDevices"] = .array((0..<devices).map { .text("device-\($0)") })
    }
    return profile
  }

  static func service(id: String = "com.example.courier.service") -> ProgramPart {
    var part = Self.part(
      "", id: id, executable: "Service", entitlements: [group: ["group.com.example.courier"]])
    part.info["NSExtension"] = [
      point: "com.apple.usernotifications.service",
      "NSExtensionPrincipalClass": "Service.NotificationService",
    ]
    part.program?.classes = [MachOPart.mangled("Service", "NotificationService")]
    part.program?.importedClasses = ["UNNotificationServiceExtension"]
    return part
  }

  static func content(
    id: String = "com.example.courier.preview", category: PlistPart = ["PARCEL_MAP"]
  ) -> ProgramPart {
    var part = Self.part("", id: id, executable: "Preview", entitlements: [:])
    part.info["NSExtension"] = [
      point: "com.apple.usernotifications.content-extension",
      "NSExtensionMainStoryboard": "MainInterface",
      "NSExtensionAttributes": [
        "UNNotificationExtensionCategory": category,
        "UNNotificationExtensionInitialContentSizeRatio": 0.6,
      ],
    ]
    part.more["Base.lproj/MainInterface.storyboardc/Info.plist"] = Array("x".utf8)
    part.program?.classes = [MachOPart.mangled("Preview", "NotificationViewController")]
    return part
  }

  static func share(id: String = "com.example.courier.share") -> ProgramPart {
    var part = Self.part(
      "", id: id, executable: "Share", entitlements: [group: ["group.com.example.courier"]])
    part.info["NSExtension"] = [
      point: "com.apple.share-services",
      "NSExtensionPrincipalClass": "Share.ShareViewController",
      "NSExtensionAttributes": [
        "NSExtensionActivationRule": ["NSExtensionActivationSupportsImageWithMaxCount": 10]
      ],
    ]
    part.program?.classes = [MachOPart.mangled("Share", "ShareViewController")]
    part.program?.texts = ["courier://share"]
    part.names = ["en": "Send with Courier", "de": "Mit Kurier senden"]
    return part
  }

  static func action(
    _ executable: String, id: String, rule: PlistPart, names: [String: String]
  ) -> ProgramPart {
    var part = share(id: id)
    part.info["CFBundleExecutable"] = .text(executable)
    part.info["NSExtension"]?[point] = "com.apple.ui-services"
    part.info["NSExtension"]?["NSExtensionPrincipalClass"] = .text("\(executable).ActionController")
    part.info["NSExtension"]?["NSExtensionAttributes"]?["NSExtensionActivationRule"] = rule
    part.program?.classes = [MachOPart.mangled(executable, "ActionController")]
    part.names = names
    return part
  }

  static func widget(id: String = "com.example.courier.widget") -> ProgramPart {
    var part = Self.part("", id: id, executable: "Widget", entitlements: [:])
    part.info["NSExtension"] = [point: "com.apple.widgetkit-extension"]
    part.program?.libraries.append("/System/Library/Frameworks/WidgetKit.framework/WidgetKit")
    return part
  }

  /// Changes the rule of the share extension.
  mutating func setRule(_ rule: PlistPart) {
    self["Share.appex"].info["NSExtension"]?["NSExtensionAttributes"]?[
      "NSExtensionActivationRule"] = rule
  }

  /// Changes an attribute of the content extension.
  mutating func setContent(_ key: String, _ value: PlistPart?) {
    self["Preview.appex"].info["NSExtension"]?["NSExtensionAttributes"]?[key] = value
  }

  /// Gives the app an entitlement, in its profile too.
  mutating func entitle(_ key: String, _ value: PlistPart) { entitle(&app, key, value) }

  /// The same for an extension.
  mutating func entitle(_ name: String, _ key: String, _ value: PlistPart) {
    entitle(&self[name], key, value)
  }

  private func entitle(_ part: inout ProgramPart, _ key: String, _ value: PlistPart) {
    part.program?.entitlements?[key] = value
    part.profile?["Entitlements"]?[key] = value
  }

  /// Development signing: debuggable, for a few phones, `development` environment.
  mutating func signForDevelopment() {
    entitle("aps-environment", "development")
    func change(_ part: inout ProgramPart) {
      part.program?.entitlements?["get-task-allow"] = true
      part.profile?["Entitlements"]?["get-task-allow"] = true
      part.profile?["ProvisionedDevices"] = ["device-1", "device-2"]
    }
    change(&app)
    for place in extensions.indices { change(&extensions[place].part) }
  }

  func bundle() -> BundlePart {
    var bundle = BundlePart()
    app.add(to: &bundle, binary: isBinary)
    for (_, part) in extensions { part.add(to: &bundle, binary: isBinary) }
    for (name, bytes) in frameworks { bundle.files["Courier.app/Frameworks/\(name)"] = bytes }
    for (path, bytes) in more { bundle.files[path] = bytes }
    return bundle
  }

  /// Writes the app as an archive and reads it.
  func read() throws -> BuiltApp {
    let folder = try ScratchFolder()
    let path = folder.path + "/Courier.ipa"
    try bundle().write(ipa: path)
    return try BundleReader.read(path)[0]
  }

  func findings() throws -> [Finding] {
    Inspection.findings(of: try read(), now: Self.today)
  }
}
