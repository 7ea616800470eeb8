import Foundation

extension Proportion {
  /// Lowest expected count in all four cells from which the normal approximation is used.
  static let leastExpected = 5.0

  /// Probability of a difference at least as large as this one if both shares were equal.
  ///
  /// The mid-p form of Fisher's exact test where a cell expects fewer than five, else the score
  /// test (Pearson's without continuity correction).
  /// - Returns: a probability, 0 to 1; 1 if either side has no denominator.
  public static func probability(
    _ firstHits: Int, of firstTotal: Int, _ secondHits: Int, of secondTotal: Int
  ) -> Double {
    guard firstTotal > 0, secondTotal > 0, (0...firstTotal).contains(firstHits),
      (0...secondTotal).contains(secondHits)
    else { return 1 }
    let hits = Double(firstHits) + Double(secondHits)
    let total = Double(firstTotal) + Double(secondTotal)
    guard hits > 0, hits < total else { return 1 }
    let smaller = Double(min(firstTotal, secondTotal)) / total
    if min(hits, total - hits) * smaller < leastExpected {
      return midP(firstHits, of: firstTotal, secondHits, of: secondTotal)
    }
    return score(firstHits, of: firstTotal, secondHits, of: secondTotal)
  }

  /// Two-sided score test with the pooled share.
  static func score(
    _ firstHits: Int, of firstTotal: Int, _ secondHits: Int, of secondTotal: Int
  ) -> Double {
    let first = Double(firstTotal)
    let second = Double(secondTotal)
    let pooled = (Double(firstHits) + Double(secondHits)) / (first + second)
    let error = (pooled * (1 - pooled) * (1 / first + 1 / second)).squareRoot()
    guard error > 0 else { return 1 }
    let distance = abs(Double(secondHits) / second - Double(firstHits) / first) / error
    return min(1, erfc(distance / 2.0.squareRoot()))
  }

  /// Two-sided mid-p of Fisher's exact test: tables that are less probable than the one seen count
  /// in full, those equally probable (the one seen included) by half.
  static func midP(
    _ firstHits: Int, of firstTotal: Int, _ secondHits: Int, of secondTotal: Int
  ) -> Double {
    midP([Fourfold(firstHits, of: firstTotal, secondHits, of: secondTotal)])
  }

  /// Adjusts the probabilities of several tests so that a limit on them limits the expected share
  /// of false findings (Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995) 289).
  ///
  /// - Returns: adjusted probabilities in the order given.
  public static func adjusted(_ probabilities: [Double]) -> [Double] {
    let order = probabilities.indices.sorted {
      (probabilities[$0], $0) < (probabilities[$1], $1)
    }
    var result = probabilities
    var least = 1.0
    for (rank, place) in order.enumerated().reversed() {
      least = min(least, probabilities[place] * Double(order.count) / Double(rank + 1))
      result[place] = least
    }
    return result
  }
}
