/// A day in some zone: its date and the moments of UTC that it covers.
public struct DaySpan: Equatable, Sendable {
  /// The day, `2026-11-29`.
  public var date: String
  /// From its first moment to the first of the next day, UTC microseconds.
  public var microseconds: Range<Int64>

  /// A day of some zone.
  public init(date: String, microseconds: Range<Int64>) {
    self.date = date
    self.microseconds = microseconds
  }

  /// A day of UTC, given in days since 1970.
  public init(utcDay day: Int64) {
    date = CivilDay.text(of: day)
    let start = day * RowID.microsecondsOfDay
    microseconds = start..<start + RowID.microsecondsOfDay
  }

  /// Days since 1970, if it is a whole day of UTC: then the roll-ups hold its counts.
  public var utcDay: Int64? {
    let start = microseconds.lowerBound
    guard start >= 0, start % RowID.microsecondsOfDay == 0,
      microseconds.count == Int(RowID.microsecondsOfDay)
    else { return nil }
    return start / RowID.microsecondsOfDay
  }

  /// The day of UTC that most of it lies in.
  var nearestUTCDay: Int64 {
    RowID.day(
      of: microseconds.lowerBound + (microseconds.upperBound - microseconds.lowerBound) / 2)
  }

  /// Row numbers of the UTC days that it touches.
  var rows: ClosedRange<Int64> {
    let first = RowID.day(of: microseconds.lowerBound)
    let last = RowID.day(of: max(microseconds.lowerBound, microseconds.upperBound - 1))
    // The end of the last day that ids know is the largest number there is.
    return first << 48...(last << 48 | (1 << 48 - 1))
  }
}
