/// Values by numbers that are spread well already, such as hashes: a look-up is a multiplication and,
/// as a rule, one place in memory, where a dictionary hashes the hash once more.
@safe public final class HashTable<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
  @usableFromInline struct Slot {
    /// 0 = the slot is free.
    @usableFromInline var key: UInt64
    @usableFromInline var value: Value

    @inlinable init(key: UInt64, value: Value) {
      self.key = key
      self.value = value
    }
  }

  @usableFromInline var slots: UnsafeMutablePointer<Slot>
  @usableFromInline var shift: UInt64
  @usableFromInline var used = 0
  @usableFromInline static var smallest: Int { 32 }
  /// Number of values.
  @inlinable public var count: Int { used }

  /// An empty table.
  @inlinable public init() {
    unsafe slots = Self.allocate(Self.smallest)
    shift = 64 - 5
  }

  deinit { unsafe slots.deallocate() }

  @inlinable var capacity: Int { 1 << Int(64 - shift) }

  @inlinable static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    unsafe clear(slots, capacity)
    return unsafe slots
  }

  @inlinable static func clear(_ slots: UnsafeMutablePointer<Slot>, _ capacity: Int) {
    // A free slot is told by its key alone; zeros are a key of 0.
    unsafe UnsafeMutableRawPointer(slots).initializeMemory(
      as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Slot>.stride)
  }

  /// The slot of a key, or the free one where it would be.
  @inlinable func place(_ key: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: (key &* StableHash.k1) &>> shift)
    let last = (1 << Int(64 - shift)) - 1
    while true {
      let found = unsafe slots[place].key
      if found == key || found == 0 { return place }
      place = (place + 1) & last
    }
  }

  /// A key of 0 is that of a free slot, so it is another one's.
  @inlinable static func key(_ key: UInt64) -> UInt64 { key == 0 ? StableHash.k2 : key }

  /// The value of a key; nil takes nothing away.
  @inlinable public subscript(key: UInt64) -> Value? {
    get {
      let key = Self.key(key)
      let place = place(key)
      return unsafe slots[place].key == 0 ? nil : slots[place].value
    }
    set {
      guard let newValue else { return }
      let key = Self.key(key)
      let place = place(key)
      if unsafe slots[place].key == 0 { return insert(key, newValue, place) }
      unsafe slots[place].value = newValue
    }
  }

  /// Adds a value unless the key has one; true if it had none.
  @inlinable public func insert(_ key: UInt64, _ value: Value) -> Bool {
    let key = Self.key(key)
    let place = place(key)
    guard unsafe slots[place].key == 0 else { return false }
    insert(key, value, place)
    return true
  }

  @inlinable func insert(_ key: UInt64, _ value: Value, _ place: Int) {
    unsafe slots[place] = Slot(key: key, value: value)
    used += 1
    if used * 2 > capacity { resize(capacity * 2) }
  }

  @inlinable func resize(_ larger: Int) {
    let old = unsafe slots
    let oldCapacity = capacity
    unsafe slots = Self.allocate(larger)
    shift = UInt64(64 - larger.trailingZeroBitCount)
    for index in 0..<oldCapacity where unsafe old[index].key != 0 {
      unsafe slots[place(old[index].key)] = old[index]
    }
    unsafe old.deallocate()
  }

  /// Calls `body` with every key and value, in no order; a key of 0 comes as another one.
  @inlinable public func forEach<E: Error>(_ body: (UInt64, Value) throws(E) -> Void) throws(E) {
    for index in 0..<capacity {
      let slot = unsafe slots[index]
      if slot.key != 0 { try body(slot.key, slot.value) }
    }
  }

  /// Takes all values away. Memory of a table that is too large for what it held becomes half of it, so
  /// that emptying it costs what filling it did.
  @inlinable public func removeAll() {
    guard count > 0 || capacity > Self.smallest else { return }
    if capacity > Self.smallest, count * 16 < capacity {
      let smaller = capacity / 2
      unsafe slots.deallocate()
      unsafe slots = Self.allocate(smaller)
      shift += 1
    } else if count > 0 {
      unsafe Self.clear(slots, capacity)
    }
    used = 0
  }
}
