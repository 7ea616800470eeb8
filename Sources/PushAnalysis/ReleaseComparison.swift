public import PushModel

/// One rate of two cohorts, their difference, and what can be said of it.
public struct ComparedRate: Equatable, Sendable {
  /// What can be said.
  public enum Word: String, Sendable, CaseIterable {
    /// The second cohort has more.
    case more
    /// The second cohort has fewer.
    case fewer
    /// Nothing that these numbers can show.
    case noDifference = "no-difference"
    /// One side has fewer than ``ComparedRate/leastTold`` that can be told.
    case tooFew = "too-few"
  }

  /// The first cohort.
  public let baseline: Tally
  /// The second cohort.
  public let candidate: Tally
  /// Difference of the shares of those told, second minus first; nil if a side has none.
  public let difference: Double?
  /// What chance alone leaves open around the difference, 95 %.
  public let interval: Interval?
  /// Probability of such a difference by chance, not adjusted.
  public let rawProbability: Double
  /// The same, adjusted for the number of rows compared.
  public let probability: Double
  /// What can be said.
  public let word: Word
  /// Whether the word stays the same with every unknown counted against it.
  public let holdsWhateverUnknown: Bool

  /// Limit on the adjusted probability.
  public static let limit = 0.05
  /// Fewest notifications that can be told, on each side, for a word: the mid-p test calls a single
  /// broken notification of one a finding as soon as the other side's rate is below a tenth.
  public static let leastTold = 5

  /// Compares pairs; the probabilities are adjusted over all of them.
  ///
  /// Rates are of the notifications that can be told. A word is given only if the shares of all
  /// notifications (every unknown fine) differ in the same direction: otherwise the difference may
  /// come from coverage alone.
  public static func over(_ pairs: [(baseline: Tally, candidate: Tally)]) -> [ComparedRate] {
    let raw = pairs.map { pair in
      Proportion.probability(
        min(pair.baseline.broken, pair.baseline.told), of: pair.baseline.told,
        min(pair.candidate.broken, pair.candidate.told), of: pair.candidate.told)
    }
    let adjusted = Proportion.adjusted(raw)
    return pairs.indices.map { place in
      ComparedRate(
        baseline: pairs[place].baseline, candidate: pairs[place].candidate,
        rawProbability: raw[place], probability: adjusted[place])
    }
  }

  private init(
    baseline: Tally, candidate: Tally, rawProbability: Double, probability: Double
  ) {
    self.baseline = baseline
    self.candidate = candidate
    self.rawProbability = rawProbability
    self.probability = probability
    interval = Proportion.difference(
      min(baseline.broken, baseline.told), of: baseline.told,
      min(candidate.broken, candidate.told), of: candidate.told)
    guard let first = baseline.shareOfTold, let second = candidate.shareOfTold,
      let firstOfAll = baseline.shareIfUnknownFine, let secondOfAll = candidate.shareIfUnknownFine
    else {
      difference = nil
      word = .tooFew
      holdsWhateverUnknown = false
      return
    }
    difference = second - first
    if min(baseline.told, candidate.told) < ComparedRate.leastTold {
      word = .tooFew
      holdsWhateverUnknown = false
    } else if probability >= ComparedRate.limit || (second > first) != (secondOfAll > firstOfAll) {
      word = .noDifference
      holdsWhateverUnknown = false
    } else if second > first {
      word = .more
      // Worst case against "more": the first side's unknowns all broken, the second's all fine.
      let worst = Proportion.difference(
        min(baseline.concerned, baseline.broken + baseline.undetermined), of: baseline.concerned,
        candidate.broken, of: candidate.concerned)
      holdsWhateverUnknown = (worst?.low ?? 0) > 0
    } else {
      word = .fewer
      let worst = Proportion.difference(
        baseline.broken, of: baseline.concerned,
        min(candidate.concerned, candidate.broken + candidate.undetermined),
        of: candidate.concerned)
      holdsWhateverUnknown = (worst?.high ?? 0) < 0
    }
  }
}

/// What two releases' counts say.
public struct ReleaseComparison: Equatable, Sendable {
  /// One cause.
  public struct Row: Equatable, Sendable {
    /// Its counts.
    public let counts: ComparedCause
    /// What they say.
    public let rate: ComparedRate
  }
  /// Causes: findings of "more" first, then "fewer", then the rest; largest difference first.
  public let causes: [Row]
  /// Broken in any way; a single comparison, not adjusted.
  public let all: ComparedRate

  /// Works out the comparison of these counts.
  public init(_ tables: ComparisonTables) {
    let rates = ComparedRate.over(tables.causes.map { ($0.baseline, $0.candidate) })
    let rows = zip(tables.causes, rates).map { Row(counts: $0, rate: $1) }
    causes = rows.sorted { left, right in
      let ranks = (Self.rank(left.rate.word), Self.rank(right.rate.word))
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
      let sizes = (abs(left.rate.difference ?? 0), abs(right.rate.difference ?? 0))
      if sizes.0 != sizes.1 { return sizes.0 > sizes.1 }
      return Self.key(left.counts) < Self.key(right.counts)
    }
    all =
      ComparedRate.over([
        (tables.baseline.judgements.tally, tables.candidate.judgements.tally)
      ])[0]
  }

  /// Whether the candidate is worse: more broken as a whole, or more of at least one cause.
  public var isRegression: Bool {
    all.word == .more || causes.contains { $0.rate.word == .more }
  }

  private static func rank(_ word: ComparedRate.Word) -> Int {
    switch word {
    case .more: 0
    case .fewer: 1
    case .noDifference: 2
    case .tooFew: 3
    }
  }

  private static func key(_ cause: ComparedCause) -> String {
    "\(cause.step.rawValue) \(cause.cause?.rawValue ?? "")"
  }
}
