/// What a program file says about itself.
public struct MachO: Sendable {
  /// One slice for each kind of processor.
  public var slices: [Slice]

  /// A program for one kind of processor.
  public struct Slice: Sendable {
    /// Where it starts in the file.
    public var offset: Int
    /// `arm64`, `arm64e`, `armv7`, `x86_64`, … or the number.
    public var architecture: String
    /// UUID as it is written in crash reports.
    public var uuid: String?
    /// Lowest OS version of its load command.
    public var minimumOS: String?
    /// What it was built for, in Apple's numbers: 2 iOS, 7 its simulator, 4 watchOS, …
    public var platform: UInt32?
    /// Libraries that it links.
    public var libraries: [Library] = []
    /// Its run paths, in order.
    public var runPaths: [String] = []
    /// Its code signature.
    public var signature: CodeSignature?
    /// Entitlements in a section of their own, as builds for the simulator have them.
    public var simulatorEntitlements: PlistDictionary?
    /// Whether Apple's store has encrypted it, so that names in it cannot be read.
    public var isEncrypted = false
    /// Names in it; nil where they were not asked for or cannot be read.
    public var names: CodeNames?
  }

  /// A library that a program links.
  public struct Library: Hashable, Sendable {
    /// Its install name, such as `@rpath/Kit.framework/Kit`.
    public var name: String
    /// Whether the program starts without it too.
    public var isWeak: Bool
  }

  /// The slice that says most: that of arm64, else the first.
  public var main: Slice? { slices.first { $0.architecture.hasPrefix("arm64") } ?? slices.first }

  /// Reads a whole file that is in memory.
  public static func read(_ bytes: [UInt8], namesToo: Bool = true) throws(BundleProblem) -> MachO {
    try read(MemorySource(bytes), place: "program", namesToo: namesToo)
  }

  /// Whether the first bytes are those of a program.
  static func recognises(_ head: [UInt8]) -> Bool {
    guard head.count >= 4 else { return false }
    let magic = ByteWindow(head).unsigned(4, at: 0, bigEndian: true) ?? 0
    return [0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE, 0xCAFE_BABE, 0xCAFE_BABF]
      .contains(magic)
  }

  /// Reads what matters, in ascending order of offsets.
  ///
  /// - Parameter namesToo: also classes, selectors and texts; without it only load commands and the
  ///   signature, which is what is wanted of a large app.
  static func read(
    _ source: any ByteSource, place: String, namesToo: Bool
  ) throws(BundleProblem) -> MachO {
    do throws(FormatProblem) {
      var reader = MachOReader(source, namesToo: namesToo)
      return try reader.read()
    } catch {
      switch error {
      case .format(let fault): throw BundleProblem(.damaged(fault), at: place)
      case .bundle(let problem): throw problem
      }
    }
  }
}

/// Names of code in a program.
public struct CodeNames: Sendable {
  /// Classes as the Objective-C runtime finds them; Swift ones as `Module.Class`.
  public var classes: Set<String> = []
  /// Swift types by their own name, without the module.
  public var swiftTypes: Set<String> = []
  /// Classes of other libraries that it uses or inherits from.
  public var importedClasses: Set<String> = []
  /// Selectors that it calls or implements.
  public var selectors: Set<String> = []
  /// Texts in it that could be names.
  public var words: Set<String> = []
  /// Schemes of addresses such as `courier://` in its texts, lower case.
  public var addressSchemes: Set<String> = []
}

enum FormatProblem: Error {
  case format(FormatFault)
  case bundle(BundleProblem)
}

struct MachOReader {
  /// Limits, in bytes and numbers.
  static let commandBytesLimit = 1 << 20
  static let sectionLimit = 16 << 20
  static let signatureLimit = 32 << 20
  static let sliceLimit = 16

  private let source: any ByteSource
  private let namesToo: Bool

  init(_ source: any ByteSource, namesToo: Bool) {
    self.source = source
    self.namesToo = namesToo
  }

  private func fault(_ damage: FormatFault.Damage, _ offset: Int) -> FormatProblem {
    .format(FormatFault(.machO, damage, offset: offset))
  }

  private func bytes(at offset: Int, _ count: Int) throws(FormatProblem) -> [UInt8] {
    if let size = source.sizeBytes, offset > size || count > size - offset {
      throw fault(.outside, offset)
    }
    let bytes: [UInt8]
    do throws(BundleProblem) {
      bytes = try source.read(at: offset, count: count)
    } catch {
      throw .bundle(error)
    }
    guard bytes.count == count else { throw fault(.cutShort, offset + bytes.count) }
    return bytes
  }

  mutating func read() throws(FormatProblem) -> MachO {
    let head = ByteWindow(try bytes(at: 0, 8))
    let magic = head.unsigned(4, at: 0, bigEndian: true) ?? 0
    guard magic == 0xCAFE_BABE || magic == 0xCAFE_BABF else {
      return MachO(slices: [try slice(at: 0, size: source.sizeBytes)])
    }
    let count = head.int(4, at: 4, bigEndian: true) ?? 0
    // A Java class file has the same first bytes, with its version where the count is.
    guard (1...Self.sliceLimit).contains(count) else {
      throw fault(.tooMany(Self.sliceLimit), 4)
    }
    let isLong = magic == 0xCAFE_BABF
    let entrySize = isLong ? 32 : 20
    let table = ByteWindow(try bytes(at: 8, count * entrySize))
    var ranges: [(offset: Int, size: Int)] = []
    for number in 0..<count {
      let at = number * entrySize + 8
      guard let offset = table.int(isLong ? 8 : 4, at: at, bigEndian: true),
        let size = table.int(isLong ? 8 : 4, at: at + (isLong ? 8 : 4), bigEndian: true),
        size > 0, offset >= 8 + count * entrySize, offset <= Int.max - size
      else { throw fault(.outside, 8 + at) }
      if let all = source.sizeBytes, offset + size > all { throw fault(.outside, 8 + at) }
      ranges.append((offset, size))
    }
    ranges.sort { $0.offset < $1.offset }
    var slices: [MachO.Slice] = []
    for (number, range) in ranges.enumerated() {
      if number > 0, ranges[number - 1].offset + ranges[number - 1].size > range.offset {
        throw fault(.overlap, range.offset)
      }
      slices.append(try slice(at: range.offset, size: range.size))
    }
    return MachO(slices: slices)
  }

  /// Parts of a slice that are read behind its load commands.
  private enum Part {
    case signature, classNames, methodNames, texts, swiftTypes, constants, entitlements
    case symbols, symbolNames
  }

  private struct Wanted {
    var part: Part
    /// In the slice.
    var offset: Int
    var size: Int
    /// Address in memory, for pointers.
    var address: UInt64 = 0
  }

  private struct Layout {
    var wanted: [Wanted] = []
    var encrypted: Range<Int>?
    var is64 = true
    var isBig = false
  }

  private mutating func slice(at base: Int, size: Int?) throws(FormatProblem) -> MachO.Slice {
    let head = ByteWindow(try bytes(at: base, 28))
    let magic = head.unsigned(4, at: 0, bigEndian: true) ?? 0
    var layout = Layout()
    switch magic {
    case 0xCFFA_EDFE: break
    case 0xCEFA_EDFE: layout.is64 = false
    case 0xFEED_FACF: layout.isBig = true
    case 0xFEED_FACE: (layout.is64, layout.isBig) = (false, true)
    default: throw fault(.expected("a Mach-O header"), base)
    }
    let isBig = layout.isBig
    let headSize = layout.is64 ? 32 : 28
    guard let count = head.int(4, at: 16, bigEndian: isBig),
      let commandBytes = head.int(4, at: 20, bigEndian: isBig)
    else { throw fault(.cutShort, base) }
    guard commandBytes <= Self.commandBytesLimit, count <= commandBytes / 8 else {
      throw fault(.tooLarge(Self.commandBytesLimit), base + 20)
    }
    if let size, headSize + commandBytes > size { throw fault(.outside, base + 20) }
    let commands = ByteWindow(try bytes(at: base + headSize, commandBytes))
    var slice = MachO.Slice(
      offset: base,
      architecture: Self.architecture(
        UInt32(head.unsigned(4, at: 4, bigEndian: isBig) ?? 0),
        UInt32(head.unsigned(4, at: 8, bigEndian: isBig) ?? 0)))
    var place = 0
    for _ in 0..<count {
      guard let kind = commands.unsigned(4, at: place, bigEndian: isBig),
        let length = commands.int(4, at: place + 4, bigEndian: isBig), length >= 8,
        commands.holds(length, at: place)
      else { throw fault(.outside, base + headSize + place) }
      let command = ByteWindow(Array(commands.bytes[place..<place + length]))
      try read(
        UInt32(kind), command, at: base + headSize + place, into: &slice, &layout)
      place += length
    }
    try readParts(layout, base: base, size: size, into: &slice)
    return slice
  }

  // MARK: Load commands

  private func read(
    _ kind: UInt32, _ command: ByteWindow, at offset: Int, into slice: inout MachO.Slice,
    _ layout: inout Layout
  ) throws(FormatProblem) {
    let isBig = layout.isBig
    func word(_ place: Int) throws(FormatProblem) -> Int {
      guard let value = command.int(4, at: place, bigEndian: isBig) else {
        throw fault(.cutShort, offset)
      }
      return value
    }
    func name(_ place: Int) throws(FormatProblem) -> String {
      let at = try word(place)
      // Not every name ends with a zero byte; the command's end ends it too.
      guard at >= 12, at < command.count else { throw fault(.outside, offset + place) }
      return String(decoding: command.bytes[at...].prefix { $0 != 0 }, as: UTF8.self)
    }
    switch kind {
    case 0x1B:
      guard let uuid = command.slice(at: 8, 16) else { throw fault(.cutShort, offset) }
      slice.uuid = Self.uuid(uuid)
    case 0x0C, 0x8000_0018, 0x8000_001F, 0x20, 0x8000_0023:
      slice.libraries.append(
        MachO.Library(name: try name(8), isWeak: kind == 0x8000_0018))
    case 0x8000_001C: slice.runPaths.append(try name(8))
    case 0x24, 0x25, 0x2F, 0x30:
      slice.minimumOS = Self.version(try word(8))
      slice.platform = kind == 0x24 ? 1 : kind == 0x25 ? 2 : kind == 0x2F ? 3 : 4
    case 0x32:
      slice.platform = UInt32(try word(8))
      slice.minimumOS = Self.version(try word(12))
    case 0x21, 0x2C:
      if try word(16) != 0 {
        let start = try word(8)
        layout.encrypted = start..<start + (try word(12))
        slice.isEncrypted = true
      }
    case 0x1D:
      layout.wanted.append(
        Wanted(part: .signature, offset: try word(8), size: try word(12)))
    case 0x02 where namesToo:
      let entry = layout.is64 ? 16 : 12
      layout.wanted.append(
        Wanted(part: .symbols, offset: try word(8), size: try word(12) * entry))
      layout.wanted.append(
        Wanted(part: .symbolNames, offset: try word(16), size: try word(20)))
    case 0x19 where layout.is64, 0x01 where !layout.is64:
      try readSegment(command, at: offset, &layout)
    default: break
    }
  }

  private func readSegment(
    _ command: ByteWindow, at offset: Int, _ layout: inout Layout
  ) throws(FormatProblem) {
    let (is64, isBig) = (layout.is64, layout.isBig)
    let (head, entry) = is64 ? (72, 80) : (56, 68)
    guard let count = command.int(4, at: is64 ? 64 : 48, bigEndian: isBig),
      count <= command.count / entry, command.holds(count * entry, at: head)
    else { throw fault(.outside, offset) }
    for number in 0..<count {
      let at = head + number * entry
      func text(_ place: Int) -> String {
        String(decoding: command.bytes[place..<place + 16].prefix { $0 != 0 }, as: UTF8.self)
      }
      guard
        let part = part(section: text(at), segment: text(at + 16)),
        let address = command.unsigned(is64 ? 8 : 4, at: at + 32, bigEndian: isBig),
        let size = command.int(is64 ? 8 : 4, at: at + (is64 ? 40 : 36), bigEndian: isBig),
        let start = command.int(4, at: at + (is64 ? 48 : 40), bigEndian: isBig)
      else { continue }
      layout.wanted.append(Wanted(part: part, offset: start, size: size, address: address))
    }
  }

  private func part(section: String, segment: String) -> Part? {
    guard segment == "__TEXT" else { return nil }
    if section == "__entitlements" { return .entitlements }
    guard namesToo else { return nil }
    return switch section {
    case "__objc_classname": .classNames
    case "__objc_methname": .methodNames
    case "__cstring": .texts
    case "__swift5_types": .swiftTypes
    case "__const", "__constg_swiftt": .constants
    default: nil
    }
  }

  // MARK: Parts

  private func readParts(
    _ layout: Layout, base: Int, size: Int?, into slice: inout MachO.Slice
  ) throws(FormatProblem) {
    var names = CodeNamesReader(is64: layout.is64, isBig: layout.isBig)
    var isReadable = namesToo
    for wanted in layout.wanted.sorted(by: { $0.offset < $1.offset }) where wanted.size > 0 {
      if let size, wanted.offset > size || wanted.size > size - wanted.offset {
        throw fault(.outside, base + wanted.offset)
      }
      let isCode = wanted.part != .signature && wanted.part != .entitlements
      if isCode, wanted.size > Self.sectionLimit {
        // Too much to hold; then names are not known.
        if wanted.part == .classNames || wanted.part == .methodNames { isReadable = false }
        continue
      }
      if isCode, let encrypted = layout.encrypted,
        encrypted.overlaps(wanted.offset..<wanted.offset + wanted.size)
      {
        isReadable = false
        continue
      }
      guard wanted.size <= Self.signatureLimit else {
        throw fault(.tooLarge(Self.signatureLimit), base + wanted.offset)
      }
      let bytes = try self.bytes(at: base + wanted.offset, wanted.size)
      switch wanted.part {
      case .signature:
        do throws(FormatFault) {
          slice.signature = try CodeSignature.read(bytes, offset: base + wanted.offset)
        } catch {
          throw .format(error)
        }
      case .entitlements: slice.simulatorEntitlements = try? PropertyList.dictionary(bytes)
      case .classNames: names.addClassNames(bytes)
      case .methodNames: names.addSelectors(bytes)
      case .texts: names.addTexts(bytes)
      case .swiftTypes: names.swiftTypes = (bytes, wanted.address)
      case .constants: names.constants.append((bytes, wanted.address))
      case .symbols: names.symbols = bytes
      case .symbolNames: names.symbolNames = bytes
      }
    }
    if isReadable { slice.names = names.finish() }
  }

  // MARK: Words

  private static func architecture(_ type: UInt32, _ subtype: UInt32) -> String {
    switch (type, subtype & 0x00FF_FFFF) {
    case (0x0100_000C, 2): "arm64e"
    case (0x0100_000C, _): "arm64"
    case (0x0200_000C, _): "arm64_32"
    case (0x0100_0007, _): "x86_64"
    case (7, _): "i386"
    case (12, 9): "armv7"
    case (12, 11): "armv7s"
    case (12, 12): "armv7k"
    default: "\(type)"
    }
  }

  /// A version packed as 16, 8 and 8 bits; the patch only where it is not 0.
  private static func version(_ packed: Int) -> String {
    let patch = packed & 0xFF
    return "\(packed >> 16).\(packed >> 8 & 0xFF)" + (patch == 0 ? "" : ".\(patch)")
  }

  private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for (number, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(number) { text += "-" }
      let hex = String(byte, radix: 16, uppercase: true)
      text += hex.count == 1 ? "0" + hex : hex
    }
    return text
  }
}
