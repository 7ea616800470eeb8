/// Computes a `SourceState` while content passes by, in any cut.
struct Fingerprint {
  static let cellBytes = 4096
  /// Up to here every cell is hashed.
  static let denseBytes: Int64 = 1 << 20
  /// Beyond, the first cell of every stretch of this length.
  static let strideBytes: Int64 = 1 << 20

  private(set) var positionBytes: Int64 = 0
  private(set) var headLength = 0
  private(set) var headHash: UInt64 = 0
  private var chain: UInt64 = 0
  /// The last (up to) 4 KiB; it holds whatever of an unfinished cell has passed.
  private var tail = [UInt8](repeating: 0, count: Fingerprint.cellBytes)
  private var tailCount = 0

  init() {}

  /// Goes on behind a state, given the last (up to) 4096 bytes before its `contentLengthBytes`.
  init(resuming state: SourceState, tail lastBytes: UnsafeRawBufferPointer) {
    if state.contentLengthBytes <= Int64(lastBytes.count) {
      update(lastBytes)
      return
    }
    positionBytes = state.contentLengthBytes
    headLength = state.headLengthBytes
    headHash = state.headHash
    chain = state.cellChain
    remember(lastBytes)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let start = positionBytes
    let end = start + Int64(bytes.count)
    if start < Int64(Fingerprint.cellBytes) { updateHead(bytes) }
    var cell = Fingerprint.sampledCell(endingAfter: start)
    while cell + Int64(Fingerprint.cellBytes) <= end {
      if cell >= start {
        let offset = Int(cell - start)
        add(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Fingerprint.cellBytes]))
      } else {
        // Its beginning came with an earlier update and is in the tail.
        let known = Int(start - cell)
        var whole = Array(tail[(tailCount - known)..<tailCount])
        whole += bytes[..<(Fingerprint.cellBytes - known)]
        whole.withUnsafeBytes { add($0) }
      }
      cell = Fingerprint.sampledCell(endingAfter: cell + Int64(Fingerprint.cellBytes))
    }
    remember(bytes)
    positionBytes = end
  }

  /// The state of what has passed so far, which must end with a complete line.
  func state() -> SourceState {
    let hash = tailHash
    return SourceState(
      contentLengthBytes: positionBytes, headLengthBytes: headLength, headHash: headHash,
      cellChain: chain, tailHash: hash, unterminatedLengthBytes: 0, endHash: hash)
  }

  /// Hash of the last (up to) 4096 bytes.
  var tailHash: UInt64 {
    tail.withUnsafeBytes { contentHash(UnsafeRawBufferPointer(rebasing: $0[..<tailCount])) }
  }

  private mutating func add(_ cell: UnsafeRawBufferPointer) {
    chain = foldedProduct(chain ^ 0x9E37_79B9_7F4A_7C15, contentHash(cell) | 1) ^ chain &<< 1
  }

  /// Hashes the head whenever it has grown to one of the key lengths.
  private mutating func updateHead(_ bytes: UnsafeRawBufferPointer) {
    let end = positionBytes + Int64(bytes.count)
    for length in SourceState.headLengths where length > headLength && end >= Int64(length) {
      let known = Int(positionBytes)
      let whole = Array(tail[..<known]) + Array(bytes[..<(length - known)])
      headHash = whole.withUnsafeBytes { contentHash($0) }
      headLength = length
      break
    }
  }

  private mutating func remember(_ bytes: UnsafeRawBufferPointer) {
    let size = Fingerprint.cellBytes
    let count = min(bytes.count, size)
    let kept = min(tailCount, size - count)
    tail.withUnsafeMutableBytes { tail in
      guard let base = tail.baseAddress, let source = bytes.baseAddress else { return }
      if count < size, kept > 0 {
        base.copyMemory(from: base + (tailCount - kept), byteCount: kept)
      }
      (base + kept).copyMemory(from: source + (bytes.count - count), byteCount: count)
    }
    tailCount = kept + count
  }

  /// Start of the first sampled cell whose end lies behind `position`.
  private static func sampledCell(endingAfter position: Int64) -> Int64 {
    let cell = position & ~Int64(cellBytes - 1)
    if cell < denseBytes { return cell }
    let stretch = cell & ~(strideBytes - 1)
    return cell == stretch ? cell : stretch + strideBytes
  }
}

extension Fingerprint {
  /// Content that can be read at any offset; short reads only at its end.
  typealias RandomReader = (_ offset: Int64, _ target: UnsafeMutableRawBufferPointer) -> Int

  /// The state of the first `length` bytes, reading only what it depends on.
  ///
  /// - Returns: nil if the content is shorter.
  static func state(ofFirst length: Int64, _ read: RandomReader) -> SourceState? {
    var fingerprint = Fingerprint()
    var failed = false
    func pass(_ offset: Int64, _ count: Int) {
      let bytes = readBytes(offset, count, read)
      if bytes.count < count { failed = true }
      fingerprint.positionBytes = offset
      bytes.withUnsafeBytes { fingerprint.update($0) }
    }
    pass(0, Int(min(length, denseBytes)))
    var cell = denseBytes
    while cell + Int64(cellBytes) <= length, !failed {
      pass(cell, cellBytes)
      cell += strideBytes
    }
    if failed { return nil }
    guard length > denseBytes else { return fingerprint.state() }
    let tail = readBytes(length - Int64(cellBytes), cellBytes, read)
    if tail.count < cellBytes { return nil }
    tail.withUnsafeBytes { fingerprint.remember($0) }
    fingerprint.positionBytes = length
    return fingerprint.state()
  }

  /// True if the content begins with what `known` describes.
  static func matches(_ known: SourceState, _ read: RandomReader) -> Bool {
    // The tail first: it is one small read and differs in nearly every other content.
    tailHash(at: known.contentLengthBytes, read) == known.tailHash
      && state(ofFirst: known.contentLengthBytes, read)?.hasSamePrefix(as: known) == true
  }

  /// Hash of the last (up to) 4096 bytes before `offset`; nil if the content is shorter.
  static func tailHash(at offset: Int64, _ read: RandomReader) -> UInt64? {
    let count = Int(min(offset, Int64(cellBytes)))
    let bytes = readBytes(offset - Int64(count), count, read)
    return bytes.count == count ? bytes.withUnsafeBytes { contentHash($0) } : nil
  }

  /// A fingerprint that goes on behind `known` in content that matches it.
  static func resuming(_ known: SourceState, _ read: RandomReader) -> Fingerprint {
    let count = Int(min(known.contentLengthBytes, Int64(cellBytes)))
    let bytes = readBytes(known.contentLengthBytes - Int64(count), count, read)
    return bytes.withUnsafeBytes { Fingerprint(resuming: known, tail: $0) }
  }

  private static func readBytes(_ offset: Int64, _ count: Int, _ read: RandomReader) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { target, initialised in
      initialised = read(offset, UnsafeMutableRawBufferPointer(target))
    }
  }
}

/// A 64-bit hash of a few KiB: sixteen bytes a step, folded 128-bit products. Not cryptographic.
func contentHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  let count = bytes.count
  var hash = 0x243F_6A88_85A3_08D3 ^ UInt64(count)
  var index = 0
  func word(_ at: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }
  while index + 16 <= count {
    hash = mixed(hash, word(index), word(index + 8))
    index += 16
  }
  var rest: (UInt64, UInt64) = (0, 0)
  for offset in index..<count {
    let shift = UInt64(8 * ((offset - index) & 7))
    if offset - index < 8 {
      rest.0 |= UInt64(bytes[offset]) << shift
    } else {
      rest.1 |= UInt64(bytes[offset]) << shift
    }
  }
  hash = mixed(hash, rest.0, rest.1)
  return foldedProduct(hash ^ 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D1)
}

/// Adding the rotated hash keeps what came before even where a product becomes zero.
private func mixed(_ hash: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
  foldedProduct(first ^ 0x082E_FA98_EC4E_6C89, second ^ hash)
    &+ (hash &<< 27 | hash &>> 37)
}

private func foldedProduct(_ first: UInt64, _ second: UInt64) -> UInt64 {
  let product = first.multipliedFullWidth(by: second)
  return product.high ^ product.low
}
