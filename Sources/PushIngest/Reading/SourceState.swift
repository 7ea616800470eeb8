/// How far a source was read, and enough about its content to recognise it again.
///
/// What is remembered is a fingerprint of the content that was consumed, uncompressed, up to the
/// end of its last complete line: a hash of its first bytes (the key to look it up by), a chain
/// of hashes over 4 KiB cells (every cell of the first MiB, afterwards the first cell of every
/// MiB), and a hash of its last 4 KiB. It does not depend on names, on compression or on how the
/// content was cut into chunks. Checking it costs a plain file one MiB, 4 KiB for every further
/// MiB and the last 4 KiB; a compressed one is decoded anyway.
///
/// Limits. Content up to one MiB is covered whole. Beyond, an edit goes unnoticed if it keeps
/// the length and touches neither a hashed cell nor the last 4 KiB; inserting or removing bytes
/// is noticed by the last 4 KiB. The hashes have 64 bits and are not made against someone who
/// constructs collisions. Content shorter than 64 bytes is never recognised, but read again.
public struct SourceState: Sendable, Hashable {
  /// Uncompressed bytes consumed, up to the end of the last complete line.
  public var contentLengthBytes: Int64
  /// How many first bytes `headHash` covers: 64, 512 or 4096; 0 if there are fewer than 64. Where
  /// fewer were consumed, those of the unterminated piece count too.
  public var headLengthBytes: Int
  /// Hash of the first `headLengthBytes`.
  public var headHash: UInt64
  /// Chained hash of the sampled cells that lie before `contentLengthBytes`.
  public var cellChain: UInt64
  /// Hash of the last (up to) 4096 bytes before `contentLengthBytes`.
  public var tailHash: UInt64
  /// Length of a last piece that more may follow, handed out or held back; 0 if there was none.
  ///
  /// A longer version of the source may complete it, so reading goes on at its beginning.
  public var unterminatedLengthBytes: Int64
  /// Hash of the last (up to) 4096 bytes including the unterminated piece.
  public var endHash: UInt64

  /// Length of everything that was looked at, the unterminated piece included.
  public var totalLengthBytes: Int64 { contentLengthBytes + unterminatedLengthBytes }

  /// The state of a content of which nothing was consumed.
  public static let nothing = Fingerprint().state()

  /// How many bytes a state takes.
  public static let encodedBytes = 57

  /// The state as bytes, in a fixed order, little endian.
  public func encode() -> [UInt8] {
    var bytes: [UInt8] = [SourceState.encodingVersion]
    for value in [
      UInt64(bitPattern: contentLengthBytes), UInt64(headLengthBytes), headHash, cellChain,
      tailHash, UInt64(bitPattern: unterminatedLengthBytes), endHash,
    ] {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      }
    }
    return bytes
  }

  /// Reads what `encode` wrote; nil if it is of another version or damaged.
  public init?(decoding bytes: [UInt8]) {
    guard bytes.count == SourceState.encodedBytes, bytes[0] == SourceState.encodingVersion else {
      return nil
    }
    func value(_ index: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[1 + index * 8 + $1]) << UInt64(8 * $1) }
    }
    let head = value(1)
    let content = Int64(bitPattern: value(0))
    let unterminated = Int64(bitPattern: value(5))
    guard head == 0 || SourceState.headLengths.contains(Int(clamping: head)), content >= 0,
      unterminated >= 0, !content.addingReportingOverflow(unterminated).overflow
    else { return nil }
    self.init(
      contentLengthBytes: content, headLengthBytes: Int(head), headHash: value(2),
      cellChain: value(3), tailHash: value(4), unterminatedLengthBytes: unterminated,
      endHash: value(6))
  }

  init(
    contentLengthBytes: Int64, headLengthBytes: Int, headHash: UInt64, cellChain: UInt64,
    tailHash: UInt64, unterminatedLengthBytes: Int64, endHash: UInt64
  ) {
    self.contentLengthBytes = contentLengthBytes
    self.headLengthBytes = headLengthBytes
    self.headHash = headHash
    self.cellChain = cellChain
    self.tailHash = tailHash
    self.unterminatedLengthBytes = unterminatedLengthBytes
    self.endHash = endHash
  }

  /// Changes whenever the meaning of a field does, so that old states are not misread.
  private static let encodingVersion: UInt8 = 1
  /// Lengths of the look-up key, longest first.
  static let headLengths = [4096, 512, 64]
  /// The shortest of them.
  private static let shortestHead = 64

  /// True if both describe the same consumed content, whatever follows it.
  func hasSamePrefix(as other: SourceState) -> Bool {
    // Of so few bytes the tail is all; a head there is that of the piece behind them.
    let isHeadSame =
      contentLengthBytes < Int64(SourceState.shortestHead)
      || (headLengthBytes == other.headLengthBytes && headHash == other.headHash)
    return contentLengthBytes == other.contentLengthBytes && isHeadSame
      && cellChain == other.cellChain && tailHash == other.tailHash
  }

  /// Takes a last piece in that `fingerprint` has passed and that may go on.
  mutating func addOpenEnd(_ length: Int64, in fingerprint: Fingerprint?) {
    guard let fingerprint else { return }
    unterminatedLengthBytes = length
    endHash = fingerprint.tailHash
    guard contentLengthBytes < Int64(SourceState.shortestHead) else { return }
    headLengthBytes = fingerprint.headLength
    headHash = fingerprint.headHash
  }
}

/// What was read before: states with the caller's own numbers for them.
public struct KnownSources: Sendable {
  /// When a source is read once more from its start.
  public enum Again: Sendable, Hashable {
    /// Never: it is skipped, or continued where it ended.
    case never
    /// If it is longer than it was, or ends otherwise.
    case ifLonger
    /// Always.
    case always
  }

  /// A state and the number its owner knows it by.
  public struct Entry: Sendable, Hashable {
    /// The owner's number, such as the row id of the source.
    public var id: Int64
    /// How far it was read.
    public var state: SourceState
    /// When it is read once more from its start.
    public var again: Again

    /// A state and its number.
    public init(id: Int64, state: SourceState, again: Again = .never) {
      self.id = id
      self.state = state
      self.again = again
    }
  }

  private struct HeadKey: Hashable {
    var length: Int
    var hash: UInt64
  }

  private var entriesByHead: [HeadKey: [Entry]] = [:]

  /// An index over `entries`; their order does not matter.
  public init(_ entries: [Entry] = []) {
    for entry in entries where entry.state.headLengthBytes > 0 {
      let key = HeadKey(length: entry.state.headLengthBytes, hash: entry.state.headHash)
      entriesByHead[key, default: []].append(entry)
    }
    for key in Array(entriesByHead.keys) {
      entriesByHead[key]?.sort {
        ($1.state.totalLengthBytes, $1.id) < ($0.state.totalLengthBytes, $0.id)
      }
    }
  }

  /// True if there is nothing to recognise anything by.
  public var isEmpty: Bool { entriesByHead.isEmpty }

  /// Entries that a content with this head may be a version of, longest first.
  func candidates(head: UnsafeRawBufferPointer) -> [Entry] {
    if entriesByHead.isEmpty { return [] }
    var found: [Entry] = []
    for length in SourceState.headLengths where head.count >= length {
      let hash = contentHash(UnsafeRawBufferPointer(rebasing: head[..<length]))
      found += entriesByHead[HeadKey(length: length, hash: hash)] ?? []
    }
    // Each candidate costs a check; a heap of logs with equal heads must not make it quadratic.
    // Those cut off here are read again, which adds nothing twice.
    return Array(found.prefix(64))
  }
}
