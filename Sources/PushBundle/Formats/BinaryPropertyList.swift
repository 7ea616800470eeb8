/// Reads the binary form of property lists (`bplist00`).
struct BinaryPropertyList {
  private let window: ByteWindow
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let tableOffset: Int
  private var valuesLeft = PropertyList.valueLimit
  private var isOpen: Set<Int> = []

  static func read(_ bytes: [UInt8]) throws(FormatFault) -> PlistValue {
    let window = ByteWindow(bytes)
    let trailer = bytes.count - 32
    guard trailer >= 8, let offsetSize = window.int(1, at: trailer + 6, bigEndian: true),
      let referenceSize = window.int(1, at: trailer + 7, bigEndian: true)
    else { throw FormatFault(.binaryPropertyList, .cutShort, offset: bytes.count) }
    guard let count = window.int(8, at: trailer + 8, bigEndian: true),
      let top = window.int(8, at: trailer + 16, bigEndian: true),
      let table = window.int(8, at: trailer + 24, bigEndian: true),
      (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0,
      table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
    else { throw FormatFault(.binaryPropertyList, .outside, offset: trailer) }
    guard count <= PropertyList.valueLimit else {
      throw FormatFault(
        .binaryPropertyList, .tooMany(PropertyList.valueLimit), offset: trailer + 8)
    }
    var reader = BinaryPropertyList(
      window: window, offsetSize: offsetSize, referenceSize: referenceSize, objectCount: count,
      tableOffset: table)
    return try reader.value(top, depth: 0, from: trailer + 16)
  }

  private init(
    window: ByteWindow, offsetSize: Int, referenceSize: Int, objectCount: Int, tableOffset: Int
  ) {
    self.window = window
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
    self.objectCount = objectCount
    self.tableOffset = tableOffset
  }

  private func fault(_ damage: FormatFault.Damage, _ offset: Int) -> FormatFault {
    FormatFault(.binaryPropertyList, damage, offset: offset)
  }

  /// The object of a number; `origin` is where the number stands.
  private mutating func value(
    _ number: Int, depth: Int, from origin: Int
  ) throws(FormatFault) -> PlistValue {
    guard number >= 0, number < objectCount,
      let offset = window.int(offsetSize, at: tableOffset + number * offsetSize, bigEndian: true),
      offset >= 8, offset < tableOffset
    else { throw fault(.outside, origin) }
    guard depth <= PropertyList.depthLimit else {
      throw fault(.tooDeep(PropertyList.depthLimit), offset)
    }
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw fault(.tooMany(PropertyList.valueLimit), offset) }
    let marker = window.bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x08: return .boolean(false)
      case 0x09: return .boolean(true)
      case 0x00: return .null
      default: throw fault(.unknownKind(UInt64(marker)), offset)
      }
    case 0x1: return try integer(low, offset)
    case 0x2: return try real(low, offset)
    case 0x3:
      guard let bits = window.unsigned(8, at: offset + 1, bigEndian: true) else {
        throw fault(.cutShort, offset)
      }
      // Seconds since 2001.
      let seconds = Double(bitPattern: bits)
      guard abs(seconds) < 1e12 else { throw fault(.outside, offset) }
      return .date(Int64(seconds.rounded()) + 978_307_200)
    case 0x4, 0x5, 0x6, 0x7: return try bytes(marker >> 4, low, offset)
    case 0x8: return .integer(Int64(window.int(low + 1, at: offset + 1, bigEndian: true) ?? 0))
    case 0xA, 0xB, 0xC, 0xD:
      guard isOpen.insert(number).inserted else { throw fault(.recursion, offset) }
      defer { isOpen.remove(number) }
      return try container(marker >> 4 == 0xD, low, offset, depth)
    default: throw fault(.unknownKind(UInt64(marker)), offset)
    }
  }

  private func integer(_ low: Int, _ offset: Int) throws(FormatFault) -> PlistValue {
    guard low <= 4 else { throw fault(.unknownKind(UInt64(0x10 | low)), offset) }
    let size = 1 << low
    guard window.holds(size, at: offset + 1) else { throw fault(.cutShort, offset) }
    // Numbers of 16 bytes hold unsigned ones of 8; their lower half says it all.
    let start = size == 16 ? offset + 9 : offset + 1
    guard let bits = window.unsigned(min(size, 8), at: start, bigEndian: true) else {
      throw fault(.cutShort, offset)
    }
    return size == 16 && bits > Int64.max
      ? .real(Double(bits)) : .integer(Int64(bitPattern: bits))
  }

  private func real(_ low: Int, _ offset: Int) throws(FormatFault) -> PlistValue {
    guard low == 2 || low == 3 else { throw fault(.unknownKind(UInt64(0x20 | low)), offset) }
    guard let bits = window.unsigned(1 << low, at: offset + 1, bigEndian: true) else {
      throw fault(.cutShort, offset)
    }
    return .real(
      low == 2 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits))
  }

  /// The number of elements and where they start.
  private func length(_ low: Int, _ offset: Int) throws(FormatFault) -> (count: Int, start: Int) {
    guard low == 0x0F else { return (low, offset + 1) }
    guard window.holds(1, at: offset + 1), window.bytes[offset + 1] >> 4 == 1 else {
      throw fault(.expected("a length"), offset + 1)
    }
    let size = 1 << Int(window.bytes[offset + 1] & 0x0F)
    guard size <= 8, let count = window.int(size, at: offset + 2, bigEndian: true) else {
      throw fault(.outside, offset + 1)
    }
    return (count, offset + 2 + size)
  }

  private func bytes(
    _ kind: UInt8, _ low: Int, _ offset: Int
  ) throws(FormatFault) -> PlistValue {
    let (count, start) = try length(low, offset)
    let (size, overflow) = count.multipliedReportingOverflow(by: kind == 0x6 ? 2 : 1)
    guard !overflow, let slice = window.slice(at: start, size) else {
      throw fault(.outside, offset)
    }
    switch kind {
    case 0x4: return .data(Array(slice))
    case 0x6:
      let units = stride(from: slice.startIndex, to: slice.endIndex, by: 2).map {
        UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw fault(.badText, offset)
      }
      return .text(text)
    default:
      guard let text = String(validating: slice, as: UTF8.self) else {
        throw fault(.badText, offset)
      }
      return .text(text)
    }
  }

  private mutating func container(
    _ isDictionary: Bool, _ low: Int, _ offset: Int, _ depth: Int
  ) throws(FormatFault) -> PlistValue {
    let (count, start) = try length(low, offset)
    guard count <= valuesLeft else { throw fault(.tooMany(PropertyList.valueLimit), offset) }
    guard window.holds(count * referenceSize * (isDictionary ? 2 : 1), at: start) else {
      throw fault(.outside, offset)
    }
    func reference(_ place: Int) throws(FormatFault) -> (number: Int, offset: Int) {
      let at = start + place * referenceSize
      guard let number = window.int(referenceSize, at: at, bigEndian: true) else {
        throw fault(.outside, at)
      }
      return (number, at)
    }
    if !isDictionary {
      var values: [PlistValue] = []
      for place in 0..<count {
        let item = try reference(place)
        values.append(try value(item.number, depth: depth + 1, from: item.offset))
      }
      return .array(values)
    }
    var dictionary = PlistDictionary()
    for place in 0..<count {
      let key = try reference(place)
      guard case .text(let name) = try value(key.number, depth: depth + 1, from: key.offset) else {
        throw fault(.expected("a text as key"), key.offset)
      }
      let item = try reference(count + place)
      dictionary[name] = try value(item.number, depth: depth + 1, from: item.offset)
    }
    return .dictionary(dictionary)
  }
}
