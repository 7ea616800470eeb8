import Glibc
public import PushModel
import Synchronization

/// Texts by symbol, shared between threads. The first symbols are the cases of ``Word``.
///
/// Adding takes a lock; reading a text does not: texts never move, and a symbol is only known to
/// those who got it after its text was there.
public final class TextPool: @unchecked Sendable {
  private struct Entry {
    var base: UnsafePointer<UInt8>
    var count: Int
  }
  /// Room for this many texts is reserved; memory is used as they come.
  private static let limit = 1 << 23
  private let entries: UnsafeMutablePointer<Entry>
  private var slots: UnsafeMutablePointer<(hash: UInt64, symbol: UInt32)>
  private var mask: Int
  private var used = 0
  private var arena: UnsafeMutablePointer<UInt8>
  private var arenaLeft: Int
  private var arenas: [UnsafeMutablePointer<UInt8>] = []
  private let lock = Mutex<Void>(())
  private let full = Atomic(false)

  /// A pool that holds the cases of ``Word`` at their ordinals.
  public init() {
    entries = .allocate(capacity: TextPool.limit)
    // Room for the words and some more; commands that read one notification need little.
    mask = (1 << 12) - 1
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: (0, .max), count: mask + 1)
    arenaLeft = 1 << 16
    arena = .allocate(capacity: arenaLeft)
    arenas.append(arena)
    for word in Word.allCases { _ = intern(word.rawValue) }
  }

  deinit {
    entries.deallocate()
    slots.deallocate()
    for arena in arenas { arena.deallocate() }
  }

  /// Whether a text found no room any more: those that did not are empty.
  public var isFull: Bool { full.load(ordering: .relaxed) }

  /// Number of texts.
  public var count: Int { lock.withLock { _ in used } }

  /// The symbol of a text, added if it is new.
  public func intern(_ base: UnsafeRawPointer, _ count: Int) -> Symbol {
    let hash = StableHash.of(base, count)
    return lock.withLock { _ in internLocked(base, count, hash) }
  }

  /// The symbol of a text, added if it is new.
  public func intern(_ text: String) -> Symbol {
    var text = text
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return Symbol(.empty) }
      return intern(UnsafeRawPointer(base), bytes.count)
    }
  }

  private func internLocked(_ base: UnsafeRawPointer, _ count: Int, _ hash: UInt64) -> Symbol {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].symbol != .max {
      if slots[slot].hash == hash {
        let entry = entries[Int(slots[slot].symbol)]
        if entry.count == count, count == 0 || memcmp(entry.base, base, count) == 0 {
          return Symbol(index: slots[slot].symbol)
        }
      }
      slot = (slot + 1) & mask
    }
    guard used < TextPool.limit else {
      full.store(true, ordering: .relaxed)
      return Symbol(.empty)
    }
    if arenaLeft < count {
      arenaLeft = max(1 << 20, count)
      arena = .allocate(capacity: arenaLeft)
      arenas.append(arena)
    }
    if count > 0 { arena.update(from: base.assumingMemoryBound(to: UInt8.self), count: count) }
    entries[used] = Entry(base: UnsafePointer(arena), count: count)
    arena += count
    arenaLeft -= count
    slots[slot] = (hash, UInt32(used))
    used += 1
    if used * 2 > mask { grow() }
    return Symbol(index: UInt32(used - 1))
  }

  private func grow() {
    let old = slots
    let oldCount = mask + 1
    mask = oldCount * 4 - 1
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: (0, .max), count: mask + 1)
    for index in 0..<oldCount where old[index].symbol != .max {
      var slot = Int(truncatingIfNeeded: old[index].hash) & mask
      while slots[slot].symbol != .max { slot = (slot + 1) & mask }
      slots[slot] = old[index]
    }
    old.deallocate()
  }

  /// The bytes of a text.
  @inline(__always)
  public func bytes(_ symbol: Symbol) -> (base: UnsafePointer<UInt8>, count: Int) {
    let entry = entries[Int(symbol.index)]
    return (entry.base, entry.count)
  }

  /// The text of a symbol.
  public subscript(symbol: Symbol) -> String {
    let entry = bytes(symbol)
    return String(
      decoding: UnsafeBufferPointer(start: entry.base, count: entry.count), as: UTF8.self)
  }
}
