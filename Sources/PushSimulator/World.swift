let microsecondsPerSecond: Int64 = 1_000_000
let microsecondsPerMinute: Int64 = 60_000_000
let microsecondsPerHour: Int64 = 3_600_000_000
let microsecondsPerDay: Int64 = 86_400_000_000

/// What all phones share: the period, the shares, how many notifications each gets.
struct World: Sendable {
  /// Phones that one thread generates in a row; a group's truth is written together.
  static let phonesPerGroup = 64

  let configuration: SimulatorConfiguration
  /// Start of the first day, Unix microseconds.
  let start: Int64
  /// End of the last day.
  let end: Int64
  /// When the logs were collected: the morning after.
  let collectedAt: Int64
  /// Notifications of each phone.
  let counts: [Int32]
  /// Turns the fixed pattern of rare phones, so that seeds differ in it.
  let turn: Int
  let buckets: Int
  let bucketWidth: Int64

  init(_ configuration: SimulatorConfiguration) throws(SimulatorError) {
    func check(_ good: Bool, _ field: String, _ value: String) throws(SimulatorError) {
      if !good { throw .invalidConfiguration(field: field, value: value) }
    }
    try check(
      configuration.notifications > 0, "notifications", "\(configuration.notifications)")
    try check((1...366).contains(configuration.days), "days", "\(configuration.days)")
    try check((1...64).contains(configuration.workers), "workers", "\(configuration.workers)")
    for (field, share) in [
      ("lostDeviceEvents", configuration.lostDeviceEvents),
      ("idlessSends", configuration.idlessSends),
      ("loggedSuccesses", configuration.loggedSuccesses),
    ] {
      try check((0...1).contains(share), field, "\(share)")
    }
    guard let day = CivilDay.number(of: configuration.firstDay) else {
      throw .invalidConfiguration(field: "firstDay", value: configuration.firstDay)
    }
    self.configuration = configuration
    start = Int64(day) * microsecondsPerDay
    end = start + Int64(configuration.days) * microsecondsPerDay
    collectedAt = end + 9 * microsecondsPerHour
    var random = RandomSource(seed: configuration.seed, stream: .max)
    turn = random.below(1_000_000)
    counts = World.share(configuration, turn: turn, &random)
    buckets = min(max(configuration.notifications / 4000, 8), 1024)
    bucketWidth = (collectedAt - start) / Int64(buckets) + 1
  }

  var groups: Int { (counts.count + World.phonesPerGroup - 1) / World.phonesPerGroup }

  func bucket(of time: Int64) -> Int {
    min(max(Int((time - start) / bucketWidth), 0), buckets - 1)
  }

  /// One phone in a hundred gets some fifty a day, the others 1 to 9: five on average.
  static func isHeavy(_ index: Int, turn: Int) -> Bool { (index + turn) % 101 == 50 }

  private static func share(
    _ configuration: SimulatorConfiguration, turn: Int, _ random: inout RandomSource
  ) -> [Int32] {
    var counts: [Int32] = []
    counts.reserveCapacity(configuration.notifications / (4 * configuration.days) + 1)
    var left = configuration.notifications
    while left > 0 {
      let heavy = isHeavy(counts.count, turn: turn)
      // In tenths a day, so that short periods still vary.
      let tenths = heavy ? random.between(400, 600) : random.between(8, 83)
      let count = min(max(tenths * configuration.days / 10, 1), left)
      counts.append(Int32(count))
      left -= count
    }
    return counts
  }
}
