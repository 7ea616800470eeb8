import PushModel
import Synchronization

/// Numbers of attribute sets, shared by all writers of timelines.
///
/// Events say the same few things over and over: a set is their attributes with holes where values
/// differ from event to event. It is stored once and named by 31 bits of its hash, short enough for
/// timelines. A set whose bits belong to another one already, or that comes when there are very many,
/// gets no number, and its events hold their attributes themselves.
public final class AttributeSets: Sendable {
  /// More are no sets but values that somebody logs as text.
  private static let limit = 1 << 16
  /// Texts up to this length are words rather than messages.
  private static let longestWord = 40
  /// A text with this many digits is an id or a time.
  private static let digitsOfID = 6

  private let known: Mutex<[Int64: UInt64]>

  /// No sets.
  public init() { known = Mutex([:]) }

  /// The sets that a database has.
  public convenience init(of database: Database) throws(StoreError) {
    self.init()
    let statement = try database.prepare("SELECT id, attrs FROM attribute_set")
    while try statement.step() {
      let id = statement.integer(0)
      let hash = statement.withText(1) { bytes in
        bytes.baseAddress.map { StableHash.of($0, bytes.count) } ?? 0
      }
      known.withLock { $0[id] = hash }
    }
    statement.reset()
  }

  /// The number of the set whose text has this hash, nil if it gets none.
  func number(of hash: UInt64) -> Int64? {
    let id = Int64(hash >> 33)
    return known.withLock { known in
      if let other = known[id] { return other == hash ? id : nil }
      guard id != 0, known.count < AttributeSets.limit else { return nil }
      known[id] = hash
      return id
    }
  }

  /// Whether a value, or the values of a list, are part of their set; else they leave a hole.
  static func isShared(
    from first: Int, through last: Int, _ records: RecordSet, _ pool: TextPool
  ) -> Bool {
    for index in first...last {
      let attribute = records.attributes[index]
      // Lists of words are kept by name wherever they stand; other lists are an event's own.
      if last > first, attribute.kind != .text { return false }
      if !isShared(attribute, records, pool) { return false }
    }
    return true
  }

  private static func isShared(_ attribute: Attribute, _ records: RecordSet, _ pool: TextPool)
    -> Bool
  {
    switch attribute.kind {
    case .boolean, .null, .emptyArray: return true
    case .integer: return 0...9 ~= attribute.bits
    case .real: return false
    case .url:
      let url = records.urls[Int(attribute.bits)]
      return url.isHostAlone(pool) && isWord(url.host, pool)
    case .text:
      return isWord(Symbol(index: UInt32(truncatingIfNeeded: attribute.bits)), pool)
    }
  }

  private static func isWord(_ symbol: Symbol, _ pool: TextPool) -> Bool {
    if symbol.index < UInt32(Word.allCases.count) { return true }
    let text = pool.bytes(symbol)
    guard text.count <= longestWord else { return false }
    var digits = 0
    for index in 0..<text.count where text.base[index] &- 0x30 < 10 { digits += 1 }
    return digits < digitsOfID
  }
}

extension URLForm {
  /// Whether it is a host and nothing else, as device logs have it by default.
  func isHostAlone(_ pool: TextPool) -> Bool {
    scheme == .empty && ending == .empty && !parses && !hasSpaces && host != .empty
      && pool.bytes(host).count == Int(length)
  }
}
