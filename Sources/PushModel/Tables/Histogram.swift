/// Counts of durations in fixed, log-spaced buckets, so that days and releases can be added up.
///
/// Bucket 0 holds everything below 1,024 µs. Above that every doubling is cut into eight equal
/// parts, so a bucket is at most an eighth of its lower bound wide. The last bucket holds
/// everything from 2^36 µs (19 hours) on. The bounds never change: stored counts rely on them.
public struct Histogram: Equatable, Sendable {
  /// Power of two of the first bound, microseconds.
  static let firstPower = 10
  /// Power of two of the last bound, microseconds.
  static let lastPower = 36
  /// Parts per doubling, as a power of two.
  static let partBits = 3
  /// Number of buckets.
  public static let bucketCount = 2 + (lastPower - firstPower) << partBits

  /// Count per bucket; always ``bucketCount`` long.
  public private(set) var counts: ContiguousArray<Int64>

  /// A histogram without values.
  public init() {
    counts = ContiguousArray(repeating: 0, count: Self.bucketCount)
  }

  /// Number of values.
  public var total: Int64 { counts.reduce(0, +) }

  /// Bucket that a duration falls into; negative durations fall into bucket 0.
  ///
  /// - Parameter microseconds: duration, microseconds.
  public static func bucket(of microseconds: Int64) -> Int {
    guard microseconds >= 1 << firstPower else { return 0 }
    let power = 63 - microseconds.leadingZeroBitCount
    guard power < lastPower else { return bucketCount - 1 }
    let part = Int(microseconds >> Int64(power - partBits)) & (1 << partBits - 1)
    return 1 + (power - firstPower) << partBits + part
  }

  /// Lowest duration of a bucket, microseconds.
  public static func lowerBound(of bucket: Int) -> Int64 {
    guard bucket > 0 else { return 0 }
    guard bucket < bucketCount - 1 else { return 1 << Int64(lastPower) }
    let power = firstPower + (bucket - 1) >> partBits
    let part = Int64((bucket - 1) & (1 << partBits - 1))
    return (1 << Int64(partBits) + part) << Int64(power - partBits)
  }

  /// First duration above a bucket, microseconds; nil for the last one, which has no end.
  public static func upperBound(of bucket: Int) -> Int64? {
    bucket < bucketCount - 1 ? lowerBound(of: bucket + 1) : nil
  }

  /// Counts one duration, or several equal ones.
  public mutating func add(_ microseconds: Int64, count: Int64 = 1) {
    counts[Self.bucket(of: microseconds)] += count
  }

  /// Adds a number of values to a bucket; a bucket that does not exist is ignored.
  public mutating func add(bucket: Int, count: Int64) {
    guard counts.indices.contains(bucket) else { return }
    counts[bucket] += count
  }

  /// Adds all values of another histogram.
  public mutating func merge(_ other: Histogram) {
    for bucket in counts.indices { counts[bucket] += other.counts[bucket] }
  }

  /// The counts as they are stored: `bucket:count` pairs of the buckets that hold something,
  /// separated by blanks, in order.
  public var text: String {
    var parts: [String] = []
    for (bucket, count) in counts.enumerated() where count != 0 {
      parts.append("\(bucket):\(count)")
    }
    return parts.joined(separator: " ")
  }

  /// The histogram of a stored text; nil if the text has another form.
  public init?(text: String) {
    self.init()
    for pair in text.split(separator: " ") {
      let halves = pair.split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count == 2, let bucket = Int(halves[0]), let count = Int64(halves[1]),
        counts.indices.contains(bucket), count >= 0
      else { return nil }
      counts[bucket] += count
    }
  }
}
