import PushModel

/// What is known of a device's clock from exact links: pairs of a send and the first record that the
/// device made of it.
///
/// A push takes no negative time, so the smallest difference near a moment is the offset (device
/// minus server) plus the shortest delay. Pairs count only near the device time in question: a clock
/// that was years off and then set right has two offsets. Where those that are near do not agree, or
/// there is one only, the next ones in the order of their sends count too, some days away.
struct ClockEstimate {
  private var pairs: [(deviceAt: Int64, difference: Int64)] = []
  /// The same pairs by the times of their sends.
  private var bySend: [(sentAt: Int64, difference: Int64)] = []
  /// How far before a device time pairs count, microseconds: a day and a half.
  private static let reachBack: Int64 = 36 * 3600 * 1_000_000
  /// How far behind it: a day, so that a new day's pairs change nothing further back than the day
  /// before, which is judged again.
  private static let reachAhead: Int64 = 24 * 3600 * 1_000_000
  /// How far from a send pairs count if those near the device time do not suffice, in days.
  static let widerDays: Int64 = 5
  /// How many of them at either side.
  static let widerPairs = 4
  /// What the offset is off by if it rests on several pairs, microseconds.
  static let usualError: Int64 = 5_000_000
  /// What it may be off by if it rests on one pair: that one may have come late.
  static let singleError: Int64 = 120_000_000

  mutating func removeAll() {
    pairs.removeAll(keepingCapacity: true)
    bySend.removeAll(keepingCapacity: true)
  }

  mutating func add(sentAt: Int64, deviceAt: Int64) {
    pairs.append((deviceAt, deviceAt &- sentAt))
  }

  mutating func finish() {
    pairs.sort { ($0.deviceAt, $0.difference) < ($1.deviceAt, $1.difference) }
    bySend.removeAll(keepingCapacity: true)
    for pair in pairs { bySend.append((pair.deviceAt &- pair.difference, pair.difference)) }
    bySend.sort { ($0.sentAt, $0.difference) < ($1.sentAt, $1.difference) }
  }

  /// How many pairs have a send from `first` up to `last`, both included.
  func pairs(sentFrom first: Int64, through last: Int64) -> Int {
    firstPair { $0 > last } - firstPair { $0 >= first }
  }

  /// The place of the first pair whose send's time `fits`, by the times of the sends.
  private func firstPair(_ fits: (Int64) -> Bool) -> Int {
    (0..<bySend.count).firstPlace { !fits(bySend[$0].sentAt) }
  }

  /// Whether pairs near a device time agree on its offset.
  func isSettled(at deviceAt: Int64) -> Bool {
    offset(at: deviceAt).map { $0.error == ClockEstimate.usualError } ?? false
  }

  /// Offset and error at a device time, of what was sent at a time that is known.
  func offset(at deviceAt: Int64, sentAt: Int64?) -> (offset: Int64, error: Int64)? {
    let near = offset(at: deviceAt)
    guard let sentAt, near?.error != ClockEstimate.usualError, let wider = widerOffset(sentAt)
    else { return near }
    // One that is near and earlier than all: the clock was set back meanwhile.
    if let near, near.offset &+ ClockEstimate.singleError < wider { return near }
    return (min(near?.offset ?? .max, wider), ClockEstimate.usualError)
  }

  /// What the pairs before and behind a send agree on, in the order of their sends; nil if they do
  /// not: there are too few, or the clock was set in between.
  private func widerOffset(_ sentAt: Int64) -> Int64? {
    let reach = ClockEstimate.widerDays * 24 * 3600 * 1_000_000
    let middle = firstPair { $0 > sentAt }
    let most = ClockEstimate.widerPairs
    // Times at the very ends of time wrap around; then nothing is in reach.
    let from = min(middle, max(firstPair { $0 >= sentAt &- reach }, middle - most))
    let to = max(middle, min(firstPair { $0 > sentAt &+ reach }, middle + most))
    let before = from..<middle
    let behind = middle..<to
    guard let smallest = smallest(of: before.lowerBound..<behind.upperBound), smallest.count > 1
    else { return nil }
    for side in [before, behind] {
      // One alone may have come late.
      if let own = self.smallest(of: side), own.count > 1,
        own.difference >= smallest.difference &+ ClockEstimate.singleError
      {
        return nil
      }
    }
    return smallest.difference
  }

  /// The smallest difference of some pairs by the times of their sends, and how many agree with it.
  private func smallest(of places: Range<Int>) -> (difference: Int64, count: Int)? {
    guard let smallest = bySend[places].map(\.difference).min() else { return nil }
    let limit = smallest &+ ClockEstimate.singleError
    return (smallest, bySend[places].count { $0.difference < limit })
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// Whether the clock is known to have been off by more than a day at some time: nothing comes before it
  /// is sent, and APNs keeps nothing for longer than 30 days (F1.14).
  var wasFarOff: Bool {
    let day: Int64 = 24 * 3600 * 1_000_000
    return pairs.contains { $0.difference < -day || $0.difference > 31 * day }
  }

  /// The offset at the time of a send of which the device has no record; nil if the pairs near it in the
  /// server's time do not agree: the clock was set in between.
  ///
  /// A clock that is years off has no pairs near the send's own time.
  func offset(atSend sentAt: Int64) -> (offset: Int64, error: Int64)? {
    // By the server's time pairs have no order; there are a few.
    var before: (sentAt: Int64, deviceAt: Int64)?
    var after: (sentAt: Int64, deviceAt: Int64)?
    for pair in pairs {
      let at = pair.deviceAt &- pair.difference
      if at <= sentAt {
        if at >= sentAt &- ClockEstimate.reachBack, at >= before?.sentAt ?? .min {
          before = (at, pair.deviceAt)
        }
      } else if at <= sentAt &+ ClockEstimate.reachAhead, at < after?.sentAt ?? .max {
        after = (at, pair.deviceAt)
      }
    }
    guard let before, let after, let first = offset(at: before.deviceAt),
      let second = offset(at: after.deviceAt),
      abs(first.offset &- second.offset) < ClockEstimate.singleError
    else { return nil }
    return first.offset < second.offset ? first : second
  }

  /// Offset and error at a device time; nil if no pair is near.
  func offset(at deviceAt: Int64) -> (offset: Int64, error: Int64)? {
    let from = deviceAt &- ClockEstimate.reachBack
    let low = (0..<pairs.count).firstPlace { pairs[$0].deviceAt < from }
    var smallest = Int64.max
    var second = Int64.max
    var index = low
    while index < pairs.count, pairs[index].deviceAt <= deviceAt &+ ClockEstimate.reachAhead {
      let difference = pairs[index].difference
      if difference < smallest {
        second = smallest
        smallest = difference
      } else if difference < second {
        second = difference
      }
      index += 1
    }
    guard smallest != .max else { return nil }
    let isConfirmed = second != .max && second - smallest < ClockEstimate.singleError
    return (smallest, isConfirmed ? ClockEstimate.usualError : ClockEstimate.singleError)
  }
}
