public import PushModel

/// The difference of two cohorts' rates among phones that are alike, put together over all kinds of
/// phones: what is left of a difference when both sides have the same mix.
///
/// Strata in which one side has nothing that can be told compare nothing and are left out.
public struct StratifiedRate: Equatable, Sendable {
  /// Mantel and Haenszel's weighted difference of the shares of those told, second minus first.
  public let difference: Double
  /// Its 95 % interval: Newcombe's, with the strata put together as Wilson's intervals of both sides
  /// (Yan and Su, Stat. Biopharm. Res. 2 (2010) 329, with Mantel and Haenszel's weights). Unlike one
  /// from the variances it keeps its width where a stratum has no hits.
  public let interval: Interval
  /// Probability of such a difference by chance if no stratum had one, not adjusted: the test of
  /// Cochran, Mantel and Haenszel, or the exact one's mid-p for small counts.
  public let probability: Double
  /// Notifications that can be told in strata that both sides have.
  public let comparable: (baseline: Int, candidate: Int)
  /// Of those, broken ones.
  public let broken: (baseline: Int, candidate: Int)

  /// Compares within strata; nil if no stratum has something to tell on both sides.
  public init?(_ pairs: [Strata.Pair]) {
    let tables = pairs.filter { $0.baseline.told > 0 && $0.candidate.told > 0 }.map {
      Fourfold(
        min($0.baseline.broken, $0.baseline.told), of: $0.baseline.told,
        min($0.candidate.broken, $0.candidate.told), of: $0.candidate.told)
    }
    guard !tables.isEmpty else { return nil }
    comparable = tables.reduce((0, 0)) { ($0.0 + $1.firstTotal, $0.1 + $1.secondTotal) }
    broken = tables.reduce((0, 0)) { ($0.0 + $1.firstHits, $0.1 + $1.secondHits) }
    let weights = tables.map {
      Double($0.firstTotal) * Double($0.secondTotal) / Double($0.total)
    }
    let sum = weights.reduce(0, +)
    var first = Side()
    var second = Side()
    for (table, weight) in zip(tables, weights) {
      first.add(table.firstHits, of: table.firstTotal, weight: weight / sum)
      second.add(table.secondHits, of: table.secondTotal, weight: weight / sum)
    }
    difference = second.share - first.share
    interval = Proportion.difference(
      first.share, of: first.size, second.share, of: second.size)
    probability = Proportion.probability(tables)
  }

  /// One side, its strata put together.
  private struct Side {
    /// Weighted share.
    var share = 0.0
    /// Sum of the squared weights by their denominators: the variance of ``share``, but for the factor
    /// of the share itself.
    private var spread = 0.0
    /// How many notifications of one stratum would tell the share as well.
    var size: Double { 1 / spread }

    mutating func add(_ hits: Int, of total: Int, weight: Double) {
      share += weight * Double(hits) / Double(total)
      spread += weight * weight / Double(total)
    }
  }

  /// Whether both are the same.
  public static func == (left: StratifiedRate, right: StratifiedRate) -> Bool {
    left.difference == right.difference && left.interval == right.interval
      && left.probability == right.probability && left.comparable == right.comparable
      && left.broken == right.broken
  }
}
