import PushModel

/// Bytes of a text inside a buffer that somebody else owns; valid as long as that buffer.
@usableFromInline
struct ByteText {
  @usableFromInline let base: UnsafeRawPointer
  @usableFromInline let count: Int

  @inlinable init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  @inlinable subscript(index: Int) -> UInt8 { base.load(fromByteOffset: index, as: UInt8.self) }

  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  var string: String { String(decoding: buffer, as: UTF8.self) }

  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && equalBytes(base, UnsafeRawPointer(text.utf8Start), count)
  }
}

/// Texts to small codes, for the keys of objects.
struct KeyTable: @unchecked Sendable {
  private let slots: UnsafeMutablePointer<(hash: UInt64, code: UInt8)>
  private let mask: Int

  /// A table; code 0 is taken for "not here".
  init(_ entries: [(String, UInt8)]) {
    var size = 16
    while size < entries.count * 4 { size *= 2 }
    mask = size - 1
    // Lives as long as the program: tables are static.
    slots = .allocate(capacity: size)
    slots.initialize(repeating: (0, 0), count: size)
    for (text, code) in entries {
      let hash = StableHash.of(text)
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot].code != 0 {
        precondition(slots[slot].hash != hash, "two keys with one hash: \(text)")
        slot = (slot + 1) & mask
      }
      slots[slot] = (hash, code)
    }
  }

  /// The code of a key, 0 if it is not here.
  @inline(__always) func code(_ base: UnsafeRawPointer, _ count: Int) -> UInt8 {
    code(hash: StableHash.of(base, count))
  }

  @inline(__always) func code(hash: UInt64) -> UInt8 {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      if entry.code == 0 { return 0 }
      if entry.hash == hash { return entry.code }
      slot = (slot + 1) & mask
    }
  }
}

/// Texts to symbols, for one worker. The first symbols are the cases of ``Word``.
final class Interner {
  private var slots: UnsafeMutablePointer<(hash: UInt64, symbol: UInt32)>
  private var mask: Int
  /// Texts by symbol.
  private(set) var texts: [String]
  private var bytes: [(offset: Int, count: Int)] = []
  private var area: [UInt8] = []

  init() {
    mask = 8191
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: (0, .max), count: mask + 1)
    texts = []
    for word in Word.allCases {
      let text = word.rawValue
      let hash = StableHash.of(text)
      append(text, hash: hash, utf8: Array(text.utf8))
    }
  }

  deinit { slots.deallocate() }

  var count: Int { texts.count }

  private func append(_ text: String, hash: UInt64, utf8: some Collection<UInt8>) {
    if texts.count * 2 > mask { grow() }
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].symbol != .max { slot = (slot + 1) & mask }
    slots[slot] = (hash, UInt32(truncatingIfNeeded: texts.count))
    bytes.append((area.count, utf8.count))
    area.append(contentsOf: utf8)
    texts.append(text)
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

  /// The symbol of a text, added if it is new.
  @inline(__always) func intern(_ base: UnsafeRawPointer, _ count: Int) -> Symbol {
    let hash = StableHash.of(base, count)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].symbol != .max {
      if slots[slot].hash == hash, same(slots[slot].symbol, base, count) {
        return Symbol(index: slots[slot].symbol)
      }
      slot = (slot + 1) & mask
    }
    return add(base, count, hash: hash)
  }

  func intern(_ text: String) -> Symbol {
    var text = text
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return Symbol(.empty) }
      return intern(UnsafeRawPointer(base), bytes.count)
    }
  }

  @inline(__always) private func same(_ symbol: UInt32, _ base: UnsafeRawPointer, _ count: Int)
    -> Bool
  {
    let place = bytes[Int(symbol)]
    guard place.count == count else { return false }
    return area.withUnsafeBytes { area in
      guard let start = area.baseAddress else { return count == 0 }
      return equalBytes(start + place.offset, base, count)
    }
  }

  /// Adds a text. What is added is stored, so tokens and credentials in it are taken out here, once
  /// a text; one that holds any is not kept and comes here each time.
  @inline(never) private func add(_ base: UnsafeRawPointer, _ count: Int, hash: UInt64) -> Symbol {
    let buffer = UnsafeRawBufferPointer(start: base, count: count)
    if let masked = SecretText.masked(buffer) {
      return intern(String(decoding: masked, as: UTF8.self))
    }
    let symbol = Symbol(index: UInt32(truncatingIfNeeded: texts.count))
    append(String(decoding: buffer, as: UTF8.self), hash: hash, utf8: buffer)
    return symbol
  }
}
