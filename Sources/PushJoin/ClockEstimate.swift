/// What is known of a device's clock from exact links: pairs of a send and the first record that the
/// device made of it.
///
/// A push takes no negative time, so the smallest difference near a moment is the offset (device
/// minus server) plus the shortest delay. Pairs count only near the device time in question: a clock
/// that was years off and then set right has two offsets.
struct ClockEstimate {
  private var pairs: [(deviceAt: Int64, difference: Int64)] = []
  /// How far before a device time pairs count, microseconds: a day and a half.
  private static let reachBack: Int64 = 36 * 3600 * 1_000_000
  /// How far behind it: a day, so that a new day's pairs change nothing further back than the day
  /// before, which is judged again.
  private static let reachAhead: Int64 = 24 * 3600 * 1_000_000
  /// What the offset is off by if it rests on several pairs, microseconds.
  static let usualError: Int64 = 5_000_000
  /// What it may be off by if it rests on one pair: that one may have come late.
  static let singleError: Int64 = 120_000_000

  mutating func removeAll() { pairs.removeAll(keepingCapacity: true) }

  mutating func add(sentAt: Int64, deviceAt: Int64) {
    pairs.append((deviceAt, deviceAt &- sentAt))
  }

  mutating func finish() {
    pairs.sort { ($0.deviceAt, $0.difference) < ($1.deviceAt, $1.difference) }
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
    var low = 0
    var high = pairs.count
    let from = deviceAt &- ClockEstimate.reachBack
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle].deviceAt < from { low = middle + 1 } else { high = middle }
    }
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
