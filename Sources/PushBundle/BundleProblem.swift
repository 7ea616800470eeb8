/// Why bytes of a known format cannot be read.
public struct FormatFault: Error, Equatable, Sendable {
  /// Formats that are found inside a bundle.
  public enum Format: String, Sendable {
    case binaryPropertyList = "binary property list"
    case xmlPropertyList = "XML property list"
    case textPropertyList = "text property list"
    case json = "JSON"
    case machO = "Mach-O"
    case codeSignature = "code signature"
    case entitlements = "DER entitlements"
    case signedMessage = "signed message (CMS)"
  }

  /// What is wrong with them.
  public enum Damage: Error, Equatable, Sendable {
    /// It ends before what it announces.
    case cutShort
    /// Something else stands where this was expected.
    case expected(String)
    /// A number points outside the bytes.
    case outside
    /// Two parts that must be apart share bytes.
    case overlap
    /// It contains itself.
    case recursion
    /// It is nested deeper than this.
    case tooDeep(Int)
    /// It holds more than this many values or entries.
    case tooMany(Int)
    /// It is larger than this many bytes.
    case tooLarge(Int)
    /// A value of a kind that the format does not have.
    case unknownKind(UInt64)
    /// The encoding of a text is wrong.
    case badText
    /// It declares entities or another document type, which no property list needs.
    case declaration
  }

  /// Format of the bytes.
  public var format: Format
  /// What is wrong.
  public var damage: Damage
  /// Where, in bytes from the start of the file, if that is known.
  public var offset: Int?
  /// Where, as a line from 1, for formats that have lines.
  public var line: Int?

  init(_ format: Format, _ damage: Damage, offset: Int? = nil, line: Int? = nil) {
    self.format = format
    self.damage = damage
    self.offset = offset
    self.line = line
  }
}

/// Why a bundle, or a part of it, cannot be read.
public struct BundleProblem: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Kind: Equatable, Sendable {
    /// The system refuses; its error number.
    case system(Int32)
    /// Neither an app nor an extension, nor a file of facts about one.
    case notABundle
    /// The archive is damaged or cut; libarchive's own words.
    case archive(String)
    /// A name leads out of the archive.
    case escapingName
    /// A link, which no app needs here.
    case link
    /// Its content is encrypted.
    case encrypted
    /// More than this many entries.
    case tooManyEntries(Int)
    /// Larger than this many bytes.
    case tooLarge(Int)
    /// More than this many bytes come out of each byte of the archive.
    case bomb(Int)
    /// Folders are nested deeper than this.
    case tooDeep(Int)
    /// A file that has to be there is not.
    case missingFile
    /// A value that has to be there is not, or is of another type than expected.
    case missingKey(String, expected: String)
    /// The bytes are not what they should be.
    case damaged(FormatFault)
  }

  /// The file, as named by the user, or its path inside the bundle.
  public var place: String
  /// What is wrong.
  public var kind: Kind

  /// A problem at a place.
  public init(_ kind: Kind, at place: String) {
    self.place = place
    self.kind = kind
  }
}

extension FormatFault: CustomStringConvertible {
  /// One clause: what is wrong with the bytes, and where in them.
  public var description: String {
    let what =
      switch damage {
      case .cutShort: "it ends before what it announces"
      case .expected(let thing): "\(thing) was expected"
      case .outside: "a number in it points outside the file"
      case .overlap: "two of its parts overlap"
      case .recursion: "it contains itself"
      case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
      case .tooMany(let limit): "it holds more than \(limit) values"
      case .tooLarge(let limit): "it is larger than \(limit) bytes"
      case .unknownKind(let kind): "it has a value of the unknown kind 0x\(String(kind, radix: 16))"
      case .badText: "a text in it is not in a known encoding"
      case .declaration: "it declares entities, which no property list needs"
      }
    let where_ = line.map { " (line \($0))" } ?? offset.map { " (byte \($0))" } ?? ""
    return "damaged \(format.rawValue): \(what)\(where_)"
  }
}

extension BundleProblem: CustomStringConvertible {
  /// One clause without the place: what is wrong.
  public var description: String {
    switch kind {
    case .system(let code): "the system says: error \(code)"
    case .notABundle: "it is neither an app nor an extension, nor a file of facts about one"
    case .archive(let detail): "the archive cannot be read: \(detail)"
    case .escapingName: "the name leads out of the archive"
    case .link: "it is a link; links are not followed"
    case .encrypted: "it is encrypted"
    case .tooManyEntries(let limit): "it has more than \(limit) entries"
    case .tooLarge(let limit): "it is larger than \(limit) bytes"
    case .bomb(let ratio): "it unpacks to more than \(ratio) times its size"
    case .tooDeep(let limit): "its folders are nested deeper than \(limit) levels"
    case .missingFile: "the file is not there"
    case .missingKey(let key, let expected): "the key \(key) is missing or is not \(expected)"
    case .damaged(let fault): fault.description
    }
  }
}
