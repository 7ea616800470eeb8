import PushAnalysis
import PushModel

/// Numbers, times and foreign texts as they are shown; the same everywhere, whatever the locale.
enum Shown {
  /// A count with commas: `12,345`.
  static func count(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var result = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return value < 0 ? "-" + result : result
  }

  /// `1 line`, `2 lines`.
  static func counted(_ value: Int, _ one: String, _ many: String) -> String {
    "\(count(value)) \(value == 1 ? one : many)"
  }

  /// A number with a fixed number of places, rounded half away from zero.
  static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    var result = count(scaled / scale)
    if places > 0 {
      let rest = String(scaled % scale)
      result += "." + String(repeating: "0", count: places - rest.count) + rest
    }
    return value < 0 && scaled != 0 ? "-" + result : result
  }

  /// A share of 0 to 1 in per cent; never rounded to "nothing" or "everything".
  static func percent(_ share: Double?) -> String {
    guard let share else { return "–" }
    let percent = share * 100
    if share <= 0 { return "0%" }
    if share >= 1 { return "100%" }
    if percent < 0.005 { return "<0.01%" }
    if percent < 0.995 { return decimal(percent, places: 2) + "%" }
    if percent >= 99.95 { return ">99.9%" }
    return decimal(percent, places: 1) + "%"
  }

  /// A difference of two shares in percentage points: `+3.4`, `-0.12`.
  static func points(_ difference: Double?) -> String {
    guard let difference else { return "–" }
    let points = difference * 100
    let text = decimal(points, places: abs(points) < 0.995 ? 2 : 1)
    return difference > 0 && text.first != "0" || difference > 0 && text.contains { $0 > "0" }
      ? "+" + text : text
  }

  /// `12 of 340`.
  static func fraction(_ hits: Int, of total: Int) -> String {
    total > 0 ? "\(count(hits)) of \(count(total))" : "none of 0"
  }

  /// A tally's bounds: `3.5%`, or `3.5% to 8.1%` where something is unknown.
  static func bounds(_ tally: Tally) -> String {
    guard tally.concerned > 0 else { return "no denominator" }
    let low = percent(tally.shareIfUnknownFine)
    let high = percent(tally.shareIfUnknownBroken)
    return low == high ? low : "\(low) to \(high)"
  }

  /// A tally in a sentence, with both bounds spelled out.
  static func rate(_ tally: Tally) -> String {
    guard tally.concerned > 0 else { return "no notification is concerned" }
    let share = fraction(tally.broken, of: tally.concerned)
    let low = percent(tally.shareIfUnknownFine)
    guard tally.undetermined > 0 else { return "\(share) (\(low); none unknown)" }
    let high = percent(tally.shareIfUnknownBroken)
    return "\(share) (\(low) if every unknown is fine, \(high) if every unknown is broken)"
  }

  /// A duration given in microseconds, to three digits: `850 µs`, `1.23 s`, `12 min 5 s`.
  static func duration(_ microseconds: Int64) -> String {
    let sign = microseconds < 0 ? "-" : ""
    let value = Double(microseconds.magnitude)
    if value < 1000 { return "\(sign)\(microseconds.magnitude) µs" }
    if value < 9_995 { return sign + decimal(value / 1e3, places: 2) + " ms" }
    if value < 99_950 { return sign + decimal(value / 1e3, places: 1) + " ms" }
    if value < 999_500 { return sign + decimal(value / 1e3, places: 0) + " ms" }
    if value < 9_995_000 { return sign + decimal(value / 1e6, places: 2) + " s" }
    if value < 119_950_000 { return sign + decimal(value / 1e6, places: 1) + " s" }
    let seconds = Int((value / 1e6).rounded())
    if seconds < 7200 { return "\(sign)\(seconds / 60) min \(seconds % 60) s" }
    let minutes = Int((value / 6e7).rounded())
    if minutes < 2880 { return "\(sign)\(minutes / 60) h \(minutes % 60) min" }
    let hours = Int((value / 3.6e9).rounded())
    return "\(sign)\(count(hours / 24)) d \(hours % 24) h"
  }

  /// A quantile: the middle of its bucket, or the end that it has.
  static func quantile(_ quantile: Quantile?) -> String {
    guard let quantile else { return "–" }
    guard let high = quantile.high else { return "over \(duration(quantile.low))" }
    return quantile.low == 0 ? "under \(duration(high))" : duration(quantile.middle)
  }

  /// The parts of a UTC moment.
  struct Moment {
    var date: String
    /// `08:15:02.123`.
    var clock: String
    /// `08:15:02`.
    var seconds: String
  }

  /// A moment of UTC microseconds.
  static func moment(_ microseconds: Int64) -> Moment {
    let day = Int64(86_400_000_000)
    var days = microseconds / day
    var rest = microseconds % day
    if rest < 0 {
      rest += day
      days -= 1
    }
    let (year, month, date) = civil(days)
    let milliseconds = rest / 1000
    let seconds = milliseconds / 1000
    let clock =
      "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    return Moment(
      date: "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))",
      clock: "\(clock).\(padded(milliseconds % 1000, 3))", seconds: clock)
  }

  /// `2026-11-29 08:15:02 UTC`.
  static func time(_ microseconds: Int64?) -> String {
    guard let microseconds else { return "time not known" }
    let moment = moment(microseconds)
    return "\(moment.date) \(moment.seconds) UTC"
  }

  /// RFC 3339 with microseconds, for JSON.
  static func instant(_ microseconds: Int64) -> String {
    let moment = moment(microseconds)
    var part = microseconds % 1_000_000
    if part < 0 { part += 1_000_000 }
    return "\(moment.date)T\(moment.seconds).\(padded(part, 6))Z"
  }

  /// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar.
  ///
  /// Years are counted from March, so that the leap day is the last of its year.
  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Foreign text with everything made visible that could move a cursor or turn the writing
  /// direction: ids and log lines come from outside.
  static func clean(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
    default: false
    }
  }
}
