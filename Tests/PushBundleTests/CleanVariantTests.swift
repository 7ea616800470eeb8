import Foundation
import PushBundle
import PushSimulator
import TestSupport
import Testing

/// A sound app in one of the many forms that sound apps have.
struct Variant: Sendable, CustomTestStringConvertible {
  var title: String
  var change: @Sendable (inout SampleApp) -> Void

  init(_ title: String, _ change: @escaping @Sendable (inout SampleApp) -> Void) {
    self.title = title
    self.change = change
  }

  var testDescription: String { title }

  static let all: [Variant] = [
    Variant("for the store") { _ in },
    Variant("for development") { $0.signForDevelopment() },
    Variant("ad hoc") { $0.app.profile?["ProvisionedDevices"] = ["device-1"] },
    Variant("in-house") { $0.app.profile?["ProvisionsAllDevices"] = true },
    Variant("plists as XML and texts as .strings") { $0.isBinary = false },
    Variant("without any extension") { $0.extensions = [] },
    Variant("service extension alone") { $0.extensions.removeSubrange(1...) },
    Variant("Objective-C") {
      $0["Service.appex"].info["NSExtension"]?["NSExtensionPrincipalClass"] =
        "NotificationService"
      $0["Service.appex"].program?.classes = ["NotificationService"]
    },
    Variant("fifteen languages") { sample in
      let languages = [
        "en", "de", "fr", "es", "it", "nl", "pt-BR", "pl", "cs", "tr", "ru", "ja", "ko", "zh-Hans",
        "ar",
      ]
      sample.app.names = Dictionary(uniqueKeysWithValues: languages.map { ($0, "Courier") })
      sample["Share.appex"].names = sample.app.names
    },
    Variant("all languages in one table") {
      $0["Share.appex"].names = [:]
      $0["Share.appex"].more["InfoPlist.loctable"] =
        PlistPart.dictionary([
          ("en", ["CFBundleDisplayName": "Send"]), ("de", ["CFBundleDisplayName": "Senden"]),
          ("LocProvenance", ["en": 3]),
        ]).binaryFile
    },
    Variant("the plist's own language needs no table") {
      $0["Share.appex"].names = ["de": "Senden"]
      $0["Share.appex"].info["CFBundleDisplayName"] = "Send"
      $0["Share.appex"].info["CFBundleDevelopmentRegion"] = "en"
    },
    Variant("a name for a language serves its regions") {
      $0.app.more["pt-BR.lproj/Localizable.strings"] = Array("\"a\" = \"b\";".utf8)
      $0["Share.appex"].names["pt"] = "Enviar"
      $0.app.names["pt"] = "Courier"
    },
    Variant("a translated app, all of whose parts have one name each") {
      $0.app.names = [:]
      $0.app.info["CFBundleDisplayName"] = "Courier"
      $0.app.more["fr.lproj/Localizable.strings"] = Array("\"a\" = \"b\";".utf8)
      $0["Share.appex"].names = [:]
      $0["Share.appex"].info["CFBundleDisplayName"] = "Courier"
    },
    Variant("an extension of ExtensionKit in the folder for them") {
      var part = SampleApp.widget(id: "com.example.courier.intents")
      part.info["NSExtension"] = nil
      part.info["EXAppExtensionAttributes"] = [
        "EXExtensionPointIdentifier": "com.apple.appintents-extension"
      ]
      $0.add("Intents.appex", part)
      $0.extensions[3].part.path = "Courier.app/Extensions/Intents.appex"
    },
    Variant("two content extensions with categories of their own") {
      $0.add(
        "Gallery.appex",
        SampleApp.content(id: "com.example.courier.gallery", category: ["GALLERY", "ALBUM"]))
    },
    Variant("category as a text") {
      $0.setContent("UNNotificationExtensionCategory", "PARCEL_MAP")
    },
    Variant("content extension with a class and touches") {
      $0["Preview.appex"].info["NSExtension"]?["NSExtensionMainStoryboard"] = nil
      $0["Preview.appex"].info["NSExtension"]?["NSExtensionPrincipalClass"] =
        "Preview.NotificationViewController"
      $0.setContent("UNNotificationExtensionUserInteractionEnabled", true)
      $0.setContent("UNNotificationExtensionDefaultContentHidden", false)
      $0.setContent("UNNotificationExtensionOverridesDefaultTitle", true)
    },
    Variant("ratio as a text that is a number") {
      $0.setContent("UNNotificationExtensionInitialContentSizeRatio", "0.75")
    },
    Variant("communication notifications, time-sensitive ones, and filtering") {
      $0.entitle(SampleApp.communication, true)
      $0.entitle(SampleApp.timeSensitive, true)
      $0.entitle("Service.appex", SampleApp.filtering, true)
      $0.app.info["NSUserActivityTypes"] = ["INSendMessageIntent"]
    },
    Variant("silent notifications") {
      $0.app.info["UIBackgroundModes"] = ["audio", "remote-notification"]
    },
    Variant("Live Activities") {
      $0.add("Widget.appex", SampleApp.widget())
      $0["Widget.appex"].program?.libraries.append(
        "/System/Library/Frameworks/ActivityKit.framework/ActivityKit")
      $0.app.info["NSSupportsLiveActivities"] = true
      $0.app.info["NSSupportsLiveActivitiesFrequentUpdates"] = true
    },
    Variant("a framework that is where the run path points") {
      $0["Service.appex"].program?.libraries.append("@rpath/Kit.framework/Kit")
      $0["Service.appex"].program?.runPaths = [
        "/usr/lib/swift", "@executable_path/Frameworks",
        "@executable_path/../../Frameworks",
      ]
      $0.frameworks["Kit.framework/Kit"] = MachOPart().build()
      $0.frameworks["Kit.framework/Info.plist"] =
        PlistPart.dictionary([("CFBundleShortVersionString", "1.4.0")]).binaryFile
    },
    Variant("Swift libraries of the system, a weak one that is absent") {
      $0["Service.appex"].program?.libraries.append("@rpath/libswiftCore.dylib")
      $0["Service.appex"].program?.weakLibraries.append("@rpath/Late.framework/Late")
      $0["Service.appex"].program?.runPaths = ["/usr/lib/swift"]
    },
    Variant("three action extensions for different content") {
      let languages = ["en": "Act", "de": "Tun"]
      $0.add(
        "Zip.appex",
        SampleApp.action(
          "Zip", id: "com.example.courier.zip",
          rule: ["NSExtensionActivationSupportsFileWithMaxCount": 5], names: languages))
      $0.add(
        "Trim.appex",
        SampleApp.action(
          "Trim", id: "com.example.courier.trim",
          rule: [
            "NSExtensionActivationSupportsMovieWithMaxCount": 1,
            "NSExtensionActivationDictionaryVersion": 2,
            "NSExtensionActivationUsesStrictMatching": true,
          ], names: languages))
      $0.add(
        "Read.appex",
        SampleApp.action(
          "Read", id: "com.example.courier.read",
          rule: ["NSExtensionActivationSupportsText": true], names: languages))
    },
    Variant("a predicate as Apple's guide shows one") {
      $0.setRule(
        """
        SUBQUERY (
          extensionItems,
          $extensionItem,
          SUBQUERY (
            $extensionItem.attachments,
            $attachment,
            ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "com.adobe.pdf"
            || ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO 'public.image'
          ).@count == $extensionItem.attachments.@count
        ).@count == 1
        """)
    },
    Variant("two slices") {
      var old = MachOPart()
      old.cpuType = 12
      old.cpuSubtype = 9
      old.identifier = "com.example.courier"
      old.team = SampleApp.team
      old.entitlements = $0.app.program?.entitlements
      $0.app.moreSlices = [old]
      for place in $0.extensions.indices { $0.extensions[place].part.moreSlices = [old] }
    },
    Variant("encrypted by the store, without profiles") { sample in
      sample.app.program?.isEncrypted = true
      sample.app.profile = nil
      for place in sample.extensions.indices {
        sample.extensions[place].part.program?.isEncrypted = true
        sample.extensions[place].part.program?.classes = ["scrambled"]
        sample.extensions[place].part.profile = nil
      }
    },
    Variant("for the simulator") { sample in
      func change(_ part: inout ProgramPart) {
        part.program?.platform = 7
        part.program?.identifier = nil
        part.program?.hasEntitlementsInSection = true
        part.profile = nil
      }
      sample.entitle("aps-environment", "development")
      change(&sample.app)
      for place in sample.extensions.indices { change(&sample.extensions[place].part) }
    },
    Variant("an old signature without the DER form") { sample in
      sample.app.program?.hasDER = false
      for place in sample.extensions.indices {
        sample.extensions[place].part.program?.hasDER = false
      }
    },
    Variant("a profile for all ids of the team") {
      $0["Share.appex"].profile?["Entitlements"]?["application-identifier"] =
        .text("\(SampleApp.team).*")
      $0["Share.appex"].profile?["Entitlements"]?[SampleApp.group] = ["group.com.example.*"]
    },
    Variant("an older extension, lower minimum OS") {
      $0["Service.appex"].info["MinimumOSVersion"] = "13.0"
      $0["Service.appex"].program?.minimumOS = (13, 0)
    },
    Variant("keychain groups that each program has by itself") {
      $0.entitle("keychain-access-groups", ["ABCDE12345.com.example.courier"])
      $0.entitle(
        "Service.appex", "keychain-access-groups", ["ABCDE12345.com.example.courier.service"])
    },
    Variant("a profile that has ended, in a build that the store signs anew") {
      $0.app.profile?["ExpirationDate"] = .date("2025-01-01T00:00:00Z")
    },
    Variant("an app clip and a watch app with extensions of their own") { sample in
      for (path, id) in [
        ("AppClips/Clip.app", "com.example.courier.Clip"),
        ("Watch/Watch.app", "com.example.courier.watchkitapp"),
      ] {
        var inner = SampleApp.part(
          "Courier.app/\(path)", id: id, executable: "Inner", type: "APPL", entitlements: [:])
        inner.names = [:]
        var bundle = BundlePart()
        inner.add(to: &bundle)
        var appex = SampleApp.service(id: id + ".service")
        appex.path = "Courier.app/\(path)/PlugIns/Service.appex"
        appex.add(to: &bundle)
        sample.more.merge(bundle.files) { $1 }
      }
    },
  ]
}

@Test(arguments: Variant.all)
func aSoundAppGivesNoFinding(_ variant: Variant) throws {
  var sample = SampleApp()
  variant.change(&sample)
  let built = try sample.read()
  let findings = Inspection.findings(of: built, now: SampleApp.today)
  #expect(built.problems.isEmpty, "\(built.problems)")
  #expect(
    findings.isEmpty, "\(findings.map { "\($0.part): \($0.sentence)" }.joined(separator: "\n"))")
  #expect(built.extensions?.count == sample.extensions.count)
}

@Test func thereAreTwentyVariants() { #expect(Variant.all.count >= 20) }

@Test func folderArchiveAndXcarchiveSayTheSame() throws {
  let sample = SampleApp()
  let folder = try ScratchFolder()
  try sample.bundle().write(folder: folder.path)
  try sample.bundle().write(folder: folder.path + "/Courier.xcarchive/Products/Applications")
  try sample.bundle().write(ipa: folder.path + "/Courier.ipa")
  try sample.bundle().write(ipa: folder.path + "/Courier.zip", below: "")
  let all = try ["Courier.app", "Courier.app/", "Courier.xcarchive", "Courier.ipa", "Courier.zip"]
    .map { try BundleReader.read("\(folder.path)/\($0)")[0] }
  for built in all {
    #expect(built.factsText == all[0].factsText)
    #expect(built.app?.bundleID == "com.example.courier")
    #expect(built.extensions?.map(\.name) == ["Preview.appex", "Service.appex", "Share.appex"])
  }
}

@Test func anExtensionAloneCanBeInspected() throws {
  let folder = try ScratchFolder()
  try SampleApp().bundle().write(folder: folder.path)
  let built = try BundleReader.read(folder.path + "/Courier.app/PlugIns/Service.appex")[0]
  #expect(built.app == nil)
  #expect(built.extensions?.map(\.kind) == [.service])
  #expect(Inspection.findings(of: built, now: SampleApp.today).isEmpty)
}
