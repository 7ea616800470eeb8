import PushBundle
import PushSimulator

/// The formats inside of built apps: any bytes give a value or a fault.
let bundleTargets = [
  Target(
    id: "bundles/plist",
    seeds: { [sample.binaryFile, sample.xmlFile, sample.textFile, sample.stringsFile] },
    reader: { { _ = try? PropertyList.read(Array($0)) } }),
  Target(
    id: "bundles/macho",
    seeds: { [program().build(), MachOPart.fat([program(), program()])] },
    reader: { { _ = try? MachO.read(Array($0)) } }),
  Target(
    id: "bundles/cms",
    seeds: { [DERPart.signedMessage(sample.xmlFile), sample.derFile] },
    reader: {
      { bytes in
        _ = try? Profile.read(Array(bytes))
        _ = try? DEREntitlements.read(Array(bytes))
      }
    }),
]

private let sample: PlistPart = [
  "CFBundleIdentifier": "com.example.courier", "count": 300, "ratio": 0.6, "on": true,
  "day": .date("2026-11-29T08:15:00Z"), "bytes": .data([0, 1, 255]), "list": ["a", "Grüße", []],
]

private func program() -> MachOPart {
  var part = MachOPart()
  part.identifier = "com.example.courier"
  part.team = "ABCDE12345"
  part.entitlements = sample
  part.classes = [MachOPart.mangled("Service", "NotificationService")]
  part.swiftTypes = ["NotificationService"]
  part.importedClasses = ["UNNotificationServiceExtension"]
  part.runPaths = ["@executable_path/Frameworks"]
  part.texts = ["courier://share"]
  return part
}
