/// A short list whose elements lie in memory of a ``ListMemory``.
///
/// It is copied as plain bytes: a notification of a join holds four lists, and as arrays each copy of
/// it would count four references and each list cost an allocation. Valid until its memory is emptied;
/// copies share their elements, so that only one of them may grow.
@safe
public struct ShortList<Element: BitwiseCopyable & Sendable>: RandomAccessCollection,
  MutableCollection, @unchecked Sendable
{
  @usableFromInline var base: UnsafeMutablePointer<Element>?
  @usableFromInline var used: Int32 = 0
  @usableFromInline var capacity: Int32 = 0

  /// An empty list.
  @inlinable public init() {}

  /// Number of elements.
  @inlinable public var count: Int { Int(used) }
  /// First place.
  @inlinable public var startIndex: Int { 0 }
  /// Place behind the last.
  @inlinable public var endIndex: Int { Int(used) }

  /// The element at a place.
  @inlinable public subscript(place: Int) -> Element {
    get {
      precondition(place >= 0 && place < count)
      return unsafe base.unsafelyUnwrapped[place]
    }
    set {
      precondition(place >= 0 && place < count)
      unsafe base.unsafelyUnwrapped[place] = newValue
    }
  }

  /// The elements in place.
  @inlinable public var buffer: UnsafeBufferPointer<Element> {
    unsafe UnsafeBufferPointer(start: base, count: count)
  }

  /// Adds an element; a list that is full moves to twice the room.
  @inlinable public mutating func append(_ element: Element, in memory: ListMemory) {
    if used == capacity { grow(to: Swift.max(2, Int(capacity) * 2), in: memory) }
    unsafe base.unsafelyUnwrapped[Int(used)] = element
    used += 1
  }

  /// Makes room for so many elements.
  @inlinable public mutating func reserve(_ room: Int, in memory: ListMemory) {
    if room > Int(capacity) { grow(to: room, in: memory) }
  }

  @inlinable mutating func grow(to room: Int, in memory: ListMemory) {
    let bytes = room * MemoryLayout<Element>.stride
    let larger = unsafe memory.allocate(bytes).bindMemory(to: Element.self, capacity: room)
    if let base = unsafe base { unsafe larger.update(from: base, count: count) }
    unsafe base = larger
    capacity = Int32(room)
  }
}

/// Memory that lists are cut from and that is emptied as a whole.
@safe public final class ListMemory: @unchecked Sendable {
  private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []
  private var block = 0
  private var used = 0
  /// Lists hold a few numbers each.
  private static let blockBytes = 1 << 14

  /// Memory without a list.
  public init() {}

  deinit {
    for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
  }

  /// Ends all lists, keeping the memory.
  public func removeAll() {
    block = 0
    used = 0
  }

  /// So many bytes, aligned for any number.
  @usableFromInline func allocate(_ bytes: Int) -> UnsafeMutableRawPointer {
    let size = (bytes + 7) & ~7
    while unsafe block < blocks.count, unsafe used + size > blocks[block].count {
      block += 1
      used = 0
    }
    if unsafe block == blocks.count {
      unsafe blocks.append(
        .allocate(byteCount: Swift.max(size, Self.blockBytes), alignment: 16))
    }
    defer { used += size }
    return unsafe blocks[block].baseAddress.unsafelyUnwrapped + used
  }
}
