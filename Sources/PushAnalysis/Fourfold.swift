import Foundation

/// Hits of two sides in one stratum.
struct Fourfold {
  var firstHits: Int
  var firstTotal: Int
  var secondHits: Int
  var secondTotal: Int

  /// Hits of both sides; each has at most as many as its total.
  init(_ firstHits: Int, of firstTotal: Int, _ secondHits: Int, of secondTotal: Int) {
    self.firstHits = firstHits
    self.firstTotal = firstTotal
    self.secondHits = secondHits
    self.secondTotal = secondTotal
  }

  var total: Int { firstTotal + secondTotal }
  var hits: Int { firstHits + secondHits }
  /// Fewest and most hits that the second side can have, given the totals and all hits.
  var possible: ClosedRange<Int> { max(0, hits - firstTotal)...min(hits, secondTotal) }
  /// Hits that the second side has on average if both sides' shares are equal.
  var expected: Double {
    total > 0 ? Double(secondTotal) * Double(hits) / Double(total) : 0
  }
  /// The variance of that number.
  var variance: Double {
    guard total > 1 else { return 0 }
    let all = Double(total)
    return Double(firstTotal) * Double(secondTotal) * Double(hits) * (all - Double(hits))
      / (all * all * (all - 1))
  }

  /// Probability of each number of hits of the second side if both shares are equal, over
  /// ``possible``: the hypergeometric distribution.
  ///
  /// The weights are walked outwards from the most probable table by their ratios, so no logarithm of
  /// a factorial is needed and large margins do not overflow.
  var distribution: [Double] {
    let range = possible
    let mode = min(
      range.upperBound,
      max(
        range.lowerBound,
        Int((Double(hits) + 1) * (Double(secondTotal) + 1) / (Double(total) + 2))))
    var weights = [Double](repeating: 0, count: range.count)
    weights[mode - range.lowerBound] = 1
    var table = mode
    while table < range.upperBound {
      let ratio =
        Double(secondTotal - table) * Double(hits - table)
        / (Double(table + 1) * Double(firstTotal - hits + table + 1))
      weights[table + 1 - range.lowerBound] = weights[table - range.lowerBound] * ratio
      table += 1
    }
    table = mode
    while table > range.lowerBound {
      let ratio =
        Double(table) * Double(firstTotal - hits + table)
        / (Double(secondTotal - table + 1) * Double(hits - table + 1))
      weights[table - 1 - range.lowerBound] = weights[table - range.lowerBound] * ratio
      table -= 1
    }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }
}

extension Proportion {
  /// Probability of a difference at least as large as the one seen if in no stratum the sides
  /// differed: the same rule as for one table, over all of them.
  ///
  /// The test of Cochran, Mantel and Haenszel without continuity correction, of one table the score
  /// test; of small counts (``isSmall(_:)``) the mid-p of the exact conditional test.
  /// - Returns: a probability, 0 to 1; 1 if no table can differ.
  static func probability(_ tables: [Fourfold]) -> Double {
    let telling = tables.filter { $0.possible.count > 1 }
    guard !telling.isEmpty else { return 1 }
    guard !isSmall(telling) else { return midP(telling) }
    if telling.count == 1, let only = telling.first {
      return score(only.firstHits, of: only.firstTotal, only.secondHits, of: only.secondTotal)
    }
    let excess = telling.reduce(0) { $0 + Double($1.secondHits) - $1.expected }
    let variance = telling.reduce(0) { $0 + $1.variance }
    return min(1, erfc(abs(excess) / (2 * variance).squareRoot()))
  }

  /// Whether the normal approximation is not to be used: the second side's hits lie on average fewer
  /// than five from the fewest or from the most that they can be (Mantel and Fleiss, Am. J. Epidemiol.
  /// 112 (1980) 129). Of one table: where one of the four cells expects fewer than five.
  static func isSmall(_ tables: [Fourfold]) -> Bool {
    let room = tables.reduce((below: 0.0, above: 0.0)) {
      (
        $0.below + $1.expected - Double($1.possible.lowerBound),
        $0.above + Double($1.possible.upperBound) - $1.expected
      )
    }
    return min(room.below, room.above) < leastExpected
  }

  /// Two-sided mid-p of the exact test that no stratum has a difference, given the totals and all hits
  /// of each: the second side's hits are a sum of independent hypergeometric numbers. Sums that are
  /// less probable than the one seen count in full, those equally probable (itself included) by half.
  static func midP(_ tables: [Fourfold]) -> Double {
    var weights = [1.0]
    var seen = 0
    for table in tables {
      weights = convolved(weights, table.distribution)
      seen += table.secondHits - table.possible.lowerBound
    }
    let weight = weights[seen]
    // Equal sums differ by rounding alone.
    let tolerance = weight * 1e-9
    var tail = 0.0
    for other in weights {
      if other < weight - tolerance {
        tail += other
      } else if other <= weight + tolerance {
        tail += other / 2
      }
    }
    return min(1, tail)
  }

  /// The distribution of a sum of two independent counts.
  private static func convolved(_ left: [Double], _ right: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: left.count + right.count - 1)
    // What is below this changes no digit, and would be slow to multiply.
    for (place, weight) in left.enumerated() where weight > 1e-300 {
      for (offset, other) in right.enumerated() { sums[place + offset] += weight * other }
    }
    return sums
  }
}
