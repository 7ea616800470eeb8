/// Times as logs write them: with a blank or a T, a comma or a dot, with a zone or without.
enum LooseTime {
  /// A time that was found in a text.
  struct Found {
    /// UTC microseconds, if the zone is the one that was found; else as if it were UTC.
    var microseconds: Int64
    /// Whether a zone stood behind it.
    var hasZone: Bool
    /// Index behind it.
    var end: Int
  }

  /// The time that begins at an index; nil if none does.
  static func parse(_ text: ByteText, at start: Int) -> Found? {
    guard start >= 0, start + 19 <= text.count else { return nil }
    let mark = text[start + 4]
    guard mark == 0x2D || mark == 0x2F, text[start + 7] == mark,
      let year = number(text, start, 4), let month = number(text, start + 5, 2),
      let day = number(text, start + 8, 2), (1...12).contains(month), day >= 1,
      day <= TimeText.daysInMonth(year, month)
    else { return nil }
    // `2006/01/02 - 15:04:05` is how one gateway writes it.
    var index = start + 10
    if text[index] | 0x20 == 0x74 {
      index += 1
    } else {
      while index < text.count, text[index] == 0x20 || text[index] == 0x2D, index < start + 13 {
        index += 1
      }
    }
    guard index > start + 10, let clock = clock(text, index) else { return nil }
    index += 8
    var fraction: Int64 = 0
    if index + 1 < text.count, text[index] == 0x2E || text[index] == 0x2C,
      text[index + 1] &- 0x30 < 10
    {
      index += 1
      fraction = LooseTime.fraction(text, &index)
    }
    let days = Int64(TimeText.daysSince1970(year, month, day))
    let seconds = days * 86400 + Int64(clock)
    let zone = zone(text, &index)
    return Found(
      microseconds: (seconds - Int64(zone ?? 0)) * 1_000_000 + fraction, hasZone: zone != nil,
      end: index)
  }

  /// Seconds of the day of `11:00:02` at a place; nil if no time stands there. A second of 60 is one.
  @inline(__always)
  static func clock(_ text: ByteText, _ start: Int) -> Int? {
    guard start + 8 <= text.count else { return nil }
    // All eight bytes at once: the colons vanish and digits become their values, or more than nine.
    let bytes =
      (text.base + start).loadUnaligned(as: UInt64.self).littleEndian ^ 0x3030_3a30_303a_3030
    guard areDigits(bytes), bytes & 0x0000_ff00_00ff_0000 == 0 else { return nil }
    let pairs = bytes &* 10 &+ bytes >> 8
    let (hour, minute, second) = (pairs & 0xff, pairs >> 24 & 0xff, pairs >> 48 & 0xff)
    return hour < 24 && minute < 60 && second <= 60
      ? Int(truncatingIfNeeded: (hour * 60 + minute) * 60 + second) : nil
  }

  /// Microseconds of the digits of a fraction, which moves the index behind them; those behind the
  /// sixth are passed over.
  @inline(__always)
  static func fraction(_ text: ByteText, _ index: inout Int) -> Int64 {
    if index + 8 <= text.count {
      // Six digits and something else, as nearly always.
      let word = (text.base + index).loadUnaligned(as: UInt64.self).littleEndian
      let digits = (word ^ 0x3030_3030_3030) & 0xffff_ffff_ffff
      if areDigits(digits), UInt8(truncatingIfNeeded: word >> 48) &- 0x30 >= 10 {
        index += 6
        let pairs = digits &* 10 &+ digits >> 8
        return Int64((pairs & 0xff) * 10_000 + (pairs >> 16 & 0xff) * 100 + (pairs >> 32 & 0xff))
      }
    }
    var fraction: Int64 = 0
    var scale: Int64 = 100_000
    while index < text.count, text[index] &- 0x30 < 10 {
      fraction += Int64(text[index] &- 0x30) * scale
      scale /= 10
      index += 1
    }
    return fraction
  }

  /// Whether every byte is at most nine.
  @inline(__always)
  private static func areDigits(_ bytes: UInt64) -> Bool {
    (bytes | (bytes &+ 0x0606_0606_0606_0606)) & 0xf0f0_f0f0_f0f0_f0f0 == 0
  }

  /// The whole text as a time; nil if it is not one. A time without zone is taken as the source's.
  static func microseconds(_ text: ByteText, _ workspace: ParseWorkspace, isUTC: Bool = false)
    -> Int64?
  {
    if let strict = TimeText.microseconds(text) { return strict }
    guard let found = parse(text, at: 0), found.end == text.count else { return nil }
    if found.hasZone || isUTC { return found.microseconds }
    return workspace.assumingZone(found.microseconds)
  }

  /// The first time within the first hundred bytes of a text.
  static func first(in text: ByteText, _ workspace: ParseWorkspace) -> Found? {
    let limit = min(text.count - 19, 100)
    var index = 0
    while index <= limit {
      // A digit that is not in the middle of a number.
      if text[index] &- 0x30 < 10, index == 0 || !(text[index - 1] &- 0x30 < 10),
        var found = parse(text, at: index)
      {
        if !found.hasZone { found.microseconds = workspace.assumingZone(found.microseconds) }
        return found
      }
      index += 1
    }
    return nil
  }

  /// Seconds east of UTC of the zone at an index, which moves behind it; nil if there is none.
  private static func zone(_ text: ByteText, _ index: inout Int) -> Int? {
    var place = index
    if place < text.count, text[place] == 0x20 { place += 1 }
    guard place < text.count else { return nil }
    if text[place] | 0x20 == 0x7A, place + 1 == text.count || !isWord(text[place + 1]) {
      index = place + 1
      return 0
    }
    if place + 3 <= text.count,
      text[place] == 0x55 && text[place + 1] == 0x54 && text[place + 2] == 0x43
        || text[place] == 0x47 && text[place + 1] == 0x4D && text[place + 2] == 0x54
    {
      index = place + 3
      return 0
    }
    guard text[place] == 0x2B || text[place] == 0x2D, place + 3 <= text.count,
      let hours = number(text, place + 1, 2), hours < 24
    else { return nil }
    var minutes = 0
    var end = place + 3
    if end + 2 < text.count, text[end] == 0x3A, let found = number(text, end + 1, 2) {
      minutes = found
      end += 3
    } else if end + 1 < text.count, let found = number(text, end, 2) {
      minutes = found
      end += 2
    } else if place > index {
      // A blank, a minus and two digits are something else.
      return nil
    }
    guard minutes < 60 else { return nil }
    index = end
    return (hours * 3600 + minutes * 60) * (text[place] == 0x2D ? -1 : 1)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  @inline(__always)
  static func number(_ text: ByteText, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= text.count else { return nil }
    var value = 0
    for index in start..<start + count {
      let digit = text[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }
}
