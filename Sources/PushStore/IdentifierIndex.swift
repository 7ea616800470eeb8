import PushModel

/// Looks up notifications by any id.
///
/// An index over millions of random hashes would cost as much as all the rest of a bulk load. So
/// each batch writes its ids as one sorted run, in blocks; a look-up reads one block of every run.
/// Hashes are cut to 48 bits: whoever looks up compares the id itself.
public struct IdentifierIndex {
  private let database: Database

  /// An index of one database.
  public init(database: Database) { self.database = database }

  /// The part of an id's hash that is stored.
  @inline(__always) public static func stored(_ hash: UInt64) -> UInt64 { hash >> 16 }

  static func append(_ hash: UInt64, _ notification: Int64, to bytes: inout [UInt8]) {
    for shift in stride(from: 40, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: hash >> UInt64(shift)))
    }
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: notification >> Int64(shift)))
    }
  }

  /// Notifications that may have an id of this hash, in order, each once.
  public func notifications(hash: UInt64) throws(StoreError) -> [Int64] {
    try notifications(hash: hash, in: runs())
  }

  /// Notifications that may have an id of this hash by these runs, in order, each once.
  public func notifications(hash: UInt64, in runs: [Int64]) throws(StoreError) -> [Int64] {
    let wanted = IdentifierIndex.stored(hash)
    var found: Set<Int64> = []
    for run in runs {
      let statement = try database.prepare(
        """
        SELECT entries FROM identifier_block WHERE run = ?1 AND first_hash <= ?2 \
        ORDER BY first_hash DESC LIMIT 1
        """)
      statement.bind(1, run)
      statement.bind(2, Int64(wanted))
      guard try statement.step() else { continue }
      let bytes = statement.blob(0)
      statement.reset()
      IdentifierIndex.search(bytes, wanted) { found.insert($0) }
    }
    return found.sorted()
  }

  /// The runs there are.
  public func runs() throws(StoreError) -> [Int64] {
    // Skips from run to run: a plain DISTINCT would read every block's key.
    let next = try database.prepare("SELECT min(run) FROM identifier_block WHERE run > ?1")
    var runs: [Int64] = []
    var last: Int64 = 0
    while true {
      next.bind(1, last)
      guard try next.step(), let run = next.optionalInteger(0) else { break }
      next.reset()
      runs.append(run)
      last = run
    }
    next.reset()
    return runs
  }

  /// The entries of a block whose notification passes a test, in their order.
  static func filter(_ bytes: [UInt8], _ isKept: (Int64) -> Bool) -> [UInt8] {
    var kept: [UInt8] = []
    for start in stride(from: 0, to: bytes.count - bytes.count % 14, by: 14) {
      var notification: Int64 = 0
      for offset in 6..<14 { notification = notification << 8 | Int64(bytes[start + offset]) }
      if isKept(notification) { kept += bytes[start..<start + 14] }
    }
    return kept
  }

  static func search(_ bytes: [UInt8], _ wanted: UInt64, _ body: (Int64) -> Void) {
    let count = bytes.count / 14
    func hash(_ index: Int) -> UInt64 {
      var value: UInt64 = 0
      for offset in 0..<6 { value = value << 8 | UInt64(bytes[index * 14 + offset]) }
      return value
    }
    var low = (0..<count).firstPlace { hash($0) < wanted }
    while low < count, hash(low) == wanted {
      var value: Int64 = 0
      for offset in 6..<14 { value = value << 8 | Int64(bytes[low * 14 + offset]) }
      body(value)
      low += 1
    }
  }
}

/// Sorts ids by hash, then notification: a radix sort over the 48 bits of the hash.
/// A run of ids as it is stored: blocks in order of the hashes, and what tells of most other hashes that they
/// are in none.
struct IdentifierRun {
  /// Number of ids in a block: a look-up reads about one page.
  private static let blockEntries = 1024

  var blocks: [(firstHash: UInt64, entries: [UInt8])] = []
  var filter: [UInt8] = []

  /// No ids.
  init() {}

  /// The run of sorted ids.
  init(_ identifiers: ContiguousArray<(hash: UInt64, notification: Int64)>) {
    var bytes: [UInt8] = []
    var firstHash: UInt64 = 0
    var last: (hash: UInt64, notification: Int64)?
    var bits = IdentifierFilter(count: identifiers.count)
    bits.insert(identifiers)
    for entry in identifiers {
      if let last, last.hash == entry.hash, last.notification == entry.notification { continue }
      // A block never begins in the middle of one hash: a look-up reads one block.
      if bytes.count >= IdentifierRun.blockEntries * 14, last?.hash != entry.hash {
        blocks.append((firstHash, bytes))
        bytes.removeAll(keepingCapacity: true)
      }
      if bytes.isEmpty { firstHash = entry.hash }
      IdentifierIndex.append(entry.hash, entry.notification, to: &bytes)
      last = entry
    }
    if !bytes.isEmpty { blocks.append((firstHash, bytes)) }
    filter = bits.bytes
  }
}

enum IdentifierSort {
  static func sort(_ entries: inout ContiguousArray<(hash: UInt64, notification: Int64)>) {
    guard entries.count > 4096 else {
      entries.sort { ($0.hash, $0.notification) < ($1.hash, $1.notification) }
      return
    }
    var other = entries
    for shift in [0, 16, 32] as [UInt64] {
      var counts = [Int](repeating: 0, count: 65537)
      for entry in entries {
        counts[Int(truncatingIfNeeded: (entry.hash >> shift) & 0xffff) + 1] += 1
      }
      for index in 1..<65537 { counts[index] += counts[index - 1] }
      for entry in entries {
        let digit = Int(truncatingIfNeeded: (entry.hash >> shift) & 0xffff)
        other[counts[digit]] = entry
        counts[digit] += 1
      }
      swap(&entries, &other)
    }
    // Equal hashes: the same id on several devices.
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].hash == entries[start].hash { end += 1 }
      if end - start > 1 {
        entries[start..<end].sort { $0.notification < $1.notification }
      }
      start = end
    }
  }
}
