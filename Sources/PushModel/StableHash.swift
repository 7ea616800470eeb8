/// Hashes that are the same in every run and on every machine: they become keys in the database.
public enum StableHash {
  /// A constant of the hash.
  public static let k0: UInt64 = 0xa076_1d64_78bd_642f
  /// A constant of the hash.
  public static let k1: UInt64 = 0xe703_7ed1_a0b4_28db
  /// A constant of the hash.
  public static let k2: UInt64 = 0x8ebc_6af0_9c88_c6e3

  /// Folds the 128-bit product of two words.
  @inlinable public static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  /// The 64-bit hash of bytes.
  @inlinable public static func of(_ base: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var seed = k0 ^ UInt64(truncatingIfNeeded: count)
    var a: UInt64 = 0
    var b: UInt64 = 0
    if count <= 16 {
      if count >= 8 {
        a = unsafe base.loadUnaligned(as: UInt64.self)
        b = unsafe base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      } else if count >= 4 {
        a = UInt64(unsafe base.loadUnaligned(as: UInt32.self))
        b = UInt64(unsafe base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      } else if count > 0 {
        a =
          UInt64(unsafe base.load(as: UInt8.self)) << 16
          | UInt64(unsafe base.load(fromByteOffset: count >> 1, as: UInt8.self)) << 8
          | UInt64(unsafe base.load(fromByteOffset: count - 1, as: UInt8.self))
      }
    } else {
      var offset = 0
      while count - offset > 16 {
        seed = mix(
          unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ k1,
          unsafe base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) ^ seed)
        offset += 16
      }
      a = unsafe base.loadUnaligned(fromByteOffset: count - 16, as: UInt64.self)
      b = unsafe base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }
    return mix(k1 ^ UInt64(truncatingIfNeeded: count), mix(a ^ k1, b ^ seed))
  }

  /// The hash of a text.
  public static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return ofNothing }
      return unsafe of(UnsafeRawPointer(base), bytes.count)
    }
  }

  /// The hash of no bytes.
  @usableFromInline static var ofNothing: UInt64 { mix(k1, mix(k1, k0)) }

  /// The hash of an id: of a UUID (any case) that of its 16 bytes, else that of its text. Never 0.
  @inlinable public static func ofIdentifier(_ base: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count == 36, let uuid = unsafe UUIDBytes(base) {
      return UUIDBytes.hash(uuid.high, uuid.low)
    }
    let hash = unsafe of(base, count)
    return hash == 0 ? 1 : hash
  }

  /// The hash of an id.
  public static func ofIdentifier(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return 1 }
      return unsafe ofIdentifier(UnsafeRawPointer(base), bytes.count)
    }
  }

  /// A 48-bit hash of a text: short enough for JSON, rare enough in thousands of texts.
  public static func short(_ text: String) -> Int64 { Int64(of(text) >> 16) }
}

/// The 16 bytes of a canonical UUID text.
public struct UUIDBytes: Hashable, Sendable, BitwiseCopyable {
  /// First eight bytes.
  public var high: UInt64 = 0
  /// Last eight bytes.
  public var low: UInt64 = 0
  /// The letters' case: 0 no letters, 1 lower, 2 upper, 3 mixed.
  public var letters: UInt8 = 0

  /// Nil unless the 36 bytes are hex digits in groups of 8-4-4-4-12. Eight digits at a time.
  @inlinable public init?(_ base: UnsafeRawPointer) {
    let dashes =
      unsafe base.load(fromByteOffset: 8, as: UInt8.self) == 0x2d
      && base.load(fromByteOffset: 13, as: UInt8.self) == 0x2d
      && base.load(fromByteOffset: 18, as: UInt8.self) == 0x2d
      && base.load(fromByteOffset: 23, as: UInt8.self) == 0x2d
    guard dashes else { return nil }
    @inline(__always) func four(_ offset: Int) -> UInt64 {
      UInt64(unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    let first = unsafe base.loadUnaligned(as: UInt64.self)
    let last = unsafe base.loadUnaligned(fromByteOffset: 28, as: UInt64.self)
    guard let a = digits(first), let b = digits(four(9) | four(14) << 32),
      let c = digits(four(19) | four(24) << 32), let d = digits(last)
    else { return nil }
    high = a << 32 | b
    low = c << 32 | d
  }

  /// The hash of the id with these bytes, as ``StableHash/ofIdentifier(_:_:)`` has it of its text. Never 0.
  @inlinable public static func hash(_ high: UInt64, _ low: UInt64) -> UInt64 {
    let hash = StableHash.mix(high ^ StableHash.k2, low ^ StableHash.k1)
    return hash == 0 ? 1 : hash
  }

  /// Writes the text of an id, 36 bytes.
  @inlinable public static func write(
    _ high: UInt64, _ low: UInt64, isUpper: Bool, to target: UnsafeMutableRawPointer
  ) {
    let first = text(UInt32(truncatingIfNeeded: high >> 32), isUpper)
    let second = text(UInt32(truncatingIfNeeded: high), isUpper)
    let third = text(UInt32(truncatingIfNeeded: low >> 32), isUpper)
    let fourth = text(UInt32(truncatingIfNeeded: low), isUpper)
    func four(_ digits: UInt64, at place: Int) {
      unsafe target.storeBytes(
        of: UInt32(truncatingIfNeeded: digits), toByteOffset: place, as: UInt32.self)
    }
    unsafe target.storeBytes(of: first, as: UInt64.self)
    func dash(at place: Int) {
      unsafe target.storeBytes(of: 0x2d, toByteOffset: place, as: UInt8.self)
    }
    dash(at: 8)
    dash(at: 13)
    dash(at: 18)
    dash(at: 23)
    four(second, at: 9)
    four(second >> 32, at: 14)
    four(third, at: 19)
    four(third >> 32, at: 24)
    unsafe target.storeBytes(of: fourth, toByteOffset: 28, as: UInt64.self)
  }

  /// The eight hex digits of a word, the first in the lowest byte: all at a time.
  @inlinable static func text(_ word: UInt32, _ isUpper: Bool) -> UInt64 {
    var nibbles = UInt64(word.byteSwapped)
    nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff
    nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ff
    // The high half of each byte stands first.
    nibbles = (nibbles >> 4 | nibbles << 8) & 0x0f0f_0f0f_0f0f_0f0f
    let isLetter = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    // From "9" to "a" it is 39 places further, to "A" 7.
    return nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* (isUpper ? 7 : 39)
  }

  /// The value of eight hex digits, first digit in the lowest byte; nil if one is none.
  @inlinable mutating func digits(_ word: UInt64) -> UInt64? {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    guard word & highBits == 0 else { return nil }
    let lower = word | 0x2020_2020_2020_2020
    let isDigit =
      (lower &+ 0x5050_5050_5050_5050) & ~(lower &+ 0x4646_4646_4646_4646) & highBits
    let isLetter =
      (lower &+ 0x1f1f_1f1f_1f1f_1f1f) & ~(lower &+ 0x1919_1919_1919_1919) & highBits
    // A digit's own bit 5 is set already; "0" to "9" with bit 5 cleared would be control characters.
    guard isDigit | isLetter == highBits, (isDigit >> 2) & ~word == 0
    else { return nil }
    if isLetter & (word << 2) != 0 { letters |= 1 }
    if isLetter & ~(word << 2) != 0 { letters |= 2 }
    var value = (lower & 0x0f0f_0f0f_0f0f_0f0f) &+ (isLetter >> 7) &* 9
    value = (value & 0x000f_000f_000f_000f) << 4 | (value >> 8) & 0x000f_000f_000f_000f
    value = (value | value >> 8) & 0x0000_ffff_0000_ffff
    value = (value | value >> 16) & 0xffff_ffff
    return UInt64(UInt32(truncatingIfNeeded: value).byteSwapped)
  }
}
