import Foundation
import PushBundle
import PushModel
import PushSimulator
import TestSupport
import Testing

private func problem(_ path: String) -> BundleProblem? {
  do {
    _ = try BundleReader.read(path)
    return nil
  } catch {
    return error
  }
}

@Test func aTruncatedArchiveIsRefused() throws {
  let folder = try ScratchFolder()
  let path = folder.path + "/a.ipa"
  try SampleApp().bundle().write(ipa: path)
  let whole = try Data(contentsOf: URL(fileURLWithPath: path))
  for share in [0.1, 0.5, 0.9, 0.99] {
    let cut = folder.path + "/cut.ipa"
    try whole.prefix(Int(Double(whole.count) * share)).write(to: URL(fileURLWithPath: cut))
    let found = try #require(problem(cut), "\(share)")
    guard case .archive = found.kind else {
      Issue.record("\(share): \(found)")
      continue
    }
    #expect(found.place.hasSuffix("cut.ipa"))
  }
}

@Test func namesThatLeadOutOfTheArchiveAreRefused() throws {
  let folder = try ScratchFolder()
  for name in ["../outside", "a/../../b"] {
    var bundle = SampleApp().bundle()
    bundle.files[name] = [1]
    let path = folder.path + "/a.zip"
    try bundle.write(ipa: path, below: "")
    #expect(problem(path)?.kind == .escapingName)
    #expect(problem(path)?.place.contains(name) == true)
  }
}

@Test func linksAreNotFollowed() throws {
  let folder = try ScratchFolder()
  try SampleApp().bundle().write(folder: folder.path)
  let app = folder.path + "/Courier.app"
  let manager = FileManager.default
  // A folder in itself, a plist elsewhere.
  try manager.createSymbolicLink(atPath: app + "/PlugIns/Loop.appex", withDestinationPath: app)
  try manager.removeItem(atPath: app + "/PlugIns/Share.appex/Info.plist")
  try manager.createSymbolicLink(
    atPath: app + "/PlugIns/Share.appex/Info.plist", withDestinationPath: "/etc/hostname")
  let built = try BundleReader.read(app)[0]
  #expect(built.extensions?.map(\.name) == ["Preview.appex", "Service.appex"])
  let links = built.problems.filter { $0.kind == .link }.map(\.place)
  #expect(
    Set(links) == ["Courier.app/PlugIns/Loop.appex", "Courier.app/PlugIns/Share.appex/Info.plist"])
}

@Test func aDamagedPartLeavesTheRest() throws {
  let folder = try ScratchFolder()
  var bundle = SampleApp().bundle()
  bundle.files["Courier.app/PlugIns/Preview.appex/Info.plist"] = Array("bplist00 rubbish".utf8)
  bundle.files["Courier.app/PlugIns/Share.appex/embedded.mobileprovision"] = [0x30, 0x05, 1]
  bundle.files["Courier.app/PlugIns/Share.appex/de.lproj/InfoPlist.strings"] = Array("\"a\" =".utf8)
  var program = bundle.files["Courier.app/PlugIns/Service.appex/Service"] ?? []
  program[20] = 0xFF
  program[21] = 0xFF
  bundle.files["Courier.app/PlugIns/Service.appex/Service"] = program
  try bundle.write(ipa: folder.path + "/a.ipa")
  let built = try BundleReader.read(folder.path + "/a.ipa")[0]
  #expect(built.extensions?.map(\.name) == ["Service.appex", "Share.appex"])
  let places = Set(
    built.problems.map { $0.place.replacing("Payload/Courier.app/PlugIns/", with: "") })
  #expect(
    places == [
      "Preview.appex/Info.plist", "Share.appex/embedded.mobileprovision",
      "Share.appex/de.lproj/InfoPlist.strings", "Service.appex/Service",
    ])
  for problem in built.problems { #expect(problem.description.contains("damaged")) }
}

@Test func aBombIsRefusedBeforeItIsUnpacked() throws {
  let folder = try ScratchFolder()
  var sample = SampleApp()
  // Zero bytes pack a thousand to one.
  sample["Service.appex"].program?.paddingBytes = 120 << 20
  let path = folder.path + "/bomb.ipa"
  try sample.bundle().write(ipa: path)
  let found = try #require(problem(path))
  #expect(found.kind == .bomb(400))
  #expect(found.place.hasSuffix("Service.appex/Service"))
}

@Test func aHugePropertyListIsLeftOut() throws {
  let folder = try ScratchFolder()
  var bundle = SampleApp().bundle()
  bundle.files["Courier.app/PlugIns/Share.appex/fr.lproj/InfoPlist.strings"] =
    [UInt8](repeating: 0x20, count: (16 << 20) + 1)
  try bundle.write(ipa: folder.path + "/a.ipa")
  let built = try BundleReader.read(folder.path + "/a.ipa")[0]
  #expect(built.problems.map(\.kind) == [.tooLarge(16 << 20)])
}

@Test func whatIsNoBundleIsSaidToBeNone() throws {
  let folder = try ScratchFolder()
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    return "\(folder.path)/\(name)"
  }
  #expect(problem(folder.path + "/absent")?.kind == .system(2))
  #expect(problem(folder.path)?.kind == .notABundle)
  #expect(problem(try write("empty", []))?.kind == .notABundle)
  #expect(problem(try write("text", Array("hello world, no plist".utf8)))?.kind == .notABundle)
  #expect(problem(try write("random", (0..<500).map { UInt8(($0 * 37) & 0xFF) })) != nil)
  var bundle = BundlePart()
  bundle.files["Courier.app/readme"] = [1]
  try bundle.write(ipa: folder.path + "/none.ipa")
  let missing = problem(folder.path + "/none.ipa")
  #expect(missing?.kind == .missingFile)
  #expect(missing?.place == "Payload/Courier.app/Info.plist")
}

@Test func looseFactsAreRead() throws {
  let folder = try ScratchFolder()
  func read(_ name: String, _ bytes: [UInt8]) throws -> BuiltApp {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    return try BundleReader.read("\(folder.path)/\(name)")[0]
  }
  var service = SampleApp.service().info
  service["NSExtension"]?[SampleApp.point] = "com.apple.notification-service-extension"
  for bytes in [service.xmlFile, service.binaryFile, service.textFile] {
    let built = try read("Info.plist", bytes)
    let findings = Inspection.findings(of: built, now: nil)
    #expect(findings.map(\.cause) == [.wrongExtensionPoint])
    #expect(findings.first?.file.hasSuffix("Info.plist") == true)
  }
  let rights = try read(
    "Courier.entitlements", PlistPart.dictionary([("aps-environment", "develop")]).xmlFile)
  #expect(Inspection.findings(of: rights, now: nil).map(\.cause) == [.apsEntitlementMissing])
  let profile = try read(
    "a.mobileprovision",
    DERPart.signedMessage(
      SampleApp.profile(
        id: "com.example.courier", entitlements: [:], isDebug: true, expires: "2020-01-01T00:00:00Z"
      )
      .xmlFile))
  #expect(profile.distribution == "debug")
  #expect(Inspection.findings(of: profile, now: SampleApp.today).map(\.cause) == [.extSigning])
}

@Test func aFileAloneSaysNothingOfTheRest() throws {
  let folder = try ScratchFolder()
  func findings(_ name: String, _ bytes: [UInt8]) throws -> [Finding] {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    let built = try BundleReader.read("\(folder.path)/\(name)")[0]
    return Inspection.findings(of: built, now: SampleApp.today)
  }
  // The filtering entitlement belongs to the service extension; whose this is does not show.
  let rights = PlistPart.dictionary([
    (SampleApp.filtering, true), (SampleApp.group, ["group.com.example.courier"]),
  ])
  #expect(try findings("Service.entitlements", rights.xmlFile).isEmpty)
  // As it stands in a project: the build has not filled it in yet.
  var source = SampleApp.service().info
  source["CFBundleIdentifier"] = "$(PRODUCT_BUNDLE_IDENTIFIER)"
  source["NSExtension"]?["NSExtensionPrincipalClass"] = "$(PRODUCT_MODULE_NAME).NotificationService"
  #expect(try findings("Info.plist", source.xmlFile).isEmpty)
  for part in [SampleApp.service(), SampleApp.content(), SampleApp.share()] {
    #expect(try findings("Info.plist", part.info.binaryFile).isEmpty)
    let profile = try #require(part.profile)
    let file = DERPart.signedMessage(profile.xmlFile)
    #expect(try findings("embedded.mobileprovision", file).isEmpty)
  }
  #expect(try findings("Info.plist", SampleApp().app.info.textFile).isEmpty)
}

@Test func appsSideBySideAreReadEachForItself() throws {
  let folder = try ScratchFolder()
  var sample = SampleApp()
  sample["Service.appex"].info["NSExtension"]?[SampleApp.point] = "com.apple.services.none"
  var bundle = sample.bundle()
  var other = SampleApp.part(
    "Depot.app", id: "com.example.depot", executable: "Depot", type: "APPL", entitlements: [:])
  other.names = [:]
  other.add(to: &bundle)
  bundle.files["Depot.app/de.lproj/InfoPlist.strings"] = Array("\"a\" =".utf8)
  try bundle.write(folder: folder.path + "/Both.xcarchive/Products/Applications")
  let builts = try BundleReader.read(folder.path + "/Both.xcarchive")
  #expect(builts.map { $0.app?.bundleID } == ["com.example.courier", "com.example.depot"])
  #expect(builts.map { $0.extensions?.count } == [3, 0])
  #expect(builts.map(\.problems.count) == [0, 1])
}

@Test func factsAsJSONGiveTheSameFindings() throws {
  let text = """
    {"version": 1, "releases": [{
      "bundle_id": "com.example.courier", "version": "5.2.0", "build": "5201", "min_os": "15.0",
      "distribution": "app-store",
      "info": {"UIBackgroundModes": ["remote-notification"]},
      "entitlements": {"aps-environment": "production"},
      "extensions": [
        {"file": "Service.appex", "kind": "service", "bundle_id": "com.example.courier.service",
         "min_os": "17.0", "language": "swift",
         "info": {"NSExtension": {
           "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
           "NSExtensionPrincipalClass": "NotificationService"}},
         "entitlements": null}
      ]}]}
    """
  let built = try BundleReader.read(facts: Array(text.utf8), source: "facts.json")
  let findings = Inspection.findings(of: built, now: nil)
  #expect(findings.map(\.cause) == [.extMinOs, .principalClass])
}

@Test func storedFactsAreReadAsTheyWere() throws {
  // Findings that need the binary are gone, the others stay.
  for planted in Planted.all {
    var sample = SampleApp()
    planted.change(&sample)
    let built = try sample.read()
    let again = try BundleReader.read(facts: Array(built.factsText.utf8), source: "db")
    let isSame = again.facts == built.facts
    #expect(isSame, "\(planted.title)")
    let before = Set(Inspection.findings(of: built, now: nil).compactMap(\.cause))
    let after = Set(Inspection.findings(of: again, now: nil).compactMap(\.cause))
    #expect(after.isSubset(of: before), "\(planted.title): \(after)")
  }
}
