import Foundation

/// A day of the Gregorian calendar, without a zone.
struct Day: ArgumentValue, Equatable {
  var year: Int
  var month: Int
  var day: Int

  static var expectation: Expectation { .form("a day such as 2026-11-29") }

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({
        $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      (1...12).contains(month), (1...Day.count(ofMonth: month, year: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// `YYYY-MM-DD`.
  var argumentText: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  private static func count(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A time zone, in which a day begins and ends.
struct Zone: ArgumentValue, Equatable {
  /// Name in the time zone database, such as `Europe/Berlin`.
  var name: String
  private var timeZone: TimeZone

  static let utc = Zone(name: "UTC", timeZone: .gmt)
  static var expectation: Expectation { .form("a zone such as UTC, +01:00 or Europe/Berlin") }

  private init(name: String, timeZone: TimeZone) {
    self.name = name
    self.timeZone = timeZone
  }

  init?(argument: String) {
    if let seconds = AssumedZone.seconds(argument) {
      guard let timeZone = TimeZone(secondsFromGMT: seconds) else { return nil }
      self.init(name: AssumedZone.offset(seconds).argumentText, timeZone: timeZone)
      return
    }
    guard let timeZone = TimeZone(identifier: argument) else { return nil }
    self.init(name: argument, timeZone: timeZone)
  }

  var argumentText: String { name }

  /// From the first moment of the day to the first of the next, in UTC microseconds since 1970. Nil
  /// for a day that the zone skipped.
  func microseconds(of day: Day) -> Range<Int64>? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    // Noon exists on days whose midnight the clock jumped over.
    let components = DateComponents(year: day.year, month: day.month, day: day.day, hour: 12)
    guard let noon = calendar.date(from: components),
      calendar.component(.day, from: noon) == day.day,
      let interval = calendar.dateInterval(of: .day, for: noon)
    else { return nil }
    func microseconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970) * 1_000_000 }
    return microseconds(interval.start)..<microseconds(interval.end)
  }
}
