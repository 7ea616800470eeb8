import Foundation
import PushBundle
import PushModel
import PushSimulator
import TestSupport
import Testing

@testable import pushtriage

/// A small corpus whose logs are in a database without any facts of releases.
private final class Corpus: Sendable {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for words in [
      "simulate --notifications 4000 --seed 2 -o corpus",
      "ingest corpus/provider.ndjson corpus/device.ndjson --db bundles.db",
    ] {
      let run = try BuiltProgram.pushtriage.run(
        words.split(separator: " ").map(String.init), in: folder.url)
      try #require([0, 2].contains(run.exitCode), "\(run.error)")
    }
  }

  func run(_ words: String) throws -> BuiltProgram.Run {
    try BuiltProgram.pushtriage.run(words.split(separator: " ").map(String.init), in: folder.url)
  }

  /// Cause of each notification that has one, by row.
  func causes(_ database: String) throws -> [String] {
    struct Verdict: Decodable {
      var notification_id: String?
      var apns_id: String?
      var device_id: String?
      var cause: String?
    }
    let run = try run("query verdicts --format ndjson --db \(database)")
    return try run.output.split(separator: "\n").map {
      let verdict = try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
      return [verdict.notification_id, verdict.apns_id, verdict.device_id, verdict.cause]
        .map { $0 ?? "-" }.joined(separator: " ")
    }.sorted()
  }
}

@Test func factsOfABundleJudgeItsNotificationsAgainAsAFileOfFactsDoes() throws {
  let corpus = try Corpus()
  func count(_ cause: CauseID) throws -> Int {
    try corpus.causes("bundles.db").count { $0.hasSuffix(" " + cause.rawValue) }
  }
  // Both can be seen in a built app only.
  #expect(try count(.wrongExtensionPoint) == 0)
  #expect(try count(.extMinOs) == 0)
  let bundles = try FileManager.default.contentsOfDirectory(
    atPath: corpus.folder.path + "/corpus/bundles"
  ).sorted()
  #expect(bundles.count == 10)
  for bundle in bundles {
    let run = try corpus.run("inspect corpus/bundles/\(bundle) --db bundles.db")
    #expect(run.exitCode == 0, "\(run.error)")
    #expect(run.error.contains("are in bundles.db"))
  }
  #expect(try count(.wrongExtensionPoint) > 0)
  #expect(try count(.extMinOs) > 0)
  // The same facts, written down by hand.
  let other = try corpus.run(
    "ingest corpus/provider.ndjson corpus/device.ndjson corpus/facts.json --db hand.db")
  #expect([0, 2].contains(other.exitCode))
  #expect(try corpus.causes("bundles.db") == corpus.causes("hand.db"))
  // Storing them again changes nothing.
  let before = try corpus.causes("bundles.db")
  _ = try corpus.run("inspect corpus/bundles/\(bundles[0]) --db bundles.db")
  #expect(try corpus.causes("bundles.db") == before)
  try reportsNameTheCauses(corpus)
}

/// Daily report, triage and comparison, from the facts of the bundles.
private func reportsNameTheCauses(_ corpus: Corpus) throws {
  let rows = try corpus.causes("bundles.db")
  for cause in [CauseID.wrongExtensionPoint, .extMinOs] {
    let row = try #require(
      rows.first { $0.hasSuffix(" " + cause.rawValue) && !$0.hasPrefix("-") })
    let fields = row.split(separator: " ").map(String.init)
    let triage = try corpus.run("triage \(fields[0]) --device \(fields[2]) --db bundles.db")
    #expect(triage.output.contains(cause.rawValue), "\(triage.output)\(triage.error)")
  }
  let compare = try corpus.run(
    "compare 11.3.0 11.4.0 --app com.example.pulse --db bundles.db --format json")
  #expect(compare.output.contains("\"ext_min_os\""))
  // The fact that differs stands beside the cause.
  #expect(compare.output.contains("extensions[1].info.MinimumOSVersion"))
  #expect(compare.output.contains("\"extensions[1].min_os\""))
  let point = try corpus.run(
    "compare 5.2.0 5.3.0 --app com.example.courier --db bundles.db --format json")
  #expect(point.output.contains("\"wrong_extension_point\""))
  #expect(
    point.output.contains("\"extensions[1].info.NSExtension.NSExtensionPointIdentifier\""))
  // The days that a corpus of these options is spread over.
  let reports = try (22...29).map {
    try corpus.run("report daily --date 2026-11-\($0) --db bundles.db --format json").output
  }
  for cause in [CauseID.wrongExtensionPoint, .extMinOs] {
    #expect(reports.contains { $0.contains("\"\(cause.rawValue)\"") })
  }
}

@Test func twoReleasesAreComparedInWordsAsFilesAndFromTheDatabase() throws {
  let corpus = try Corpus()
  let files = try corpus.run(
    "inspect corpus/bundles/pulse-11.3.0.ipa corpus/bundles/pulse-11.4.0.ipa --db bundles.db")
  #expect(files.exitCode == 0, "\(files.error)")
  #expect(files.output.contains("minimum OS  15.0    17.0"))
  #expect(files.output.contains("ext_min_os"))
  let stored = try corpus.run("inspect 11.3.0 11.4.0(1140) --db bundles.db")
  #expect(stored.exitCode == 0, "\(stored.error)")
  #expect(stored.output.contains("minimum OS  15.0    17.0"))
  let json = try corpus.run("inspect 11.3.0 11.4.0 --db bundles.db --format json")
  struct Changes: Decodable {
    struct Change: Decodable {
      var part: String
      var what: String
      var before: String?
      var after: String?
    }
    var version: Int
    var changes: [Change]
  }
  let changes = try JSONDecoder().decode(Changes.self, from: Data(json.output.utf8))
  #expect(changes.version == 1)
  #expect(changes.changes.map(\.part) == ["Service.appex"])
  #expect(changes.changes.map(\.after) == ["17.0"])
  let unknown = try corpus.run("inspect 12.0.0 --db bundles.db")
  #expect(unknown.exitCode == 1)
  #expect(unknown.error.contains("com.example.pulse 11.3.0(1130)"))
}

@Test func findingsAreDataAndMayEndARun() throws {
  let corpus = try Corpus()
  let path = "corpus/bundles/courier-5.3.0.ipa"
  let run = try corpus.run("inspect \(path) --format json --fail-on breaks")
  #expect(run.exitCode == 3)
  struct Result: Decodable {
    struct App: Decodable { var bundle_id: String }
    struct Part: Decodable { var kind: String }
    struct Found: Decodable {
      struct Place: Decodable {
        var file: String
        var key: String?
      }
      var step: String
      var cause: String?
      var severity: String
      var place: Place
      var fact: [String]
    }
    var version: Int
    var app: App
    var extensions: [Part]
    var findings: [Found]
  }
  let result = try JSONDecoder().decode(Result.self, from: Data(run.output.utf8))
  #expect(result.version == 1)
  #expect(result.app.bundle_id == "com.example.courier")
  #expect(result.extensions.map(\.kind) == ["content", "service"])
  let finding = try #require(result.findings.first)
  #expect(finding.step == "extension-point")
  #expect(finding.cause == "wrong_extension_point")
  #expect(finding.severity == "breaks")
  #expect(finding.place.key == "NSExtension.NSExtensionPointIdentifier")
  #expect(finding.fact == ["F4.4", "F4.6"])
  let sound = try corpus.run("inspect corpus/bundles/courier-5.2.0.ipa --fail-on warns")
  #expect(sound.exitCode == 0)
  #expect(sound.output.contains("Nothing was found"))
}

@Test func aFileOfSeveralReleasesAsksForOne() throws {
  let corpus = try Corpus()
  let all = try corpus.run("inspect corpus/facts.json")
  #expect(all.exitCode == 1)
  #expect(all.error.contains("com.example.pulse 11.4.0(1140)"))
  let one = try corpus.run("inspect corpus/facts.json --release 11.4.0")
  #expect(one.exitCode == 0, "\(one.error)")
  #expect(one.output.contains("ext_min_os"))
}

/// A service extension's plist, entitlements and profile as files of their own; the profile and the
/// entitlements ask for nothing of the app's.
private func loneFiles(in folder: ScratchFolder) throws -> [String] {
  let info: PlistPart = [
    "CFBundleIdentifier": "com.example.courier.service", "CFBundleExecutable": "Service",
    "CFBundlePackageType": "XPC!", "CFBundleShortVersionString": "5.2.0",
    "CFBundleVersion": "5201", "MinimumOSVersion": "15.0",
    "NSExtension": [
      "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
      "NSExtensionPrincipalClass": "Service.NotificationService",
    ],
  ]
  let rights: PlistPart = [
    "com.apple.security.application-groups": ["group.com.example.courier"],
    "com.apple.developer.usernotifications.filtering": true,
  ]
  var granted = rights
  granted["application-identifier"] = "ABCDE12345.com.example.courier.service"
  let profile: PlistPart = [
    "Name": "Service", "TeamIdentifier": ["ABCDE12345"],
    "ExpirationDate": .date("2036-01-01T00:00:00Z"), "Entitlements": granted,
  ]
  let files = [
    ("Info.plist", info.xmlFile), ("Service.entitlements", rights.xmlFile),
    ("embedded.mobileprovision", DERPart.signedMessage(profile.xmlFile)),
  ]
  for (name, bytes) in files { try Data(bytes).write(to: folder.url.appending(path: name)) }
  return files.map(\.0)
}

@Test func aFileAloneNeverSaysThatTheAppLacksSomething() throws {
  let scratch = try ScratchFolder()
  for name in try loneFiles(in: scratch) {
    let sheet = try BuiltProgram.pushtriage.run(
      ["inspect", name, "--fail-on", "warns"], in: scratch.url)
    #expect(sheet.exitCode == 0, "\(name): \(sheet.error)")
    #expect(sheet.output.contains("Nothing was found"), "\(sheet.output)")
    let check = try BuiltProgram.pushtriage.run(
      ["check", "--bundle", name, "--format", "json"], in: scratch.url)
    #expect(check.exitCode == 0, "\(name): \(check.error)")
    #expect(!check.output.contains("\"broken\""), "\(name): \(check.output)")
    // None of them says which app and version it belongs to.
    let stored = try BuiltProgram.pushtriage.run(
      ["inspect", name, "--db", "facts.db"], in: scratch.url)
    #expect(stored.exitCode == 1)
    #expect(stored.error.contains("cannot be stored"), "\(stored.error)")
  }
}

@Test func whatCannotBeReadIsSaid() throws {
  let scratch = try ScratchFolder()
  func run(_ words: String...) throws -> BuiltProgram.Run {
    try BuiltProgram.pushtriage.run(["inspect"] + words, in: scratch.url)
  }
  #expect(try run().exitCode == 64)
  #expect(try run("a", "b", "c").exitCode == 64)
  let absent = try run("absent.ipa")
  #expect(absent.exitCode == 1)
  #expect(absent.error.contains("no such file"))
  try Data([0x50, 0x4B, 3, 4]).write(to: scratch.url.appending(path: "cut.ipa"))
  let cut = try run("cut.ipa")
  #expect(cut.exitCode == 1)
  #expect(cut.error.contains("at: cut.ipa"))
}

@Test func theFactsOfABundleAreAReleaseForTheChecklist() throws {
  let corpus = try Corpus()
  func release(_ name: String) throws -> (Release, Set<UInt32>?, SymbolTable) {
    let built = try BundleReader.read("\(corpus.folder.path)/corpus/bundles/\(name).ipa")[0]
    let texts = SymbolTable()
    let facts = try #require(built.release { texts.intern($0) })
    return (facts.release, facts.claimedCategories, texts)
  }
  let (wrong, categories, texts) = try release("courier-5.3.0")
  #expect(wrong.serviceExtensions == .known(1))
  #expect(wrong.servicePoint.value.map { texts[$0] } == "com.apple.notification-service-extension")
  #expect(wrong.apsEnvironment == .known(Symbol(.development)))
  #expect(wrong.communicationEntitlement == .known(true))
  #expect(wrong.sharedAppGroup == .known(true))
  #expect(wrong.servicePrefixFits == .known(true))
  #expect(wrong.serviceExecutablePresent == .known(true))
  #expect(wrong.servicePrincipalFits == .known(true))
  #expect(wrong.serviceLibrariesPresent == .known(true))
  #expect(wrong.serviceSigningFits == .known(true))
  #expect(wrong.contentTwoEntryPoints == .known(false))
  #expect(categories == [texts.intern("PARCEL_MAP").index])
  let (raised, _, _) = try release("pulse-11.4.0")
  #expect(raised.serviceMinimumOS == .known(OSVersion(major: 17)))
  #expect(raised.minimumOS == .known(OSVersion(major: 15)))
}
