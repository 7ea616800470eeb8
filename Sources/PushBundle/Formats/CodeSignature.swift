/// What the signature of a program says.
public struct CodeSignature: Sendable {
  /// Identifier of the code directory; of an app its bundle id.
  public var identifier: String?
  /// Team that signed it; nil for an ad-hoc signature.
  public var team: String?
  /// Whether it is signed without a certificate.
  public var isAdHoc = false
  /// Entitlements as XML; nil if the signature has none.
  public var entitlements: PlistDictionary?
  /// Entitlements as DER, which iOS 15 and later go by; nil if the signature has none.
  public var derEntitlements: PlistDictionary?

  /// The entitlements in force.
  public var inForce: PlistDictionary? { derEntitlements ?? entitlements }

  /// Whether both forms are there and say different things.
  public var formsDiffer: Bool {
    guard let entitlements, let derEntitlements else { return false }
    return entitlements != derEntitlements
  }

  /// Reads the blob that the load command points to; `offset` is its place in the file.
  static func read(_ bytes: [UInt8], offset: Int) throws(FormatFault) -> CodeSignature {
    let window = ByteWindow(bytes)
    func fault(_ damage: FormatFault.Damage, _ place: Int) -> FormatFault {
      FormatFault(.codeSignature, damage, offset: offset + place)
    }
    guard window.unsigned(4, at: 0, bigEndian: true) == 0xFADE_0CC0,
      let count = window.int(4, at: 8, bigEndian: true)
    else { throw fault(.expected("a signature"), 0) }
    guard count <= 64 else { throw fault(.tooMany(64), 8) }
    var signature = CodeSignature()
    var parts: [(kind: UInt64, range: Range<Int>)] = []
    for number in 0..<count {
      let entry = 12 + number * 8
      guard let kind = window.unsigned(4, at: entry, bigEndian: true),
        let start = window.int(4, at: entry + 4, bigEndian: true),
        let length = window.int(4, at: start + 4, bigEndian: true), length >= 8,
        window.holds(length, at: start)
      else { throw fault(.outside, entry) }
      parts.append((kind, start..<start + length))
    }
    for (kind, range) in parts {
      let magic = window.unsigned(4, at: range.lowerBound, bigEndian: true)
      let blob = Array(bytes[range.lowerBound + 8..<range.upperBound])
      switch (kind, magic) {
      case (0, 0xFADE_0C02):
        try signature.readDirectory(
          ByteWindow(Array(bytes[range])), offset: offset + range.lowerBound)
      case (5, 0xFADE_7171):
        signature.entitlements = try moved(offset + range.lowerBound + 8) {
          () throws(FormatFault) in
          try PropertyList.dictionary(blob)
        }
      case (7, 0xFADE_7172):
        signature.derEntitlements = try moved(offset + range.lowerBound + 8) {
          () throws(FormatFault) in try DEREntitlements.read(blob)
        }
      default: break
      }
    }
    return signature
  }

  /// Faults of a blob with their place in the file.
  private static func moved(
    _ start: Int, _ read: () throws(FormatFault) -> PlistDictionary
  ) throws(FormatFault) -> PlistDictionary {
    do throws(FormatFault) {
      return try read()
    } catch {
      var fault = error
      fault.offset = start + (error.offset ?? 0)
      throw fault
    }
  }

  private mutating func readDirectory(
    _ window: ByteWindow, offset: Int
  ) throws(FormatFault) {
    guard let version = window.unsigned(4, at: 8, bigEndian: true),
      let flags = window.unsigned(4, at: 12, bigEndian: true),
      let name = window.int(4, at: 20, bigEndian: true)
    else { throw FormatFault(.codeSignature, .cutShort, offset: offset) }
    guard let identifier = window.text(at: name) else {
      throw FormatFault(.codeSignature, .outside, offset: offset + 20)
    }
    self.identifier = identifier
    isAdHoc = flags & 2 != 0
    if version >= 0x20200, let place = window.int(4, at: 48, bigEndian: true), place > 0 {
      guard let team = window.text(at: place) else {
        throw FormatFault(.codeSignature, .outside, offset: offset + 48)
      }
      self.team = team
    }
  }
}
