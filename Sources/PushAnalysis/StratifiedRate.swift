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
  /// from the variances it keeps its width where a stratum has no hits. Where installations are known,
  /// each side counts as many notifications as would tell its share as well if each had gone to a
  /// phone of its own (``designEffects``).
  public let interval: Interval
  /// Probability of such a difference by chance if no stratum had one, not adjusted, if each
  /// notification is taken for itself: the test of Cochran, Mantel and Haenszel, or the exact one's
  /// mid-p for small counts.
  public let probabilityOfNotifications: Double
  /// The same if all that was sent to one installation is taken together; nil where installations
  /// are not known.
  public let probabilityOfPhones: Double?
  /// The larger one of both: a difference has to stand either way.
  public var probability: Double { max(probabilityOfNotifications, probabilityOfPhones ?? 0) }
  /// Notifications that can be told in strata that both sides have.
  public let comparable: (baseline: Int, candidate: Int)
  /// Installations with a broken notification; broken notifications where installations are not
  /// known.
  public let carriers: (baseline: Int, candidate: Int)
  /// By what the variance of each side's share is larger than if its notifications were independent,
  /// at least 1 (Rao and Scott, Biometrics 48 (1992) 577). A side whose notifications are all alike
  /// shows none: the other side's counts.
  public let designEffects: (baseline: Double, candidate: Double)

  /// ``carriers`` of the side that has more.
  var carriersOfMore: Int { difference > 0 ? carriers.candidate : carriers.baseline }

  /// Compares within strata; nil if no stratum has something to tell on both sides.
  public init?(_ pairs: [Strata.Pair]) {
    let tables = pairs.filter { $0.baseline.told > 0 && $0.candidate.told > 0 }.map {
      Fourfold(
        min($0.baseline.broken, $0.baseline.told), of: $0.baseline.told,
        min($0.candidate.broken, $0.candidate.told), of: $0.candidate.told)
    }
    guard !tables.isEmpty else { return nil }
    comparable = tables.reduce((0, 0)) { ($0.0 + $1.firstTotal, $0.1 + $1.secondTotal) }
    let spreads = pairs.compactMap(SpreadTable.init)
    let isSpread = spreads.count == tables.count
    var carriers = (baseline: 0, candidate: 0)
    if isSpread {
      for spread in spreads {
        carriers.baseline += spread.first.carriers.count
        carriers.candidate += spread.second.carriers.count
      }
    } else {
      for table in tables {
        carriers.baseline += table.firstHits
        carriers.candidate += table.secondHits
      }
    }
    self.carriers = carriers
    let weights = tables.map {
      Double($0.firstTotal) * Double($0.secondTotal) / Double($0.total)
    }
    let sum = weights.reduce(0, +)
    var first = Side()
    var second = Side()
    for (place, table) in tables.enumerated() {
      let weight = weights[place] / sum
      let spread = isSpread ? spreads[place] : nil
      first.add(table.firstHits, of: table.firstTotal, weight: weight, spread: spread?.first)
      second.add(table.secondHits, of: table.secondTotal, weight: weight, spread: spread?.second)
    }
    let effects = (first.designEffect, second.designEffect)
    let effectOfFirst = max(1, effects.0 ?? effects.1 ?? 1)
    let effectOfSecond = max(1, effects.1 ?? effects.0 ?? 1)
    designEffects = (effectOfFirst, effectOfSecond)
    difference = second.share - first.share
    interval = Proportion.difference(
      first.share, of: first.size / effectOfFirst,
      second.share, of: second.size / effectOfSecond)
    probabilityOfNotifications = Proportion.probability(tables)
    probabilityOfPhones =
      isSpread ? Proportion.ofPhones(spreads, difference: second.share - first.share) : nil
  }

  /// One side, its strata put together.
  private struct Side {
    /// Weighted share.
    var share = 0.0
    /// Sum of the squared weights by their denominators: the variance of ``share``, but for the factor
    /// of the share itself.
    private var spread = 0.0
    /// Variance of ``share`` if notifications are independent.
    private var independent = 0.0
    /// The same as installations differ, but for ``correction``.
    private var clustered = 0.0
    private var installations = 0
    /// How many notifications of one stratum would tell the share as well.
    var size: Double { 1 / spread }

    mutating func add(_ hits: Int, of total: Int, weight: Double, spread known: PhoneSpread?) {
      let count = Double(total)
      let part = Double(hits) / count
      share += weight * part
      spread += weight * weight / count
      independent += weight * weight * part * (1 - part) / count
      guard let known else { return }
      clustered += weight * weight * known.squaredResiduals(part) / (count * count)
      installations += known.installations
    }

    /// Nil where nothing shows it: no installations, only one, or notifications that are all alike.
    var designEffect: Double? {
      guard independent > 0, installations > 1 else { return nil }
      let correction = Double(installations) / Double(installations - 1)
      return clustered / independent * correction
    }
  }

  /// Whether both are the same.
  public static func == (left: StratifiedRate, right: StratifiedRate) -> Bool {
    left.difference == right.difference && left.interval == right.interval
      && left.probabilityOfNotifications == right.probabilityOfNotifications
      && left.probabilityOfPhones == right.probabilityOfPhones
      && left.comparable == right.comparable && left.carriers == right.carriers
      && left.designEffects == right.designEffects
  }
}

extension SpreadTable {
  /// A stratum that both sides have; nil where it is none, or installations are not known.
  fileprivate init?(_ pair: Strata.Pair) {
    guard pair.baseline.told > 0, pair.candidate.told > 0, let first = pair.baselineSpread,
      let second = pair.candidateSpread
    else { return nil }
    hits = Fourfold(
      min(pair.baseline.broken, pair.baseline.told), of: pair.baseline.told,
      min(pair.candidate.broken, pair.candidate.told), of: pair.candidate.told)
    self.first = first
    self.second = second
  }
}
