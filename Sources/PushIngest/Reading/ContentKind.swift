/// What the first bytes of a content say it is; names are never asked.
enum ContentKind: Equatable {
  case lines
  case compressed(Compression)
  case archive(ArchiveFormat)
  /// A SQLite database, of which the tables of one service are read.
  case tables
  /// Something known that holds no log lines.
  case foreign(what: String, advice: String)

  enum Compression: String {
    case gzip, zstd, xz, bzip2
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
  }

  enum ArchiveFormat: String {
    case tar, zip
  }

  /// How many bytes the decision needs.
  static let neededBytes = 512

  /// Decides by magic numbers and, for tar, by the header's checksum.
  static func of(_ head: [UInt8]) -> ContentKind {
    func begins(_ magic: [UInt8]) -> Bool { head.starts(with: magic) }
    if begins([0x1F, 0x8B]) { return .compressed(.gzip) }
    if begins([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) { return .compressed(.xz) }
    if begins([0x28, 0xB5, 0x2F, 0xFD]) { return .compressed(.zstd) }
    // A zstd file may begin with a skippable frame: 0x184D2A50 to 0x184D2A5F, little endian.
    if head.count >= 4, head[0] & 0xF0 == 0x50, head[1...3].elementsEqual([0x2A, 0x4D, 0x18]) {
      return .compressed(.zstd)
    }
    // "BZh", a level, then the magic of a block or of the end of the stream.
    if begins(Array("BZh".utf8)), head.count >= 10, (0x31...0x39).contains(head[3]) {
      let magic = Array(head[4..<10])
      if magic == [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]
        || magic == [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]
      {
        return .compressed(.bzip2)
      }
    }
    if begins([0x50, 0x4B, 0x03, 0x04]) || begins([0x50, 0x4B, 0x05, 0x06])
      || begins([0x50, 0x4B, 0x07, 0x08])
    {
      return .archive(.zip)
    }
    if isTarHeader(head) { return .archive(.tar) }
    // Windows editors save copies of logs so; the mark at the beginning tells.
    if begins([0xFF, 0xFE]) { return .compressed(.utf16LittleEndian) }
    if begins([0xFE, 0xFF]) { return .compressed(.utf16BigEndian) }
    if begins(Array("SQLite format 3\0".utf8)) { return .tables }
    return foreign(head) ?? .lines
  }

  private static func foreign(_ head: [UInt8]) -> ContentKind? {
    if head.starts(with: [0x37, 0x7F, 0x06, 0x82]) || head.starts(with: [0x37, 0x7F, 0x06, 0x83])
      || head.starts(with: [0x18, 0xE2, 0x2D, 0x00])
    {
      return .foreign(
        what: "a file that SQLite keeps beside a database",
        advice: "nothing, it is read with its database")
    }
    // The header chunk of a tracev3 file: tag 0x1000, sub-tag 0x11.
    if head.starts(with: [0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00]) {
      return .foreign(
        what: "a part of a binary log archive", advice: ReadingProblem.conversion)
    }
    // Pictures, programs and Apple's own log stores have a zero byte early; text has none.
    if head.prefix(neededBytes).contains(0) {
      return .foreign(
        what: "binary data", advice: "export it as text if it holds a log (log show, sqlite3)")
    }
    return nil
  }

  /// A tar header holds the sum of its own bytes (its eight digits counted as spaces) at 148.
  private static func isTarHeader(_ head: [UInt8]) -> Bool {
    guard head.count >= 512, head[0] != 0 else { return false }
    var stated = 0
    for byte in head[148..<156] {
      if (0x30...0x37).contains(byte) {
        stated = stated * 8 + Int(byte - 0x30)
      } else if byte != 0x20 && byte != 0 {
        return false
      }
    }
    var sum = 8 * 0x20
    for (index, byte) in head[0..<512].enumerated() where !(148..<156).contains(index) {
      sum += Int(byte)
    }
    return sum == stated
  }

  /// The window a decoder has to keep in memory for an xz file, from its first block's header.
  ///
  /// libarchive sets no limit of its own, so that a file of a few KiB could ask for 4 GiB. Limit:
  /// blocks after the first are not looked at; ordinary tools write the same size into all.
  static func xzWindowBytes(_ head: [UInt8]) -> Int64? {
    // Stream header 12 bytes, then the block header: its length in words, flags, optional sizes,
    // filters. Format: The .xz File Format, version 1.1.0, sections 2.1.1 and 3.1.
    guard head.count > 14, head[12] != 0 else { return nil }
    let flags = head[13]
    var rest = head[14..<min(head.count, 12 + (Int(head[12]) + 1) * 4)]
    func number() -> UInt64? {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = rest.popFirst(), shift < 63 {
        value |= UInt64(byte & 0x7F) << shift
        if byte & 0x80 == 0 { return value }
        shift += 7
      }
      return nil
    }
    if flags & 0x40 != 0, number() == nil { return nil }
    if flags & 0x80 != 0, number() == nil { return nil }
    for _ in 0...(flags & 3) {
      guard let filter = number(), let size = number(), size <= rest.count else { return nil }
      // LZMA2: one byte, twice the exponent plus one bit of mantissa; 40 is 4 GiB less one.
      if filter == 0x21, size == 1, let code = rest.first {
        return code >= 40 ? 1 << 32 : Int64(2 | code & 1) << Int64(code / 2 + 11)
      }
      rest = rest.dropFirst(Int(size))
    }
    return nil
  }
}
