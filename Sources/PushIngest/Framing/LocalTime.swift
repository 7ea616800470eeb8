import Foundation

/// Local times of a zone that has summer time. Remembers the quarter of an hour asked for last, since
/// the lines of a log follow each other.
struct LocalTime {
  private var name = ""
  private var zone: TimeZone?
  private var quarter = Int64.min
  private var offset: Int64 = 0

  /// Whether the time zone database knows a name.
  static func isKnown(_ name: String) -> Bool { TimeZone(identifier: name) != nil }

  /// The UTC microseconds of a local time that is given as if it were UTC. Of an hour that comes
  /// twice it is the first one.
  mutating func utc(_ local: Int64, zone name: String) -> Int64 {
    if name != self.name {
      self.name = name
      zone = TimeZone(identifier: name)
      quarter = .min
    }
    let place = local / 900_000_000
    if place != quarter {
      quarter = place
      offset = seconds(at: local / 1_000_000)
    }
    return local - offset * 1_000_000
  }

  private func seconds(at local: Int64) -> Int64 {
    guard let zone else { return 0 }
    func east(_ utc: Int64) -> Int64 {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(utc))))
    }
    // An hour before and after a change both answers may fit; the larger offset is the earlier one.
    let before = east(local - 86400)
    let after = east(local + 86400)
    for candidate in [max(before, after), min(before, after)]
    where east(local - candidate) == candidate {
      return candidate
    }
    return east(local)
  }
}
