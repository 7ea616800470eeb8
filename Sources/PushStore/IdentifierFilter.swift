import PushModel

/// Which hashes a set may hold: sixteen bits for each, of which four are set, so that of the hashes
/// that it does not hold one in four hundred seems to be there. With eight bits it would be one in forty,
/// and with thirty days stored nearly each look-up would read a block.
///
/// Most ids that a batch looks up are nowhere, and a look-up costs a block of every run: with a filter
/// a further day costs the same however many days are stored.
public struct IdentifierFilter: Sendable {
  /// Sixteen bits for each hash.
  private(set) var bytes: [UInt8]

  /// An empty filter for so many hashes.
  public init(count: Int) { bytes = [UInt8](repeating: 0, count: max(2 * count, 1)) }

  /// A filter as it was stored; nil if nothing was.
  init?(bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    self.bytes = bytes
  }

  /// Adds a hash.
  public mutating func insert(_ hash: UInt64) {
    for probe in 0..<4 as Range<UInt64> {
      let bit = place(hash, probe)
      bytes[bit >> 3] |= 1 << UInt8(bit & 7)
    }
  }

  /// Adds hashes.
  mutating func insert(_ entries: ContiguousArray<(hash: UInt64, notification: Int64)>) {
    let bits = UInt64(bytes.count) &* 8
    // The places of many are known before the first is waited for.
    bytes.withUnsafeMutableBufferPointer { bytes in
      for entry in entries {
        for probe in 0..<4 as Range<UInt64> {
          let bit = Self.place(entry.hash, probe, bits)
          bytes[bit >> 3] |= 1 << UInt8(truncatingIfNeeded: bit & 7)
        }
      }
    }
  }

  /// Whether the set may hold a hash; false: it does not.
  public func mayHold(_ hash: UInt64) -> Bool {
    for probe in 0..<4 as Range<UInt64> {
      let bit = place(hash, probe)
      if bytes[bit >> 3] & 1 << UInt8(bit & 7) == 0 { return false }
    }
    return true
  }

  private func place(_ hash: UInt64, _ probe: UInt64) -> Int {
    Self.place(hash, probe, UInt64(bytes.count) &* 8)
  }

  @inline(__always)
  private static func place(_ hash: UInt64, _ probe: UInt64, _ bits: UInt64) -> Int {
    // The step depends on the hash too: with a fixed one the four places would be one pattern.
    let step = (hash ^ hash >> 23) &* StableHash.k2
    let mixed = hash &* StableHash.k1 &+ probe &* (step | 1)
    return Int(mixed.multipliedFullWidth(by: bits).high)
  }
}

/// What a batch may look ids up in: the runs of the index and the ids that wait for a send, as they
/// are when it begins.
public struct StoredIdentifiers: Sendable {
  private var runs: [(number: Int64, filter: IdentifierFilter?)] = []
  private var waiting = IdentifierFilter(count: 0)

  /// Memory that filters of runs may take, bytes: of 12 million notifications. Further runs are read
  /// at each look-up.
  private static let filterBudget = 64 << 20

  /// Nothing.
  public init() {}

  /// What a database holds.
  public init(of database: Database) throws(StoreError) {
    let read = try database.prepare("SELECT bits FROM identifier_filter WHERE run = ?1")
    var left = StoredIdentifiers.filterBudget
    for run in try IdentifierIndex(database: database).runs() {
      var filter: IdentifierFilter?
      read.bind(1, run)
      if left > 0, try read.step() {
        let bytes = read.blob(0)
        left -= bytes.count
        filter = IdentifierFilter(bytes: bytes)
      }
      read.reset()
      runs.append((run, filter))
    }
    let count = try database.scalar("SELECT count(*) FROM waiting_identifier") ?? 0
    waiting = IdentifierFilter(count: Int(count))
    let hashes = try database.prepare("SELECT hash FROM waiting_identifier")
    while try hashes.step() {
      waiting.insert(UInt64(truncatingIfNeeded: hashes.integer(0)))
    }
    hashes.reset()
  }

  /// The runs that may hold an id of this hash.
  public func runs(mayHold hash: UInt64) -> [Int64] {
    let stored = IdentifierIndex.stored(hash)
    return runs.lazy.filter { $0.filter?.mayHold(stored) ?? true }.map(\.number)
  }

  /// Whether an id of this hash may wait for a send.
  public func mayWait(_ hash: UInt64) -> Bool { waiting.mayHold(IdentifierIndex.stored(hash)) }
}
