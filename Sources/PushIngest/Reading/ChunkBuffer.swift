/// A reusable block of memory for one chunk, with room behind it that a SIMD parser may read.
///
/// Belongs to one thread at a time; handing it to another is a transfer, which is why it may say
/// it is Sendable without a lock.
public final class ChunkBuffer: @unchecked Sendable {
  /// Readable bytes behind the content; zero after each fill.
  public static let paddingBytes = 64

  /// Start of the content; changes when the buffer grows, so only valid until the next fill.
  public private(set) var base: UnsafeMutableRawPointer
  /// Bytes the buffer holds without growing, padding not counted.
  public private(set) var capacityBytes: Int
  /// Bytes of content.
  public private(set) var length = 0

  /// A buffer that grows when it has to.
  public init(capacityBytes: Int = 1 << 20) {
    self.capacityBytes = max(capacityBytes, 64)
    base = .allocate(byteCount: self.capacityBytes + ChunkBuffer.paddingBytes, alignment: 64)
    setLength(0)
  }

  deinit {
    base.deallocate()
  }

  /// The content.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

  /// Makes room for `capacity` bytes, keeping the first `kept` ones.
  public func ensureCapacity(_ capacity: Int, keeping kept: Int = 0) {
    guard capacity > capacityBytes else { return }
    let larger = UnsafeMutableRawPointer.allocate(
      byteCount: capacity + ChunkBuffer.paddingBytes, alignment: 64)
    larger.copyMemory(from: base, byteCount: min(kept, capacityBytes))
    base.deallocate()
    base = larger
    capacityBytes = capacity
  }

  /// Says how much content was written to `base`, and clears the padding behind it.
  public func setLength(_ newLength: Int) {
    precondition(newLength >= 0 && newLength <= capacityBytes, "content beyond the buffer")
    length = newLength
    (base + newLength).initializeMemory(
      as: UInt8.self, repeating: 0, count: ChunkBuffer.paddingBytes)
  }

  /// Replaces the content, for tests and for text that is already in memory.
  public func setContent(_ content: [UInt8]) {
    ensureCapacity(content.count)
    content.withUnsafeBytes { source in
      if let start = source.baseAddress { base.copyMemory(from: start, byteCount: source.count) }
    }
    setLength(content.count)
  }
}
