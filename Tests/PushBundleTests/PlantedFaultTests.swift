import PushBundle
import PushChecklist
import PushModel
import PushSimulator
import Testing

/// One fault in the sound app, and the cause that a person would name.
struct Planted: Sendable, CustomTestStringConvertible {
  var title: String
  var step: StepID
  var cause: CauseID?
  var severity: Severity
  /// End of the path of the part that has it.
  var part: String
  var change: @Sendable (inout SampleApp) -> Void

  init(
    _ title: String, _ step: StepID, _ cause: CauseID?, _ severity: Severity = .breaks,
    in part: String, _ change: @escaping @Sendable (inout SampleApp) -> Void
  ) {
    self.title = title
    self.step = step
    self.cause = cause
    self.severity = severity
    self.part = part
    self.change = change
  }

  var testDescription: String { title }

  static let all = embedding + signing + loading + content + app + handOff

  private static let embedding: [Planted] = [
    Planted("suffix .app", .extensionEmbedded, .appexNotEmbedded, in: "Service.app") {
      $0.extensions[0].part.path = "Courier.app/PlugIns/Service.app"
    },
    Planted("suffix .bundle", .extensionEmbedded, .appexNotEmbedded, in: "Service.bundle") {
      $0.extensions[0].part.path = "Courier.app/PlugIns/Service.bundle"
    },
    Planted(
      "in the folder of ExtensionKit", .extensionEmbedded, .appexNotEmbedded, .warns,
      in: "Extensions/Service.appex"
    ) { $0.extensions[0].part.path = "Courier.app/Extensions/Service.appex" },
    Planted("beside PlugIns", .extensionEmbedded, .appexNotEmbedded, in: "Service.appex") {
      $0.extensions[0].part.path = "Courier.app/Service.appex"
    },
    Planted(
      "package type of a bundle", .extensionEmbedded, .appexNotEmbedded, .warns, in: "Service.appex"
    ) { $0["Service.appex"].info["CFBundlePackageType"] = "BNDL" },
    Planted(
      "two service extensions", .extensionEmbedded, .multipleServiceExt, in: "Service2.appex"
    ) { $0.add("Service2.appex", SampleApp.service(id: "com.example.courier.service2")) },
    Planted("id of another app", .extensionEmbedded, .extBundlePrefix, in: "Service.appex") {
      for key in ["com.example.courierbeta.service"] {
        $0["Service.appex"].info["CFBundleIdentifier"] = .text(key)
        $0["Service.appex"].program?.identifier = key
        $0["Service.appex"].profile?["Entitlements"]?["application-identifier"] =
          .text("ABCDE12345.\(key)")
      }
    },
    Planted("program not copied", .extensionEmbedded, .extExecutableMissing, in: "Service.appex") {
      $0["Service.appex"].program = nil
    },
    Planted(
      "only for the simulator's processor", .extensionEmbedded, .extExecutableMissing,
      in: "Service.appex"
    ) { $0["Service.appex"].program?.cpuType = 0x0100_0007 },
    Planted("other build number", .extensionEmbedded, nil, .warns, in: "Service.appex") {
      $0["Service.appex"].info["CFBundleVersion"] = "5200"
    },
    Planted("lookalike point", .extensionPoint, .wrongExtensionPoint, in: "Service.appex") {
      $0["Service.appex"].info["NSExtension"]?[SampleApp.point] =
        "com.apple.notification-service-extension"
    },
    Planted(
      "point of content extensions", .extensionPoint, .wrongExtensionPoint, in: "Service.appex"
    ) {
      $0["Service.appex"].info["NSExtension"]?[SampleApp.point] = "com.apple.share-services"
      $0["Service.appex"].info["NSExtension"]?["NSExtensionAttributes"] = [
        "NSExtensionActivationRule": ["NSExtensionActivationSupportsText": true]
      ]
      $0["Service.appex"].names = ["en": "A", "de": "B"]
    },
    Planted("no NSExtension", .extensionPoint, .wrongExtensionPoint, in: "Service.appex") {
      $0["Service.appex"].info["NSExtension"] = nil
    },
    Planted("minimum OS raised", .extensionMinimumOs, .extMinOs, in: "Service.appex") {
      $0["Service.appex"].info["MinimumOSVersion"] = "17.0"
      $0["Service.appex"].program?.minimumOS = (17, 0)
    },
    Planted("minimum OS of the view raised", .contentExtension, .extMinOs, in: "Preview.appex") {
      $0["Preview.appex"].info["MinimumOSVersion"] = "16.4"
    },
    Planted(
      "minimum OS of the program above the plist's", .extensionMinimumOs, .extMinOs, .warns,
      in: "Service.appex"
    ) { $0["Service.appex"].program?.minimumOS = (18, 0) },
  ]

  private static let signing: [Planted] = [
    Planted("profile ended", .extensionEmbedded, .extSigning, .warns, in: "Service.appex") {
      $0.signForDevelopment()
      $0["Service.appex"].profile?["ExpirationDate"] = .date("2026-11-29T23:59:59Z")
    },
    Planted("profile of the app", .extensionEmbedded, .extSigning, .warns, in: "Service.appex") {
      $0["Service.appex"].profile?["Entitlements"]?["application-identifier"] =
        "ABCDE12345.com.example.courier"
    },
    Planted("no profile", .extensionEmbedded, .extSigning, .warns, in: "Service.appex") {
      $0["Service.appex"].profile = nil
    },
    Planted("group not granted", .extensionEmbedded, .extSigning, .warns, in: "Service.appex") {
      $0["Service.appex"].profile?["Entitlements"]?[SampleApp.group] = ["group.other"]
    },
    Planted("other team", .extensionEmbedded, .extSigning, .warns, in: "Service.appex") {
      $0["Service.appex"].program?.team = "ZZZZZ99999"
    },
    Planted(
      "forms of entitlements differ", .extensionEmbedded, .extSigning, .warns,
      in: "Service.appex"
    ) {
      $0["Service.appex"].program?.otherDER = [
        SampleApp.group: ["group.com.example.courier"], "get-task-allow": true,
      ]
    },
  ]

  private static let loading: [Planted] = [
    Planted("Swift class without its module", .extensionLoads, .principalClass, in: "Service.appex")
    {
      $0["Service.appex"].info["NSExtension"]?["NSExtensionPrincipalClass"] =
        "NotificationService"
    },
    Planted(
      "Objective-C class with a module", .extensionLoads, .principalClass, in: "Service.appex"
    ) { $0["Service.appex"].program?.classes = ["NotificationService"] },
    Planted("build setting not filled in", .extensionLoads, .principalClass, in: "Service.appex") {
      $0["Service.appex"].info["NSExtension"]?["NSExtensionPrincipalClass"] =
        "$(PRODUCT_MODULE_NAME).NotificationService"
    },
    Planted("no class at all", .extensionLoads, .principalClass, in: "Service.appex") {
      $0["Service.appex"].info["NSExtension"]?["NSExtensionPrincipalClass"] = nil
    },
    Planted("class of the view", .contentExtension, .principalClass, in: "Preview.appex") {
      $0["Preview.appex"].info["NSExtension"]?["NSExtensionMainStoryboard"] = nil
      $0["Preview.appex"].info["NSExtension"]?["NSExtensionPrincipalClass"] =
        "Preview.NotificationController"
    },
    Planted(
      "library not embedded", .extensionLoads, .extFrameworkMissing, .warns,
      in: "Service.appex"
    ) {
      $0["Service.appex"].program?.libraries.append("@rpath/Kit.framework/Kit")
      $0["Service.appex"].program?.runPaths = ["@executable_path/../../Frameworks"]
    },
    Planted(
      "library there, run path wrong", .extensionLoads, .extFrameworkMissing, .warns,
      in: "Service.appex"
    ) {
      $0["Service.appex"].program?.libraries.append("@rpath/Kit.framework/Kit")
      $0["Service.appex"].program?.runPaths = ["@executable_path/Frameworks"]
      $0.frameworks["Kit.framework/Kit"] = MachOPart().build()
    },
    Planted(
      "storyboard and class", .contentExtension, .storyboardAndPrincipalClass,
      in: "Preview.appex"
    ) {
      $0["Preview.appex"].info["NSExtension"]?["NSExtensionPrincipalClass"] =
        "Preview.NotificationViewController"
    },
    Planted("storyboard not copied", .contentExtension, .contentExtFailed, in: "Preview.appex") {
      $0["Preview.appex"].more = [:]
    },
  ]

  private static let content: [Planted] = [
    Planted("no category", .category, .categoryNotInPlist, in: "Preview.appex") {
      $0.setContent("UNNotificationExtensionCategory", nil)
    },
    Planted("category of a wrong type", .category, .categoryNotInPlist, in: "Preview.appex") {
      $0.setContent("UNNotificationExtensionCategory", ["id": "PARCEL_MAP"])
    },
    Planted("category in the singular key", .category, .categoryNotInPlist, in: "Preview.appex") {
      $0.setContent("UNNotificationExtensionCategory", nil)
      $0["Preview.appex"].info["NSExtension"]?["NSExtensionAttribute"] = [
        "UNNotificationExtensionCategory": "PARCEL_MAP"
      ]
    },
    Planted("ratio is no number", .contentExtension, .contentExtSize, .warns, in: "Preview.appex") {
      $0.setContent("UNNotificationExtensionInitialContentSizeRatio", "wide")
    },
    Planted("ratio is 0", .contentExtension, .contentExtSize, .warns, in: "Preview.appex") {
      $0.setContent("UNNotificationExtensionInitialContentSizeRatio", 0)
    },
    Planted("text hidden", .contentExtension, .defaultContentHidden, .informs, in: "Preview.appex")
    {
      $0.setContent("UNNotificationExtensionDefaultContentHidden", true)
    },
    Planted(
      "touches as a text", .contentExtension, .contentExtInteraction, .warns,
      in: "Preview.appex"
    ) { $0.setContent("UNNotificationExtensionUserInteractionEnabled", "YES") },
    Planted(
      "category claimed twice", .contentExtension, .contentCategoryOverlap,
      in: "Second.appex"
    ) {
      $0.add(
        "Second.appex",
        SampleApp.content(id: "com.example.courier.second", category: ["OTHER", "PARCEL_MAP"]))
    },
  ]

  private static let app: [Planted] = [
    Planted("no aps-environment", .registration, .apsEntitlementMissing, in: "Courier.app") {
      $0.app.program?.entitlements?["aps-environment"] = nil
    },
    Planted(
      "sandbox in a store build", .tokenEnvironment, .tokenEnvMismatch, .warns,
      in: "Courier.app"
    ) { $0.entitle("aps-environment", "development") },
    Planted("hooking off", .registration, .apnsTokenNotHandedToSdk, .informs, in: "Courier.app") {
      $0.app.info["FirebaseAppDelegateProxyEnabled"] = false
    },
    Planted(
      "time-sensitive on the extension", .notificationSettings, .interruptionEntitlement,
      in: "Service.appex"
    ) { $0.entitle("Service.appex", SampleApp.timeSensitive, true) },
    Planted(
      "communication without the activity type", .communicationIntent,
      .communicationEntitlement, in: "Courier.app"
    ) { $0.entitle(SampleApp.communication, true) },
    Planted(
      "communication on the extension", .communicationIntent, .communicationEntitlement,
      in: "Service.appex"
    ) { $0.entitle("Service.appex", SampleApp.communication, true) },
    Planted(
      "activity type without the entitlement", .communicationIntent,
      .communicationEntitlement, .warns, in: "Courier.app"
    ) { $0.app.info["NSUserActivityTypes"] = ["INSendMessageIntent"] },
    Planted("filtering on the app", .contentApplied, .filterEntitlement, in: "Courier.app") {
      $0.entitle(SampleApp.filtering, true)
    },
    Planted("other App Group", .sharedStorage, .appGroupMissing, .warns, in: "Service.appex") {
      $0.entitle("Service.appex", SampleApp.group, ["group.com.example.other"])
    },
    Planted(
      "no App Group to share files in", .stagedInGroup, .appGroupMissing, .warns,
      in: "Share.appex"
    ) {
      $0["Share.appex"].program?.entitlements?[SampleApp.group] = nil
    },
    Planted("other keychain group", .sharedStorage, .keychainGroup, .warns, in: "Service.appex") {
      $0.entitle("keychain-access-groups", ["ABCDE12345.shared"])
      $0.entitle("Service.appex", "keychain-access-groups", ["ABCDE12345.old"])
    },
    Planted(
      "plain http allowed to the app only", .mediaDownload, .atsBlocked, .informs,
      in: "Service.appex"
    ) { $0.app.info["NSAppTransportSecurity"] = ["NSAllowsArbitraryLoads": true] },
    Planted(
      "transport keys by their display names", .mediaDownload, .atsBlocked, .warns,
      in: "Service.appex"
    ) {
      $0["Service.appex"].info["NSAppTransportSecurity"] = ["Allow Arbitrary Loads": true]
    },
    Planted("mode misspelled", .backgroundMode, .backgroundModeMissing, in: "Courier.app") {
      $0.app.info["UIBackgroundModes"] = ["remote-notifications"]
    },
    Planted("Live Activities not switched on", .laSupported, .laNotSupported, in: "Courier.app") {
      $0.add("Widget.appex", SampleApp.widget())
      $0["Widget.appex"].program?.libraries.append(
        "/System/Library/Frameworks/ActivityKit.framework/ActivityKit")
    },
    Planted("frequent updates misspelled", .laBudget, .laBudget, .warns, in: "Courier.app") {
      $0.app.info["NSSupportsFrequentLiveActivityUpdates"] = true
    },
  ]

  private static let handOff: [Planted] = [
    Planted("TRUEPREDICATE", .activationRule, .truePredicate, in: "Share.appex") {
      $0.setRule("TRUEPREDICATE")
    },
    Planted(
      "TRUEPREDICATE while debugging", .activationRule, .truePredicate, .informs,
      in: "Share.appex"
    ) {
      $0.signForDevelopment()
      $0.setRule("TRUEPREDICATE")
    },
    Planted("bracket not closed", .activationRule, .activationPredicateMalformed, in: "Share.appex")
    {
      $0.setRule("SUBQUERY(extensionItems, $i, $i.attachments.@count == 1.@count == 1")
    },
    Planted("wrong variable", .activationRule, .activationPredicateMalformed, in: "Share.appex") {
      $0.setRule(
        """
        SUBQUERY(NSExtensionItems, $i, SUBQUERY($i.attachments, $a, \
        ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image").@count == 1).@count == 1
        """)
    },
    Planted("unknown key", .activationRule, .activationRuleMismatch, .warns, in: "Share.appex") {
      $0.setRule(["NSExtensionActivationSupportsImagesWithMaxCount": 1])
    },
    Planted("text as a count", .activationRule, .activationRuleMismatch, .warns, in: "Share.appex")
    {
      $0.setRule(["NSExtensionActivationSupportsImageWithMaxCount": "10"])
    },
    Planted("nothing accepted", .activationRule, .activationRuleMismatch, in: "Share.appex") {
      $0.setRule(["NSExtensionActivationSupportsImageWithMaxCount": 0])
    },
    Planted("one and two", .activationRule, .activationRuleMismatch, in: "Share.appex") {
      $0.setRule("extensionItems.@count == 1 AND extensionItems.@count > 1")
    },
    Planted(
      "two for the same content", .activationRule, .activationRuleMismatch, .informs,
      in: "Share2.appex"
    ) { $0.add("Share2.appex", SampleApp.share(id: "com.example.courier.share2")) },
    Planted(
      "name missing in German", .activationRule, .displayNameMissing, .warns,
      in: "Share.appex"
    ) { $0["Share.appex"].names["de"] = nil },
    Planted(
      "name missing in a language that only the app's other texts have", .activationRule,
      .displayNameMissing, .warns, in: "Share.appex"
    ) { $0.app.more["fr.lproj/Localizable.strings"] = Array("\"a\" = \"b\";".utf8) },
    Planted(
      "opens its app by the old selector", .hostOpened, .hostOpenNotSupported, .warns,
      in: "Share.appex"
    ) { $0["Share.appex"].program?.selectors = ["openURL:", "viewDidLoad"] },
    Planted("scheme not registered", .hostOpened, .hostOpenNotSupported, .warns, in: "Share.appex")
    {
      $0["Share.appex"].program?.texts = ["courier-beta://share"]
    },
  ]
}

@Test(arguments: Planted.all)
func aPlantedFaultIsFoundWithItsCauseAndNothingElse(_ planted: Planted) throws {
  var sample = SampleApp()
  planted.change(&sample)
  let findings = try sample.findings()
  let all = findings.map { "\($0.part): \($0.step) \(String(describing: $0.cause)) \($0.sentence)" }
  #expect(findings.count == 1, "\(all.joined(separator: "\n"))")
  let finding = try #require(findings.first)
  #expect(finding.step == planted.step)
  #expect(finding.cause == planted.cause)
  #expect(finding.severity == planted.severity)
  #expect(finding.part.hasSuffix("/" + planted.part) || finding.part.hasSuffix(planted.part))
  #expect(!finding.sentence.isEmpty)
  #expect(!finding.file.isEmpty)
  #expect(!finding.facts.isEmpty)
}

@Test func thirtyFaultsOfTwentyCausesArePlanted() {
  #expect(Planted.all.count >= 30)
  #expect(Set(Planted.all.compactMap(\.cause)).count >= 20)
}

@Test(arguments: Planted.all)
func whatBreaksRestsOnAFirmFact(_ planted: Planted) throws {
  var sample = SampleApp()
  planted.change(&sample)
  for finding in try sample.findings() where finding.severity == .breaks {
    let isFirm = finding.facts.contains { number in
      Fact.all.contains { $0.id.text == number && $0.isFirm }
    }
    #expect(isFirm, "\(finding.facts)")
  }
}

@Test func aFindingsStepListsItsCause() throws {
  for planted in Planted.all {
    guard let cause = planted.cause,
      let step = Checklist.allSteps.first(where: { $0.id == planted.step })
    else { continue }
    let isHere = step.causes.contains { $0.id == cause }
    let isAlsoHere = Checklist.allSteps.contains { other in
      other.causes.contains { $0.id == cause && $0.alsoAt.contains(planted.step) }
    }
    #expect(isHere || isAlsoHere, "\(planted.title): \(cause.rawValue) at \(step.id.rawValue)")
  }
}
