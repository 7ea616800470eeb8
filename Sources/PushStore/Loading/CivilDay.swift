/// Days of the Gregorian calendar and moments of UTC as numbers and as text, whatever the locale.
public enum CivilDay {
  /// Days since 1970-01-01 of a text such as `2026-11-29`; nil if it is no day.
  public static func number(of text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == 0x2d, bytes[7] == 0x2d,
      let year = digits(bytes[0..<4]), let month = digits(bytes[5..<7]),
      let day = digits(bytes[8..<10]), (1...12).contains(month), day >= 1
    else { return nil }
    // Years begin with March, so that the leap day is the last of its year.
    let shiftedYear = month > 2 ? year : year - 1
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let number = era * 146_097 + dayOfEra - 719_468
    // The 31st of a month of 30 days comes back as another day.
    return CivilDay.text(of: number) == text ? number : nil
  }

  /// The text of a number of days since 1970-01-01.
  public static func text(of number: Int64) -> String {
    let out = ByteOutput(capacity: 16)
    append(day: number, to: out)
    return out.text(out.range(from: 0))
  }

  /// Microseconds since 1970 of RFC 3339 text such as `2026-11-29T08:15:02.25Z`; nil if it is none.
  public static func microseconds(of text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, let day = number(of: String(decoding: bytes[0..<10], as: UTF8.self)),
      bytes[10] | 0x20 == 0x74, bytes[13] == 0x3a, bytes[16] == 0x3a,
      let hour = digits(bytes[11..<13]), let minute = digits(bytes[14..<16]),
      let second = digits(bytes[17..<19]), hour < 24, minute < 60, second < 60
    else { return nil }
    var place = 19
    var fraction: Int64 = 0
    if bytes[place] == 0x2e {
      place += 1
      let start = place
      while place < bytes.count, bytes[place] &- 0x30 < 10 {
        if place - start < 6 { fraction = fraction * 10 + Int64(bytes[place] - 0x30) }
        place += 1
      }
      guard place > start else { return nil }
      for _ in min(6, place - start)..<6 { fraction *= 10 }
    }
    var offset: Int64 = 0
    let zone = bytes[place...]
    if zone.count == 1, zone.first.map({ $0 | 0x20 }) == 0x7a {
      offset = 0
    } else if zone.count == 6, bytes[place] == 0x2b || bytes[place] == 0x2d,
      bytes[place + 3] == 0x3a, let hours = digits(bytes[place + 1..<place + 3]),
      let minutes = digits(bytes[place + 4..<place + 6]), hours < 24, minutes < 60
    {
      offset = (hours * 60 + minutes) * (bytes[place] == 0x2b ? 60 : -60)
    } else {
      return nil
    }
    let seconds = day * 86_400 + hour * 3600 + minute * 60 + second - offset
    return seconds * 1_000_000 + fraction
  }

  /// Adds `2026-11-29`.
  static func append(day: Int64, to out: ByteOutput) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    padded(year, 4, out)
    out.append(0x2d)
    padded(month, 2, out)
    out.append(0x2d)
    padded(dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2, out)
  }

  /// Adds a moment as RFC 3339 with microseconds, `2026-11-29T08:15:02.000123Z`.
  static func append(microseconds: Int64, to out: ByteOutput) {
    var day = microseconds / RowID.microsecondsOfDay
    var rest = microseconds % RowID.microsecondsOfDay
    if rest < 0 {
      rest += RowID.microsecondsOfDay
      day -= 1
    }
    append(day: day, to: out)
    let seconds = rest / 1_000_000
    out.append(0x54)
    padded(seconds / 3600, 2, out)
    out.append(0x3a)
    padded(seconds / 60 % 60, 2, out)
    out.append(0x3a)
    padded(seconds % 60, 2, out)
    out.append(0x2e)
    padded(rest % 1_000_000, 6, out)
    out.append(0x5a)
  }

  private static func padded(_ value: Int64, _ width: Int, _ out: ByteOutput) {
    var limit: Int64 = 1
    for _ in 1..<width { limit *= 10 }
    while limit > 1, value < limit, value >= 0 {
      out.append(0x30)
      limit /= 10
    }
    out.append(number: value)
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for byte in bytes {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }
}
