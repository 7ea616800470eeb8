import Foundation
import Testing

@testable import PushStore

@Test(
  arguments: [
    ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-11-29", 20_786),
    ("1900-03-01", -25_508),
  ] as [(String, Int64)])
func daysAreNumbersSince1970(_ text: String, _ number: Int64) {
  #expect(CivilDay.number(of: text) == number)
  #expect(CivilDay.text(of: number) == text)
}

@Test func daysAgreeWithTheCalendarOfFoundation() throws {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = .gmt
  for number in stride(from: Int64(-30_000), through: 60_000, by: 61) {
    let parts = calendar.dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
    let text = String(
      format: "%04d-%02d-%02d", try #require(parts.year), try #require(parts.month),
      try #require(parts.day))
    #expect(CivilDay.text(of: number) == text)
    #expect(CivilDay.number(of: text) == number)
  }
}

@Test(arguments: [
  "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31", "26-11-29", "2026-11-29 ", "2026/11/29",
  "",
])
func whatIsNoDayIsRefused(_ text: String) { #expect(CivilDay.number(of: text) == nil) }

@Test(
  arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01.5Z", 1_500_000),
    ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:59:59.999999Z", -1),
    ("2026-11-29T08:15:02.000123456Z", 20_786 * 86_400_000_000 + 29_702_000_123),
  ] as [(String, Int64)])
func momentsAreMicrosecondsSince1970(_ text: String, _ microseconds: Int64) {
  #expect(CivilDay.microseconds(of: text) == microseconds)
}

@Test(arguments: [
  "2026-11-29", "2026-11-29T08:15:02", "2026-11-29T24:00:00Z", "2026-11-29T08:15:02.Z",
  "2026-11-29T08:15:02+1:00",
])
func whatIsNoMomentIsRefused(_ text: String) { #expect(CivilDay.microseconds(of: text) == nil) }

@Test func momentsAreWrittenWithMicroseconds() {
  let out = ByteOutput(capacity: 64)
  CivilDay.append(microseconds: -1, to: out)
  #expect(out.text(out.range(from: 0)) == "1969-12-31T23:59:59.999999Z")
}

/// Ids hold 15 bits of days: what comes later is of the last one.
@Test func theLastDayThatIDsKnowEndsAtTheLargestNumber() {
  #expect(DaySpan(utcDay: 32_767).rows == (32_767 << 48)...Int64.max)
  let rows = DaySpan(utcDay: 20_786).rows
  #expect(rows.lowerBound == 20_786 << 48)
  #expect(rows.upperBound == 20_787 << 48 - 1)
}
