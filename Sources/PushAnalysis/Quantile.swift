public import PushModel

/// A quantile read from a histogram: only the bucket it lies in is known.
public struct Quantile: Equatable, Sendable {
  /// Lowest duration of that bucket, microseconds.
  public let low: Int64
  /// First duration above it, microseconds; nil if the bucket has no end.
  public let high: Int64?

  /// The middle of the bucket, microseconds; its low end if it has no end.
  public var middle: Int64 {
    guard let high else { return low }
    return low + (high - low) / 2
  }
}

extension Histogram {
  /// Largest distance of ``Quantile/middle`` from the true quantile, as a share of that quantile,
  /// for durations from 1.024 ms to 19 h: half a bucket, which is an eighth of its low end wide.
  public static let quantileError = 1.0 / 16

  /// The quantile by nearest rank: the smallest duration that at least this share does not exceed.
  ///
  /// - Parameter share: above 0, up to 1.
  /// - Returns: nil without values.
  public func quantile(_ share: Double) -> Quantile? {
    let total = total
    guard total > 0 else { return nil }
    let rank = min(total, max(1, Int64((share * Double(total)).rounded(.up))))
    var passed: Int64 = 0
    for bucket in counts.indices {
      passed += counts[bucket]
      if passed >= rank {
        return Quantile(
          low: Histogram.lowerBound(of: bucket), high: Histogram.upperBound(of: bucket))
      }
    }
    return nil
  }
}
