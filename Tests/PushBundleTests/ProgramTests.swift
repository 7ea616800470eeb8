import Foundation
import PushBundle
import PushSimulator
import Testing

private func sample() -> MachOPart {
  var part = MachOPart()
  part.identifier = "com.example.courier.service"
  part.team = "ABCDE12345"
  part.entitlements = [
    "aps-environment": "production", "count": 300, "off": false,
    "groups": ["a", "b"], "nested": ["x": ["y"]],
  ]
  part.libraries += ["@rpath/Kit.framework/Kit"]
  part.weakLibraries = ["/System/Library/Frameworks/ActivityKit.framework/ActivityKit"]
  part.runPaths = ["@executable_path/../../Frameworks"]
  part.classes = ["Plain", MachOPart.mangled("Service", "NotificationService")]
  part.swiftTypes = ["NotificationService", "Køb"]
  part.selectors = ["openURL:", "viewDidLoad"]
  part.texts = ["https://example.com/x", "courier://share?x=1", "not an address"]
  part.importedClasses = ["UNNotificationServiceExtension", "NSObject"]
  part.minimumOS = (16, 4)
  return part
}

private func problem(_ bytes: [UInt8]) -> BundleProblem? {
  do {
    _ = try MachO.read(bytes)
    return nil
  } catch {
    return error
  }
}

private func damage(_ bytes: [UInt8]) -> FormatFault.Damage? {
  guard case .damaged(let fault)? = problem(bytes)?.kind else { return nil }
  return fault.damage
}

/// Puts a little-endian word into bytes.
private func put(_ value: UInt32, at place: Int, _ bytes: inout [UInt8]) {
  for number in 0..<4 { bytes[place + number] = UInt8(truncatingIfNeeded: value >> (number * 8)) }
}

/// Puts a big-endian word into bytes.
private func putBig(_ value: UInt32, at place: Int, _ bytes: inout [UInt8]) {
  put(value.byteSwapped, at: place, &bytes)
}

@Test func aProgramTellsWhatItWasBuiltFrom() throws {
  let main = try #require(try MachO.read(sample().build()).main)
  #expect(main.architecture == "arm64")
  #expect(main.uuid == "10111213-1415-1617-1819-1A1B1C1D1E1F")
  #expect(main.minimumOS == "16.4")
  #expect(main.platform == 2)
  #expect(main.runPaths == ["@executable_path/../../Frameworks"])
  #expect(main.libraries.map(\.isWeak) == [false, false, true])
  #expect(main.libraries[1].name == "@rpath/Kit.framework/Kit")
  let names = try #require(main.names)
  #expect(names.classes == ["Plain", "Service.NotificationService"])
  #expect(names.swiftTypes == ["NotificationService", "Køb"])
  #expect(names.selectors == ["openURL:", "viewDidLoad"])
  #expect(names.importedClasses == ["UNNotificationServiceExtension", "NSObject"])
  #expect(names.addressSchemes == ["courier"])
  let signature = try #require(main.signature)
  #expect(signature.identifier == "com.example.courier.service")
  #expect(signature.team == "ABCDE12345")
  #expect(!signature.isAdHoc)
  let wanted: PlistValue = [
    "aps-environment": "production", "count": 300, "off": false,
    "groups": ["a", "b"], "nested": ["x": ["y"]],
  ]
  #expect(signature.entitlements == wanted.dictionary)
  #expect(signature.derEntitlements == wanted.dictionary)
  #expect(!signature.formsDiffer)
}

@Test func slicesAreReadOneByOne() throws {
  var second = sample()
  second.cpuType = 12
  second.cpuSubtype = 9
  second.minimumOS = (12, 0)
  let file = MachOPart.fat([second, sample()])
  let program = try MachO.read(file)
  #expect(program.slices.map(\.architecture) == ["armv7", "arm64"])
  #expect(program.slices.map(\.minimumOS) == ["12.0", "16.4"])
  #expect(program.main?.architecture == "arm64")
}

@Test func anEncryptedProgramKeepsItsNames() throws {
  var part = sample()
  part.isEncrypted = true
  let main = try #require(try MachO.read(part.build()).main)
  #expect(main.isEncrypted)
  #expect(main.names == nil)
  #expect(main.signature?.team == "ABCDE12345")
}

@Test func offsetsOutsideOfTheFileAreRefused() {
  let sound = sample().build()
  #expect(problem(sound) == nil)
  // Size of the load commands, at byte 20 of the header.
  var commands = sound
  put(0x000F_FFFF, at: 20, &commands)
  #expect(damage(commands) == .outside)
  put(0xFFFF_FFFF, at: 20, &commands)
  #expect(damage(commands) == .tooLarge(1 << 20))
  // More commands than fit.
  var count = sound
  put(0x7FFF_FFFF, at: 16, &count)
  #expect(damage(count) != nil)
  // Length of the first command: 0, and beyond the others.
  for length in [UInt32(0), 4, 0xFFFF_FFF8] {
    var first = sound
    put(length, at: 36, &first)
    #expect(damage(first) == .outside)
  }
  // Cut in the middle of the signature.
  #expect(damage(Array(sound.dropLast(10))) == .outside)
}

@Test func wrongSlicesAreRefused() {
  let sound = MachOPart.fat([sample(), sample()])
  // Offset and size of the second slice stand at byte 36 and 40, big-endian.
  var overlapping = sound
  putBig(0x4010, at: 36, &overlapping)
  putBig(0x100, at: 40, &overlapping)
  #expect(damage(overlapping) == .overlap)
  var large = sound
  putBig(0xFFFF_FFFF, at: 40, &large)
  #expect(damage(large) == .outside)
  var many = sound
  putBig(0x00FF_FFFF, at: 4, &many)
  #expect(damage(many) == .tooMany(16))
  var inTable = sound
  putBig(4, at: 36, &inTable)
  #expect(damage(inTable) == .outside)
}

@Test func aDamagedSignatureNamesItsPlace() throws {
  let sound = sample().build()
  let start = try #require(
    sound.indices.first { place in
      place + 4 <= sound.count && sound[place..<place + 4].elementsEqual([0xFA, 0xDE, 0x0C, 0xC0])
    })
  for (at, value) in [(8, UInt32(1000)), (16, 0xFFFF_0000), (12 + 12, 0xFFFF_FFF0)] {
    var changed = sound
    putBig(value, at: start + at, &changed)
    guard case .damaged(let fault)? = problem(changed)?.kind else {
      Issue.record("offset \(at) was read")
      continue
    }
    #expect(fault.format == .codeSignature)
    #expect((fault.offset ?? 0) >= start)
  }
}

@Test func anyChangeOfAByteOfAProgramIsReadOrRefused() {
  let file = sample().build()
  for place in file.indices {
    for value in [UInt8(0), 0xFF, file[place] ^ 0x80] where value != file[place] {
      var changed = file
      changed[place] = value
      _ = problem(changed)
    }
  }
  let fat = Array(MachOPart.fat([sample()]).prefix(64))
  for place in fat.indices {
    var changed = fat
    changed[place] ^= 0xFF
    _ = problem(changed)
  }
}

// MARK: Signed messages

/// Written by hand from X.690: signed data around `hi`, once with all lengths known, once with
/// indefinite lengths and the content in two pieces.
private let definite: [UInt8] =
  [0x30, 0x29, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
  + [0xA0, 0x1C, 0x30, 0x1A, 0x02, 0x01, 0x01, 0x31, 0x00]
  + [0x30, 0x11, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
  + [0xA0, 0x04, 0x04, 0x02, 0x68, 0x69] + [0x31, 0x00]

private let indefinite: [UInt8] =
  [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
  + [0xA0, 0x80, 0x30, 0x80, 0x02, 0x01, 0x01, 0x31, 0x00]
  + [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
  + [0xA0, 0x80, 0x24, 0x80, 0x04, 0x01, 0x68, 0x04, 0x01, 0x69, 0, 0, 0, 0, 0, 0]
  + [0x31, 0x00, 0, 0, 0, 0, 0, 0]

@Test func theContentOfASignedMessageIsFound() throws {
  #expect(try SignedMessage.content(of: definite) == Array("hi".utf8))
  #expect(try SignedMessage.content(of: indefinite) == Array("hi".utf8))
}

@Test func damagedSignedMessagesAreRefused() {
  let sound = DERPart.signedMessage(Array(repeating: 0x41, count: 300))
  #expect(throws: Never.self) { try SignedMessage.content(of: sound) }
  for cut in 0..<sound.count - 2 {
    #expect(throws: FormatFault.self) { try SignedMessage.content(of: Array(sound.prefix(cut))) }
  }
  // Nested without end, and lengths of eight bytes.
  let nested = [UInt8](repeating: 0x30, count: 2) + [UInt8](repeating: 0x80, count: 2)
  let deep = [[UInt8]](repeating: [0x30, 0x80], count: 5000).flatMap { $0 }
  let long = [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8)
  for bytes in [nested, deep, long] {
    #expect(throws: FormatFault.self) { try SignedMessage.content(of: bytes) }
  }
  for place in sound.indices {
    var changed = sound
    changed[place] ^= 0xFF
    _ = try? SignedMessage.content(of: changed)
  }
}
