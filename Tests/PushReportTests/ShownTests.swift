import PushAnalysis
import PushModel
import Testing

@testable import PushReport

@Suite struct ShownTests {
  @Test(
    "Counts have commas",
    arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
  func counts(value: Int, text: String) { #expect(Shown.count(value) == text) }

  @Test(
    "A share is never rounded to nothing or to everything",
    arguments: [
      (0, "0%"), (1, "100%"), (0.00001, "<0.01%"), (0.0033, "0.33%"), (0.0345, "3.5%"),
      (0.5, "50.0%"), (0.9994, "99.9%"), (0.99996, ">99.9%"),
    ])
  func percent(share: Double, text: String) { #expect(Shown.percent(share) == text) }

  @Test(
    "A difference has its sign, and nothing has none",
    arguments: [(0.0345, "+3.5"), (-0.0345, "-3.5"), (0.0003, "+0.03"), (0, "0.00")])
  func points(difference: Double, text: String) { #expect(Shown.points(difference) == text) }

  @Test(
    "Durations are shown to three digits in a unit that fits",
    arguments: [
      (850, "850 µs"), (1_234, "1.23 ms"), (9_999, "10.0 ms"), (212_500, "213 ms"),
      (999_499, "999 ms"), (999_600, "1.00 s"), (1_234_000, "1.23 s"), (59_940_000, "59.9 s"),
      (125_000_000, "2 min 5 s"), (7_260_000_000, "2 h 1 min"), (266_400_000_000, "3 d 2 h"),
      (-1_500_000, "-1.50 s"),
    ])
  func duration(microseconds: Int64, text: String) {
    #expect(Shown.duration(microseconds) == text)
  }

  /// Days since 1970-01-01: 2000-02-29 is 11,016; 2026-11-29 is 20,786; 1969-12-31 is -1.
  @Test(
    "Moments are civil dates, leap days and times before 1970 included",
    arguments: [
      (0, "1970-01-01 00:00:00 UTC"), (11_016 * 86_400_000_000, "2000-02-29 00:00:00 UTC"),
      (20_786 * 86_400_000_000 + 86_399_999_999, "2026-11-29 23:59:59 UTC"),
      (-1, "1969-12-31 23:59:59 UTC"), (-62_135_596_800_000_000, "0001-01-01 00:00:00 UTC"),
    ])
  func moments(microseconds: Int64, text: String) { #expect(Shown.time(microseconds) == text) }

  @Test("An instant for JSON keeps its microseconds")
  func instant() {
    #expect(Shown.instant(1_500_000_000_123_456) == "2017-07-14T02:40:00.123456Z")
  }

  @Test("A rate names both bounds, or that nothing is unknown, or that nothing is concerned")
  func rates() {
    #expect(
      Shown.rate(Tally(broken: 10, concerned: 200, undetermined: 30))
        == "10 of 200 (5.0% if every unknown is fine, 20.0% if every unknown is broken)")
    #expect(Shown.rate(Tally(broken: 10, concerned: 200)) == "10 of 200 (5.0%; none unknown)")
    #expect(Shown.rate(Tally()) == "no notification is concerned")
    #expect(Shown.bounds(Tally(broken: 10, concerned: 200, undetermined: 30)) == "5.0% to 20.0%")
    #expect(Shown.bounds(Tally()) == "no denominator")
  }

  @Test("Control characters are shown as what they are")
  func clean() {
    #expect(Shown.clean("a\u{1B}[0m\tb\u{202E}") == "a\\u{1b}[0m\\u{9}b\\u{202e}")
    #expect(Shown.clean("Größe 漢字") == "Größe 漢字")
  }

  @Test("Words wrap at the width, and a word that is too long is cut")
  func wrap() {
    #expect(TextWriter.wrap("one two three", 7) == ["one two", "three"])
    #expect(TextWriter.wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"])
    #expect(TextWriter.wrap("漢字漢字", 5) == ["漢字", "漢字"])
    #expect(TextWriter.wrap("", 10).isEmpty)
  }

  @Test("What is filled into a text is not searched again")
  func fill() {
    #expect(
      Definition.fill("{a} and {b} {c}", [(name: "a", text: "{b}"), (name: "b", text: "2")])
        == "{b} and 2 {c}")
    #expect(HTMLWriter.fill("{{a}}-{{b}}", { $0 == "a" ? "{{b}}" : "2" }) == "{{b}}-2")
    #expect(Definition.fill("open { end", []) == "open { end")
  }
}
