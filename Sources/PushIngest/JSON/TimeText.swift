/// Times of the own formats as whole UTC microseconds.
enum TimeText {
  /// RFC 3339 with zone and up to nine fraction digits; nil if it is not one.
  static func microseconds(_ text: ByteText) -> Int64? {
    guard text.count >= 20 else { return nil }
    guard
      let year = digits(text, 0, 4), text[4] == 0x2d, let month = digits(text, 5, 2),
      text[7] == 0x2d, let day = digits(text, 8, 2),
      text[10] == 0x54 || text[10] == 0x74 || text[10] == 0x20,
      let hour = digits(text, 11, 2), text[13] == 0x3a, let minute = digits(text, 14, 2),
      text[16] == 0x3a, let second = digits(text, 17, 2),
      (1...12).contains(month), day >= 1, day <= daysInMonth(year, month), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if text[index] == 0x2e {
      index += 1
      var scale: Int64 = 100_000
      let start = index
      while index < text.count, text[index] &- 0x30 < 10 {
        fraction += Int64(text[index] &- 0x30) * scale
        scale /= 10
        index += 1
      }
      guard index > start, index - start <= 9 else { return nil }
    }
    guard index < text.count else { return nil }
    var offsetMinutes = 0
    switch text[index] {
    case 0x5a, 0x7a:
      guard index + 1 == text.count else { return nil }
    case 0x2b, 0x2d:
      guard
        index + 6 == text.count, text[index + 3] == 0x3a, let hours = digits(text, index + 1, 2),
        let minutes = digits(text, index + 4, 2), hours < 24, minutes < 60
      else { return nil }
      offsetMinutes = (hours * 60 + minutes) * (text[index] == 0x2d ? -1 : 1)
    default: return nil
    }
    let days = daysSince1970(year, month, day)
    let seconds =
      Int64(days) * 86400 + Int64(hour * 3600 + minute * 60 + second - offsetMinutes * 60)
    return seconds * 1_000_000 + fraction
  }

  /// A number by its size: Unix seconds, milliseconds, microseconds or nanoseconds.
  static func microseconds(number: Double, whole: Int64?) -> Int64? {
    guard number.isFinite, number >= 0 else { return nil }
    if number < 1e11 {
      if let whole { return whole * 1_000_000 }
      return Int64((number * 1_000_000).rounded())
    }
    if number < 1e14 {
      if let whole { return whole * 1000 }
      return Int64((number * 1000).rounded())
    }
    if number < 1e17 { return whole ?? Int64(number.rounded()) }
    guard number < 9.2e18 else { return nil }
    return (whole ?? Int64(number.rounded())) / 1000
  }

  /// Days since 1970-01-01 of a date of the Gregorian calendar.
  static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146097 + dayOfEra - 719468
  }

  /// Days of a month of the Gregorian calendar.
  static func daysInMonth(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  @inline(__always)
  private static func digits(_ text: ByteText, _ start: Int, _ count: Int) -> Int? {
    var value = 0
    for index in start..<start + count {
      let digit = text[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }
}
