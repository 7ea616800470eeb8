/// A small program file that is to be written, byte by byte: load commands, names of code and a
/// signature, and nothing that could run.
public struct MachOPart: Sendable {
  /// Kind of processor, as Apple numbers them; arm64.
  public var cpuType: UInt32 = 0x0100_000C
  /// Kind within that.
  public var cpuSubtype: UInt32 = 0
  /// 2 iOS, 7 its simulator.
  public var platform: UInt32 = 2
  /// Lowest OS, major and minor.
  public var minimumOS: (major: Int, minor: Int) = (15, 0)
  /// 16 bytes.
  public var uuid: [UInt8] = Array(0x10...0x1F)
  /// Linked libraries by install name.
  public var libraries: [String] = ["/usr/lib/libSystem.B.dylib"]
  /// Those that may be absent.
  public var weakLibraries: [String] = []
  /// Run paths.
  public var runPaths: [String] = []
  /// Classes under their runtime names.
  public var classes: [String] = []
  /// Names of Swift types.
  public var swiftTypes: [String] = []
  /// Selectors.
  public var selectors: [String] = []
  /// Other texts.
  public var texts: [String] = []
  /// Classes of other libraries.
  public var importedClasses: [String] = []
  /// Whether the store has encrypted it.
  public var isEncrypted = false
  /// Identifier of the signature; nil for none at all.
  public var identifier: String?
  /// Team of the signature; nil for an ad-hoc one.
  public var team: String?
  /// Entitlements in the signature.
  public var entitlements: PlistPart?
  /// Another dictionary in the DER form than in the XML form.
  public var otherDER: PlistPart?
  /// Whether the signature has the DER form.
  public var hasDER = true
  /// Whether the entitlements stand in a section, as in builds for the simulator.
  public var hasEntitlementsInSection = false
  /// Zero bytes between names and signature, for large files.
  public var paddingBytes = 0

  /// A program without names and signature.
  public init() {}

  /// Name of a Swift class as the runtime knows it, `_TtC7Service19NotificationService`.
  public static func mangled(_ module: String, _ name: String) -> String {
    "_TtC\(module.utf8.count)\(module)\(name.utf8.count)\(name)"
  }

  /// The file.
  public func build() -> [UInt8] {
    var layout = Layout()
    let commandSize = commands(layout).reduce(0) { $0 + $1.count }
    layout.place(self, from: 32 + commandSize)
    let commands = commands(layout)
    var file = Self.words(
      0xFEED_FACF, cpuType, cpuSubtype, 2, UInt32(commands.count), UInt32(commandSize), 0x85, 0)
    file += commands.flatMap { $0 }
    for section in layout.sections {
      file += [UInt8](repeating: 0, count: section.offset - file.count) + section.bytes
    }
    file += [UInt8](repeating: 0, count: layout.symbolOffset - file.count)
    file += layout.symbols + layout.symbolNames
    file += [UInt8](repeating: 0, count: layout.signatureOffset - file.count)
    return file + layout.signature
  }

  /// Several programs in one file, at places rounded up to 16 KiB.
  public static func fat(_ slices: [MachOPart]) -> [UInt8] {
    let files = slices.map { $0.build() }
    var offsets: [Int] = []
    var next = 8 + slices.count * 20
    for file in files {
      next = (next + 0x3FFF) & ~0x3FFF
      offsets.append(next)
      next += file.count
    }
    var out = PlistPart.big(0xCAFE_BABE, 4) + PlistPart.big(slices.count, 4)
    for (number, slice) in slices.enumerated() {
      out += PlistPart.big(Int(slice.cpuType), 4) + PlistPart.big(Int(slice.cpuSubtype), 4)
      out += PlistPart.big(offsets[number], 4) + PlistPart.big(files[number].count, 4)
      out += PlistPart.big(14, 4)
    }
    for (number, file) in files.enumerated() {
      out += [UInt8](repeating: 0, count: offsets[number] - out.count) + file
    }
    return out
  }

  // MARK: Layout

  private struct Section {
    var name: String
    var bytes: [UInt8]
    var offset = 0
  }

  private static let base: UInt64 = 0x1_0000_0000

  private struct Layout {
    var sections: [Section] = []
    var symbolOffset = 0
    var symbolCount = 0
    var symbols: [UInt8] = []
    var symbolNames: [UInt8] = []
    var signatureOffset = 0
    var signature: [UInt8] = []

    mutating func place(_ part: MachOPart, from start: Int) {
      sections = part.sections()
      var next = start
      for number in sections.indices {
        next = (next + 15) & ~15
        sections[number].offset = next
        next += sections[number].bytes.count
      }
      // Type records point at the descriptors, so they are made once both places are known.
      if let types = sections.firstIndex(where: { $0.name == "__swift5_types" }),
        let constants = sections.firstIndex(where: { $0.name == "__const" })
      {
        sections[types].bytes = part.swiftTypes.indices.flatMap { number in
          MachOPart.words(
            UInt32(
              bitPattern: Int32(
                sections[constants].offset + number * 64 - sections[types].offset - number * 4)))
        }
      }
      symbolOffset = (next + 7) & ~7
      symbolNames = [0]
      for name in part.importedClasses {
        symbols += MachOPart.words(UInt32(symbolNames.count)) + [0x01, 0, 0, 1]
        symbols += [UInt8](repeating: 0, count: 8)
        symbolNames += Array("_OBJC_CLASS_$_\(name)".utf8) + [0]
      }
      symbolCount = part.importedClasses.count
      signatureOffset =
        (symbolOffset + symbols.count + symbolNames.count + part.paddingBytes + 15) & ~15
      signature = part.signature(codeLimit: signatureOffset)
    }
  }

  private func sections() -> [Section] {
    func joined(_ texts: [String]) -> [UInt8] { texts.flatMap { Array($0.utf8) + [0] } }
    var sections = [
      Section(name: "__cstring", bytes: joined(texts)),
      Section(name: "__objc_classname", bytes: joined(classes)),
      Section(name: "__objc_methname", bytes: joined(selectors)),
      // One descriptor in 64 bytes: flags, parent, then the way to the name that follows them.
      Section(
        name: "__const",
        bytes: swiftTypes.flatMap { name in
          let descriptor = Self.words(0x50, 0, 4) + Array(name.utf8.prefix(51))
          return descriptor + [UInt8](repeating: 0, count: 64 - descriptor.count)
        }),
      Section(
        name: "__swift5_types", bytes: [UInt8](repeating: 0, count: swiftTypes.count * 4)),
    ]
    if hasEntitlementsInSection, let entitlements {
      sections.append(Section(name: "__entitlements", bytes: entitlements.xmlFile))
    }
    return sections
  }

  // MARK: Load commands

  private func commands(_ layout: Layout) -> [[UInt8]] {
    let sections = layout.sections.isEmpty ? self.sections() : layout.sections
    var commands = [segment(sections)]
    commands.append(Self.words(0x1B, 24) + uuid)
    commands.append(
      Self.words(0x32, 24, platform, UInt32(minimumOS.major << 16 | minimumOS.minor << 8), 0, 0))
    if isEncrypted {
      let start = UInt32(sections.first?.offset ?? 0)
      commands.append(Self.words(0x2C, 24, start, 0x4000, 1, 0))
    }
    for (kind, names) in [(UInt32(0x0C), libraries), (0x8000_0018, weakLibraries)] {
      for name in names {
        commands.append(
          Self.padded(Self.words(kind, 0, 24, 2, 0x10000, 0x10000) + Array(name.utf8) + [0]))
      }
    }
    for path in runPaths {
      commands.append(Self.padded(Self.words(0x8000_001C, 0, 12) + Array(path.utf8) + [0]))
    }
    commands.append(
      Self.words(
        0x02, 24, UInt32(layout.symbolOffset), UInt32(layout.symbolCount),
        UInt32(layout.symbolOffset + layout.symbols.count), UInt32(layout.symbolNames.count)))
    if identifier != nil {
      commands.append(
        Self.words(
          0x1D, 16, UInt32(layout.signatureOffset), UInt32(layout.signature.count)))
    }
    return commands
  }

  private func segment(_ sections: [Section]) -> [UInt8] {
    var command = Self.words(0x19, UInt32(72 + sections.count * 80)) + Self.name("__TEXT")
    let end = UInt64((sections.last?.offset ?? 0) + (sections.last?.bytes.count ?? 0))
    for value in [Self.base, end, 0, end] { command += Self.long(value) }
    command += Self.words(5, 5, UInt32(sections.count), 0)
    for section in sections {
      command += Self.name(section.name) + Self.name("__TEXT")
      command += Self.long(Self.base + UInt64(section.offset))
      command += Self.long(UInt64(section.bytes.count))
      command += Self.words(UInt32(section.offset), 4, 0, 0, 2, 0, 0, 0)
    }
    return command
  }

  // MARK: Signature

  private func signature(codeLimit: Int) -> [UInt8] {
    guard let identifier else { return [] }
    var blobs: [(kind: Int, bytes: [UInt8])] = [
      (0, directory(identifier, codeLimit: codeLimit))
    ]
    if let entitlements, !hasEntitlementsInSection {
      blobs.append((5, Self.blob(0xFADE_7171, entitlements.xmlFile)))
      if hasDER { blobs.append((7, Self.blob(0xFADE_7172, (otherDER ?? entitlements).derFile))) }
    }
    if team != nil { blobs.append((0x10000, Self.blob(0xFADE_0B01, []))) }
    var offset = 12 + blobs.count * 8
    var index: [UInt8] = []
    for blob in blobs {
      index += PlistPart.big(blob.kind, 4) + PlistPart.big(offset, 4)
      offset += blob.bytes.count
    }
    return PlistPart.big(0xFADE_0CC0, 4) + PlistPart.big(offset, 4)
      + PlistPart.big(blobs.count, 4) + index + blobs.flatMap(\.bytes)
  }

  private func directory(_ identifier: String, codeLimit: Int) -> [UInt8] {
    let name = Array(identifier.utf8) + [0]
    var teamName: [UInt8] = []
    if let team { teamName = Array(team.utf8) + [0] }
    let head = 52
    let end = head + name.count + teamName.count
    // Version, flags, hashes, identifier, special slots, code slots, end of the code.
    let fields: [Int] = [0x20200, team == nil ? 2 : 0, end, head, 0, 0, codeLimit]
    var content: [UInt8] = []
    for field in fields { content += PlistPart.big(field, 4) }
    // SHA-256 of pages of 4 KiB; two fields that are not used; the team.
    content += [32, 2, 0, 12]
    content += PlistPart.big(0, 8)
    content += PlistPart.big(team == nil ? 0 : head + name.count, 4)
    return Self.blob(0xFADE_0C02, content + name + teamName)
  }

  private static func blob(_ magic: Int, _ content: [UInt8]) -> [UInt8] {
    PlistPart.big(magic, 4) + PlistPart.big(content.count + 8, 4) + content
  }

  // MARK: Bytes

  private static func words(_ values: UInt32...) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
  }

  private static func long(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func name(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: 16 - text.utf8.count)
  }

  /// A command that ends in a text, made a multiple of eight long, with its length filled in.
  private static func padded(_ command: [UInt8]) -> [UInt8] {
    var command = command + [UInt8](repeating: 0, count: (8 - command.count % 8) % 8)
    command.replaceSubrange(4..<8, with: words(UInt32(command.count)))
    return command
  }
}
