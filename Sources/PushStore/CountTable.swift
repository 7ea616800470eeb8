import PushModel

/// A key of counts that says itself how it is hashed: several of them are counted for each
/// notification, and hashing their fields one by one costs more than the counting.
public protocol CountKey: Equatable, Sendable {
  /// A number that differs where the key does, as a rule.
  var mixed: UInt64 { get }
}

/// Counts by key, in the order in which the keys came.
public struct CountTable<Key: CountKey>: Sendable {
  /// A key with its count.
  @usableFromInline struct Entry: Sendable {
    @usableFromInline var key: Key
    @usableFromInline var count: Int64

    @inlinable init(key: Key, count: Int64) {
      self.key = key
      self.count = count
    }
  }

  @usableFromInline var entries: ContiguousArray<Entry> = []
  /// The upper half of a key's hash and its place in `entries` plus one; 0 = free. With the hash at hand
  /// the entry is looked at once.
  @usableFromInline var slots = ContiguousArray<UInt64>(repeating: 0, count: 64)

  /// The entry that was added to last.
  @usableFromInline var last = 0

  /// No counts.
  public init() {}

  /// Adds to the count of a key.
  @inlinable public mutating func add(_ key: Key, _ count: Int64) {
    // The notifications of a phone come one behind the other, and most are like the one before.
    if last < entries.count, entries[last].key == key {
      entries[last].count += count
      return
    }
    let hash = key.mixed
    let tag = hash & ~0xffff_ffff
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] & ~0xffff_ffff == tag {
        let place = Int(slots[slot] & 0xffff_ffff) - 1
        if entries[place].key == key {
          entries[place].count += count
          last = place
          return
        }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    last = entries.count
    entries.append(Entry(key: key, count: count))
    slots[slot] = tag | UInt64(entries.count)
    if entries.count * 2 > slots.count { grow() }
  }

  @usableFromInline mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: slots.count * 2)
    for (place, entry) in entries.enumerated() {
      let hash = entry.key.mixed
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = hash & ~0xffff_ffff | UInt64(place + 1)
    }
  }

  /// Adds all counts of another table.
  public mutating func add(_ other: CountTable) {
    for entry in other.entries { add(entry.key, entry.count) }
  }

  /// All keys with a count that is not 0.
  var counted: some Sequence<(Key, Int64)> {
    entries.lazy.filter { $0.count != 0 }.map { ($0.key, $0.count) }
  }

  /// Whether a count is below 0.
  var hasNegative: Bool { entries.contains { $0.count < 0 } }
}
