import Foundation

/// A growing byte buffer with the few forms that the log lines need. Written by hand because the
/// corpus is gigabytes: no string is made for a field.
struct ByteWriter: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int
  private var dayOfPrefix = Int.min
  private var year = 0
  private var month = 0
  private var day = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  mutating func removeAll() {
    count = 0
  }

  @inline(__always)
  private mutating func reserve(_ bytes: Int) {
    if count + bytes > capacity { grow(bytes) }
  }

  @inline(never)
  private mutating func grow(_ bytes: Int) {
    let newCapacity = max(capacity * 2, count + bytes)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    new.update(from: base, count: count)
    base.deallocate()
    base = new
    capacity = newCapacity
  }

  @inline(__always)
  mutating func text(_ text: StaticString) {
    bytes(text.utf8Start, text.utf8CodeUnitCount)
  }

  @inline(__always)
  mutating func bytes(_ start: UnsafeRawPointer, _ length: Int) {
    reserve(length)
    memcpy(base + count, start, length)
    count += length
  }

  /// For the few texts that are made once.
  mutating func string(_ text: String) {
    for byte in text.utf8 { self.byte(byte) }
  }

  @inline(__always)
  mutating func byte(_ value: UInt8) {
    reserve(1)
    base[count] = value
    count += 1
  }

  @inline(__always)
  mutating func little<T: FixedWidthInteger>(_ value: T) {
    var little = value.littleEndian
    withUnsafeBytes(of: &little) { raw in
      if let start = raw.baseAddress { bytes(start, raw.count) }
    }
  }

  mutating func integer(_ value: Int) {
    reserve(20)
    var rest = value.magnitude
    if value < 0 { byte(0x2D) }
    var length = 1
    var probe = rest
    while probe >= 10 {
      probe /= 10
      length += 1
    }
    var at = count + length
    count = at
    repeat {
      at -= 1
      base[at] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    } while rest > 0
  }

  /// Exactly `width` decimal digits, with zeros in front.
  mutating func digits(_ value: Int, width: Int) {
    reserve(width)
    var rest = value
    var at = count + width
    while at > count {
      at -= 1
      base[at] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    }
    count += width
  }

  /// The lowest `digits` hex digits of `value`.
  mutating func hex(_ value: UInt64, digits: Int = 16, upper: Bool = false) {
    reserve(digits)
    let letter: UInt8 = upper ? 0x37 : 0x57
    var rest = value
    var at = count + digits
    while at > count {
      at -= 1
      let nibble = UInt8(truncatingIfNeeded: rest & 15)
      base[at] = nibble < 10 ? 0x30 + nibble : letter + nibble
      rest >>= 4
    }
    count += digits
  }

  mutating func uuid(_ id: Identifier, upper: Bool = false) {
    hex(id.high >> 32, digits: 8, upper: upper)
    byte(0x2D)
    hex(id.high >> 16, digits: 4, upper: upper)
    byte(0x2D)
    hex(id.high, digits: 4, upper: upper)
    byte(0x2D)
    hex(id.low >> 48, digits: 4, upper: upper)
    byte(0x2D)
    hex(id.low, digits: 12, upper: upper)
  }

  /// Drops what was written from `start` on, but for its last `length` bytes.
  mutating func keepTail(from start: Int, length: Int) {
    if count - start <= length { return }
    memmove(base + start, base + (count - length), length)
    count = start + length
  }

  /// A quoted RFC 3339 time with milliseconds, or microseconds, from Unix microseconds.
  mutating func instant(_ microseconds: Int64, fine: Bool = false) {
    byte(0x22)
    let dayNumber = floorDivide(Int(microseconds), 86_400_000_000)
    let inDay = Int(microseconds) - dayNumber * 86_400_000_000
    if dayNumber != dayOfPrefix {
      let civil = CivilDay(dayNumber: dayNumber)
      dayOfPrefix = dayNumber
      year = civil.year
      month = civil.month
      day = civil.day
    }
    digits(year, width: 4)
    byte(0x2D)
    digits(month, width: 2)
    byte(0x2D)
    digits(day, width: 2)
    byte(0x54)
    let seconds = inDay / 1_000_000
    digits(seconds / 3600, width: 2)
    byte(0x3A)
    digits(seconds / 60 % 60, width: 2)
    byte(0x3A)
    digits(seconds % 60, width: 2)
    byte(0x2E)
    if fine {
      digits(inDay % 1_000_000, width: 6)
    } else {
      digits(inDay / 1000 % 1000, width: 3)
    }
    text("Z\"")
  }
}

/// 128 random bits that are shown as a UUID.
struct Identifier: Equatable {
  var high: UInt64 = 0
  var low: UInt64 = 0

  init() {}

  /// A version 4 UUID.
  init(_ random: inout RandomSource) {
    high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }
}

/// A calendar day (proleptic Gregorian, UTC) and its number of days since 1970-01-01.
struct CivilDay {
  var year: Int
  var month: Int
  var day: Int

  /// The day with this number. Years are counted from March, so that the leap day comes last.
  init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of the day written `YYYY-MM-DD`, or nil if it is none.
  static func number(of text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2]), (1970...2200).contains(year), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let number = era * 146_097 + dayOfEra - 719_468
    let back = CivilDay(dayNumber: number)
    return back.month == month && back.day == day ? number : nil
  }
}

func floorDivide(_ value: Int, _ by: Int) -> Int {
  value >= 0 ? value / by : -((-value + by - 1) / by)
}
