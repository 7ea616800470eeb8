import PushModel

/// A key of counts that says itself how it is hashed: several of them are counted for each
/// notification, and hashing their fields one by one costs more than the counting.
public protocol CountKey: Equatable, Sendable {
  /// A number that differs where the key does, as a rule.
  var mixed: UInt64 { get }
}

/// Counts by key, in the order in which the keys came.
public struct CountTable<Key: CountKey>: Sendable {
  /// The keys.
  @usableFromInline var keys: ContiguousArray<Key> = []
  /// Their counts.
  @usableFromInline var counts: ContiguousArray<Int64> = []
  /// Places of keys plus one by hash; 0 = free.
  @usableFromInline var slots = ContiguousArray<UInt32>(repeating: 0, count: 64)

  /// No counts.
  public init() {}

  /// Adds to the count of a key.
  @inlinable public mutating func add(_ key: Key, _ count: Int64) {
    var slot = Int(truncatingIfNeeded: key.mixed) & (slots.count - 1)
    while slots[slot] != 0 {
      let place = Int(slots[slot]) - 1
      if keys[place] == key {
        counts[place] += count
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    keys.append(key)
    counts.append(count)
    slots[slot] = UInt32(keys.count)
    if keys.count * 2 > slots.count { grow() }
  }

  @usableFromInline mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: slots.count * 2)
    for (place, key) in keys.enumerated() {
      var slot = Int(truncatingIfNeeded: key.mixed) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(place + 1)
    }
  }

  /// Adds all counts of another table.
  public mutating func add(_ other: CountTable) {
    for (key, count) in zip(other.keys, other.counts) { add(key, count) }
  }

  /// All keys with a count that is not 0.
  var counted: some Sequence<(Key, Int64)> { zip(keys, counts).lazy.filter { $0.1 != 0 } }

  /// Whether a count is below 0.
  var hasNegative: Bool { counts.contains { $0 < 0 } }
}
