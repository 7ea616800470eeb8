import Foundation
public import PushModel

/// The difference of two cohorts' rates among phones that are alike, put together over all kinds of
/// phones: what is left of a difference when both sides have the same mix.
///
/// Strata in which one side has nothing that can be told compare nothing and are left out.
public struct StratifiedRate: Equatable, Sendable {
  /// Mantel and Haenszel's weighted difference of the shares of those told, second minus first.
  public let difference: Double
  /// Its 95 % interval. Greenland and Robins, Biometrics 41 (1985) 55.
  public let interval: Interval
  /// Probability of such a difference by chance if no stratum had one: Cochran, Mantel and Haenszel,
  /// without continuity correction, not adjusted.
  public let probability: Double
  /// Notifications that can be told in strata that both sides have.
  public let comparable: (baseline: Int, candidate: Int)

  /// Compares within strata; nil if no stratum has something to tell on both sides.
  public init?(_ pairs: [Strata.Pair]) {
    var weights = 0.0
    var differences = 0.0
    var variance = 0.0
    var excess = 0.0
    var spread = 0.0
    var told = (baseline: 0, candidate: 0)
    for pair in pairs where pair.baseline.told > 0 && pair.candidate.told > 0 {
      told.baseline += pair.baseline.told
      told.candidate += pair.candidate.told
      let first = Double(pair.baseline.told)
      let second = Double(pair.candidate.told)
      let firstHits = Double(min(pair.baseline.broken, pair.baseline.told))
      let secondHits = Double(min(pair.candidate.broken, pair.candidate.told))
      let all = first + second
      let hits = firstHits + secondHits
      let weight = first * second / all
      let shares = (firstHits / first, secondHits / second)
      weights += weight
      differences += weight * (shares.1 - shares.0)
      variance +=
        weight * weight * (shares.0 * (1 - shares.0) / first + shares.1 * (1 - shares.1) / second)
      excess += secondHits - second * hits / all
      if all > 1 { spread += first * second * hits * (all - hits) / (all * all * (all - 1)) }
    }
    guard weights > 0 else { return nil }
    comparable = told
    difference = differences / weights
    let reach = Proportion.z95 * variance.squareRoot() / weights
    interval = Interval(max(-1, difference - reach), min(1, difference + reach))
    probability = spread > 0 ? min(1, erfc(abs(excess) / (2 * spread).squareRoot())) : 1
  }

  /// Whether both are the same.
  public static func == (left: StratifiedRate, right: StratifiedRate) -> Bool {
    left.difference == right.difference && left.interval == right.interval
      && left.probability == right.probability && left.comparable == right.comparable
  }
}
