/// Two ends of a range, low first.
public struct Interval: Equatable, Sendable {
  /// Low end.
  public let low: Double
  /// High end.
  public let high: Double

  /// A range; the ends may be given in any order.
  public init(_ first: Double, _ second: Double) {
    low = min(first, second)
    high = max(first, second)
  }

  /// Whether a value lies in it, ends included.
  public func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

/// Intervals and tests for shares of counts.
public enum Proportion {
  /// Two-sided 97.5 % point of the normal distribution: what makes an interval a 95 % one.
  public static let z95 = 1.959963984540054

  /// Wilson's score interval of a share, 95 %, without continuity correction.
  ///
  /// Unlike the textbook interval around the share it keeps inside 0…1 and works with no, or only,
  /// hits. Wilson, J. Am. Stat. Assoc. 22 (1927) 209.
  /// - Returns: nil without a denominator.
  public static func wilson(_ hits: Int, of total: Int) -> Interval? {
    guard total > 0, hits >= 0, hits <= total else { return nil }
    return wilson(Double(hits) / Double(total), of: Double(total))
  }

  /// The same of a share, 0 to 1, that is known as well as from `size` independent notifications;
  /// `size` is above 0 and need not be whole.
  static func wilson(_ share: Double, of size: Double) -> Interval {
    let square = z95 * z95
    let middle = share + square / (2 * size)
    let spread = z95 * (share * (1 - share) / size + square / (4 * size * size)).squareRoot()
    let scale = 1 + square / size
    // With no hits, or only hits, one end is exact; rounding must not move it.
    let low = share <= 0 ? 0 : max(0, (middle - spread) / scale)
    let high = share >= 1 ? 1 : min(1, (middle + spread) / scale)
    return Interval(low, high)
  }

  /// Newcombe's hybrid score interval of a difference of two shares (second minus first), 95 %.
  ///
  /// Newcombe, Statistics in Medicine 17 (1998) 873, method 10.
  /// - Returns: nil if either side has no denominator.
  public static func difference(
    _ firstHits: Int, of firstTotal: Int, _ secondHits: Int, of secondTotal: Int
  ) -> Interval? {
    guard firstTotal > 0, secondTotal > 0, (0...firstTotal).contains(firstHits),
      (0...secondTotal).contains(secondHits)
    else { return nil }
    return difference(
      Double(firstHits) / Double(firstTotal), of: Double(firstTotal),
      Double(secondHits) / Double(secondTotal), of: Double(secondTotal))
  }

  /// The same of two shares, 0 to 1, with their sizes as in ``wilson(_:of:)-(Double,_)``.
  static func difference(
    _ firstShare: Double, of firstSize: Double, _ secondShare: Double, of secondSize: Double
  ) -> Interval {
    let first = wilson(firstShare, of: firstSize)
    let second = wilson(secondShare, of: secondSize)
    let middle = secondShare - firstShare
    let below = hypotenuse(secondShare - second.low, first.high - firstShare)
    let above = hypotenuse(second.high - secondShare, firstShare - first.low)
    return Interval(max(-1, middle - below), min(1, middle + above))
  }

  private static func hypotenuse(_ left: Double, _ right: Double) -> Double {
    (left * left + right * right).squareRoot()
  }
}
