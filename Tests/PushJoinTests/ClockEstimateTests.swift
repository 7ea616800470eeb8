import Testing

@testable import PushJoin

private let second: Int64 = 1_000_000
private let hour = 3600 * second
private let day = 24 * hour

/// When something was sent, by the server's clock, and by how much the phone's record of it is later,
/// by the phone's.
private struct Pair {
  var sentAt: Int64
  var difference: Int64

  init(_ sentAt: Int64, _ difference: Int64) {
    self.sentAt = sentAt
    self.difference = difference
  }
}

private func estimate(_ pairs: [Pair]) -> ClockEstimate {
  var clock = ClockEstimate()
  for pair in pairs { clock.add(sentAt: pair.sentAt, deviceAt: pair.sentAt + pair.difference) }
  clock.finish()
  return clock
}

/// What is expected of an offset: it and its error, or nothing.
private struct Offset: Equatable, Sendable {
  var offset: Int64
  var error: Int64

  static let usual: Int64 = 5 * second
  static let single: Int64 = 120 * second

  init(_ offset: Int64, _ error: Int64) {
    self.offset = offset
    self.error = error
  }

  init?(_ found: (offset: Int64, error: Int64)?) {
    guard let found else { return nil }
    self.init(found.offset, found.error)
  }
}

/// The smallest difference is the offset: a push takes no negative time. The second smallest confirms it
/// if it is less than two minutes more. What counts is a day and a half before a record and a day behind.
@Suite struct ClockEstimateTests {
  private struct Near: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var pairs: [Pair]
    var at: Int64
    /// When what was recorded then was sent, where that is asked.
    var sentAt: Int64
    var expected: Offset?

    init(_ name: String, _ pairs: [Pair], at: Int64, sentAt: Int64 = 0, _ expected: Offset?) {
      testDescription = name
      self.pairs = pairs
      self.at = at
      self.sentAt = sentAt
      self.expected = expected
    }
  }

  private static let near = [
    Near("no pair", [], at: 0, nil),
    Near("one pair", [Pair(0, 3 * second)], at: 60 * second, Offset(3 * second, Offset.single)),
    Near(
      "two pairs that agree", [Pair(0, 3 * second), Pair(hour, 2 * second)], at: hour,
      Offset(2 * second, Offset.usual)),
    Near(
      "a clock behind the server's", [Pair(0, -40 * second), Pair(hour, -37 * second)], at: hour,
      Offset(-40 * second, Offset.usual)),
    Near(
      "two pairs just within two minutes", [Pair(0, second), Pair(hour, 121 * second - 1)],
      at: hour, Offset(second, Offset.usual)),
    Near(
      "two pairs two minutes apart do not agree", [Pair(0, second), Pair(hour, 121 * second)],
      at: hour, Offset(second, Offset.single)),
    Near(
      "one that came late changes nothing",
      [Pair(0, second), Pair(hour, 2 * second), Pair(2 * hour, 9 * hour)], at: hour,
      Offset(second, Offset.usual)),
    Near("a day and a half before", [Pair(-36 * hour, 0)], at: 0, Offset(0, Offset.single)),
    Near("more than a day and a half before", [Pair(-36 * hour - 1, 0)], at: 0, nil),
    Near("a day behind", [Pair(24 * hour, 0)], at: 0, Offset(0, Offset.single)),
    Near("more than a day behind", [Pair(24 * hour + 1, 0)], at: 0, nil),
    // Two years ahead until it is set right on the second day.
    Near(
      "two offsets: before the clock was set", twoYearsAhead, at: 730 * day + hour,
      Offset(730 * day + second, Offset.usual)),
    Near(
      "two offsets: after the clock was set", twoYearsAhead, at: day + hour,
      Offset(2 * second, Offset.usual)),
    // An hour ahead until it is set back: within reach of each other the smaller one counts, which
    // makes no record earlier than its send.
    Near(
      "set back by an hour within the reach",
      [
        Pair(0, hour + second), Pair(hour, hour + 2 * second), Pair(3 * hour, 4 * second),
        Pair(4 * hour, 3 * second),
      ], at: 2 * hour, Offset(3 * second, Offset.usual)),
  ]

  private static let twoYearsAhead = [
    Pair(0, 730 * day + second), Pair(hour, 730 * day + 2 * second), Pair(day, 3 * second),
    Pair(day + hour, 2 * second),
  ]

  @Test("the offset at a record is the smallest difference near it", arguments: near)
  private func nearRecord(_ row: Near) {
    let clock = estimate(row.pairs)
    #expect(Offset(clock.offset(at: row.at)) == row.expected)
    #expect(clock.isSettled(at: row.at) == (row.expected?.error == Offset.usual))
    // The order in which they are added does not matter.
    #expect(Offset(estimate(row.pairs.reversed()).offset(at: row.at)) == row.expected)
  }

  /// Of a record at 0, mostly of what was sent at 0, where nothing near it settles the offset.
  private static let wider = [
    Near(
      "pairs at both sides agree",
      [
        Pair(-4 * day, 11 * second), Pair(-3 * day, 10 * second), Pair(3 * day, 12 * second),
        Pair(4 * day, 13 * second),
      ], at: 0, Offset(10 * second, Offset.usual)),
    Near(
      "set in between",
      [
        Pair(-4 * day, 11 * second), Pair(-3 * day, 10 * second), Pair(3 * day, 310 * second),
        Pair(4 * day, 311 * second),
      ], at: 0, nil),
    Near(
      "set back in between",
      [
        Pair(-4 * day, 310 * second), Pair(-3 * day, 311 * second), Pair(3 * day, 10 * second),
        Pair(4 * day, 11 * second),
      ], at: 0, nil),
    Near(
      "one alone at the other side may have come late",
      [Pair(-4 * day, 11 * second), Pair(-3 * day, 10 * second), Pair(3 * day, 310 * second)],
      at: 0, Offset(10 * second, Offset.usual)),
    Near("one pair confirms nothing", [Pair(-3 * day, 10 * second)], at: 0, nil),
    Near(
      "pairs that do not agree", [Pair(-4 * day, 10 * second), Pair(-3 * day, 200 * second)],
      at: 0, nil),
    Near(
      "five days before", [Pair(-5 * day, 10 * second), Pair(-3 * day, 11 * second)], at: 0,
      Offset(10 * second, Offset.usual)),
    Near(
      "more than five days before",
      [Pair(-5 * day - 1, 10 * second), Pair(-3 * day, 11 * second)], at: 0, nil),
    Near(
      "five days behind", [Pair(3 * day, 11 * second), Pair(5 * day, 10 * second)], at: 0,
      Offset(10 * second, Offset.usual)),
    Near(
      "more than five days behind",
      [Pair(3 * day, 11 * second), Pair(5 * day + 1, 10 * second)], at: 0, nil),
    Near(
      "the four nearest of a side count",
      [Pair(-4 * day, second)] + (1...4).map { Pair(-3 * day + $0 * hour, 10 * second) }, at: 0,
      Offset(10 * second, Offset.usual)),
    Near(
      "one that is near, and later, is confirmed by them",
      [Pair(-4 * day, 11 * second), Pair(-3 * day, 10 * second), Pair(-hour, 20 * second)], at: 0,
      Offset(10 * second, Offset.usual)),
    Near(
      "one that is near, and earlier, counts with them",
      [Pair(-4 * day, 11 * second), Pair(-3 * day, 10 * second), Pair(-hour, 4 * second)], at: 0,
      Offset(4 * second, Offset.usual)),
    // It was sent six days before it came, so its own neighbours are five others.
    Near(
      "the smaller one of what is near the record and what is around the send",
      [
        Pair(-7 * day, 11 * second), Pair(-5 * day, 10 * second), Pair(-4 * day, 12 * second),
        Pair(-3 * day, 13 * second), Pair(-2 * day, 14 * second), Pair(-hour, 4 * second),
      ], at: 0, sentAt: -6 * day, Offset(4 * second, Offset.usual)),
    // By the phone's clock it is near, by the server's a thousand days off.
    Near(
      "set back by years since",
      [
        Pair(-4 * day, 11 * second), Pair(-3 * day, 10 * second),
        Pair(1000 * day, -1000 * day + second),
      ], at: 0, Offset(-1000 * day + second, Offset.single)),
    Near(
      "what is near and agrees needs no others",
      [
        Pair(-4 * day, second), Pair(-3 * day, 2 * second), Pair(-2 * hour, 21 * second),
        Pair(-hour, 20 * second),
      ], at: 0, Offset(20 * second, Offset.usual)),
  ]

  @Test("where those near a record do not suffice, those around its send do", arguments: wider)
  private func aroundSend(_ row: Near) {
    let clock = estimate(row.pairs)
    #expect(Offset(clock.offset(at: row.at, sentAt: row.sentAt)) == row.expected)
    // Without the time of a send only what is near counts.
    #expect(Offset(clock.offset(at: row.at, sentAt: nil)) == Offset(clock.offset(at: row.at)))
  }

  private static let unrecorded = [
    Near("nothing before", [Pair(hour, second), Pair(2 * hour, second)], at: 0, nil),
    Near("nothing behind", [Pair(-2 * hour, second), Pair(-hour, second)], at: 0, nil),
    Near(
      "both sides agree", [Pair(-hour, 3 * second), Pair(hour, 2 * second)], at: 0,
      Offset(2 * second, Offset.usual)),
    Near(
      "at the ends of the reach", [Pair(-36 * hour, 3 * second), Pair(24 * hour, 2 * second)],
      at: 0, Offset(2 * second, Offset.single)),
    Near(
      "before the reach", [Pair(-36 * hour - 1, 3 * second), Pair(24 * hour, 2 * second)],
      at: 0, nil),
    Near(
      "behind the reach", [Pair(-36 * hour, 3 * second), Pair(24 * hour + 1, 2 * second)],
      at: 0, nil),
    Near(
      "the clock is years ahead at both sides",
      [Pair(-hour, 730 * day + 3 * second), Pair(hour, 730 * day + 2 * second)], at: 0,
      Offset(730 * day + 2 * second, Offset.usual)),
    Near(
      "set right in between", [Pair(-hour, 730 * day), Pair(hour, second)], at: 0, nil),
  ]

  @Test(
    "of what left no record, the pairs around its send tell, if they agree", arguments: unrecorded)
  private func withoutRecord(_ row: Near) {
    #expect(Offset(estimate(row.pairs).offset(atSend: row.at)) == row.expected)
  }

  @Test("pairs are counted by the times of their sends, both ends included")
  func counts() {
    let clock = estimate([Pair(0, 730 * day), Pair(10, 0), Pair(10, 5), Pair(20, -3 * day)])
    #expect(clock.pairs(sentFrom: 0, through: 20) == 4)
    #expect(clock.pairs(sentFrom: 1, through: 10) == 2)
    #expect(clock.pairs(sentFrom: 11, through: 19) == 0)
    #expect(clock.pairs(sentFrom: 20, through: 20) == 1)
  }

  @Test(
    "a clock was far off if a record is earlier than any push, or later than APNs keeps one",
    arguments: [
      (-day, false), (-day - 1, true), (0, false), (31 * day, false), (31 * day + 1, true),
    ])
  func farOff(difference: Int64, isFarOff: Bool) {
    #expect(estimate([Pair(0, second), Pair(hour, difference)]).wasFarOff == isFarOff)
  }
}
