import Foundation
import PushModel

/// Both sides of one stratum with what their notifications are spread over.
struct SpreadTable {
  var hits: Fourfold
  var first: PhoneSpread
  var second: PhoneSpread

  /// Installations that have more than their part of the stratum's broken notifications: of rare ones
  /// those that have any. Who is one does not depend on how the installations are dealt to the sides.
  var aboveShare: Fourfold {
    func above(_ spread: PhoneSpread) -> Int {
      spread.carriers.count { $0.broken * hits.total > hits.hits * $0.told }
    }
    return Fourfold(above(first), of: first.installations, above(second), of: second.installations)
  }

  /// The variance of the second side's hits around what they are expected to be if both shares are
  /// equal, as the installations differ and not as chance among notifications would have it.
  var variance: Double {
    guard hits.total > 0 else { return 0 }
    let all = Double(hits.total)
    let share = Double(hits.hits) / all
    let parts = (Double(hits.firstTotal) / all, Double(hits.secondTotal) / all)
    return parts.0 * parts.0 * second.squaredResiduals(share)
      + parts.1 * parts.1 * first.squaredResiduals(share)
  }
}

extension PhoneSpread {
  /// Sum over the installations of the square of what each has beyond its part.
  func squaredResiduals(_ share: Double) -> Double {
    carriers.reduce(share * share * Double(squares)) { sum, carrier in
      let broken = Double(carrier.broken)
      return sum + broken * (broken - 2 * share * Double(carrier.told))
    }
  }
}

extension Proportion {
  /// Probability of a difference as large as the one seen if in no stratum the sides differed, and
  /// installations are dealt to the sides by chance with all that was sent to them.
  ///
  /// Where enough installations have more than their part (the rule of ``isSmall(_:)``), the score test
  /// with the variance between installations. Else the mid-p of the exact test of how many such
  /// installations each side has; 1 if they point the other way than `difference` does.
  static func ofPhones(_ tables: [SpreadTable], difference: Double) -> Double {
    let above = tables.map(\.aboveShare)
    if isSmall(above) {
      let excess = above.reduce(0) { $0 + Double($1.secondHits) - $1.expected }
      return excess * difference > 0 ? midP(above) : 1
    }
    let excess = tables.reduce(0) { $0 + Double($1.hits.secondHits) - $1.hits.expected }
    let variance = tables.reduce(0) { $0 + $1.variance }
    return variance > 0 ? min(1, erfc(abs(excess) / (2 * variance).squareRoot())) : 1
  }
}
