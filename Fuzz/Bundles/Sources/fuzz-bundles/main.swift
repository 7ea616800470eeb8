import Foundation
import PushBundle
import PushSimulator

// libFuzzer's entry for the formats inside of built apps: any bytes give a value or a fault, and
// nothing traps.
//
// `fuzz-bundles --list` prints the formats, `--seeds <format> <folder>` writes sound files of one, and
// `--format <format>` before libFuzzer's own arguments fuzzes one.

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

let sample: PlistPart = [
  "CFBundleIdentifier": "com.example.courier", "count": 300, "ratio": 0.6, "on": true,
  "day": .date("2026-11-29T08:15:00Z"), "bytes": .data([0, 1, 255]), "list": ["a", "Grüße", []],
]

func program() -> MachOPart {
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

func seeds(_ format: String) -> [[UInt8]] {
  switch format {
  case "plist": [sample.binaryFile, sample.xmlFile, sample.textFile, sample.stringsFile]
  case "macho": [program().build(), MachOPart.fat([program(), program()])]
  default: [DERPart.signedMessage(sample.xmlFile), sample.derFile]
  }
}

func readProperties(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  _ = try? PropertyList.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

func readProgram(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  _ = try? MachO.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

func readMessage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? Profile.read(bytes)
  _ = try? DEREntitlements.read(bytes)
  return 0
}

var words = CommandLine.arguments
if words.dropFirst().first == "--list" {
  print("plist\nmacho\ncms")
} else if words.count == 4, words[1] == "--seeds" {
  for (number, bytes) in seeds(words[2]).enumerated() {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(words[3])/seed-\(number)"))
  }
} else if words.count >= 3, words[1] == "--format" {
  let format = words[2]
  words.removeSubrange(1...2)
  var count = Int32(words.count)
  var pointers = words.map { strdup($0) } + [nil]
  pointers.withUnsafeMutableBufferPointer { buffer in
    guard var base = buffer.baseAddress else { return }
    switch format {
    case "plist": _ = runDriver(&count, &base) { readProperties($0, $1) }
    case "macho": _ = runDriver(&count, &base) { readProgram($0, $1) }
    default: _ = runDriver(&count, &base) { readMessage($0, $1) }
    }
  }
} else {
  print("usage: fuzz-bundles --list | --seeds <format> <folder> | --format <format> …")
}
