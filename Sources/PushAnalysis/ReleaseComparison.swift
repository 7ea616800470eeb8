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
    /// The rates differ, but not among phones that are alike: the mix of phones does.
    case shiftedMix = "shifted-mix"
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
  public private(set) var word: Word
  /// The mix of phones that explains the difference (``Word/shiftedMix``), or hid it before phones
  /// that are alike were compared.
  public private(set) var mix: MixKind?
  /// The difference among phones that are alike.
  public private(set) var alike: [MixKind: StratifiedRate] = [:]
  /// Whether the word stays the same with every unknown counted against it.
  public private(set) var holdsWhateverUnknown: Bool

  /// Limit on the adjusted probability.
  public static let limit = 0.05
  /// Fewest notifications that can be told, on each side, for a word: the mid-p test calls a single
  /// broken notification of one a finding as soon as the other side's rate is below a tenth.
  public static let leastTold = 5
  /// Fewest broken notifications, on the side that has more, for a word: one or two are an
  /// accident, however small the other side is.
  public static let leastBroken = 3
  /// Fewest notifications that can be told on phones that both sides have, on each side, for a word
  /// that comes from them.
  public static let leastComparable = 30
  /// Least part of one side's notifications that is on phones that both sides have, for such a word.
  public static let leastComparablePart = 0.5

  /// Compares pairs; the probabilities are adjusted over all of them.
  ///
  /// Rates are of the notifications that can be told. A word is given only if the shares of all
  /// notifications (every unknown fine) differ in the same direction: otherwise the difference may
  /// come from coverage alone.
  ///
  /// Where `strata` has, for each pair, the same counts on phones that are alike, the mix of phones is
  /// weighed too. A word is taken back (``Word/shiftedMix``) if phones that are alike show no such
  /// difference and speak against one of that size; and where they alone show a difference, or the
  /// opposite one, they decide. They are only asked where enough notifications are on such phones.
  public static func over(
    _ pairs: [(baseline: Tally, candidate: Tally)], strata: [[Strata]] = []
  ) -> [ComparedRate] {
    let raw = pairs.map { pair in
      Proportion.probability(
        min(pair.baseline.broken, pair.baseline.told), of: pair.baseline.told,
        min(pair.candidate.broken, pair.candidate.told), of: pair.candidate.told)
    }
    let adjusted = Proportion.adjusted(raw)
    var rates = pairs.indices.map { place in
      ComparedRate(
        baseline: pairs[place].baseline, candidate: pairs[place].candidate,
        rawProbability: raw[place], probability: adjusted[place])
    }
    guard strata.count == pairs.count else { return rates }
    for kind in MixKind.allCases {
      let pairs = strata.map { $0.first { $0.kind == kind }?.pairs ?? [] }
      let alike = pairs.map { StratifiedRate($0) }
      let adjusted = Proportion.adjusted(alike.map { $0?.probability ?? 1 })
      for place in rates.indices {
        guard let rate = alike[place] else { continue }
        let fine = StratifiedRate(pairs[place].map(\.ifUnknownFine))
        rates[place].weigh(
          kind, rate, probability: adjusted[place], differenceOfAll: fine?.difference ?? 0)
      }
    }
    return rates
  }

  /// Weighs the mix of phones. Two kinds of mix are looked at, so what only one of them shows needs
  /// half the probability.
  private mutating func weigh(
    _ kind: MixKind, _ rate: StratifiedRate, probability: Double, differenceOfAll: Double
  ) {
    alike[kind] = rate
    guard let difference, mix == nil, word != .tooFew, isLarge(rate) else { return }
    // Phones that are alike differ, whatever the mix is.
    let differs =
      probability < ComparedRate.limit / Double(MixKind.allCases.count)
      && !rate.interval.contains(0)
      && ComparedRate.hasEnough(rate.broken, difference: rate.difference)
      && (rate.difference > 0) == (differenceOfAll > 0)
    let isSame = (rate.difference > 0) == (difference > 0)
    if word == .noDifference ? differs : differs && !isSame {
      word = rate.difference > 0 ? .more : .fewer
    } else if word != .noDifference, !rate.interval.contains(difference),
      !(isSame && probability < ComparedRate.limit)
    {
      word = .shiftedMix
    } else {
      return
    }
    mix = kind
    holdsWhateverUnknown = false
  }

  /// Whether phones that both sides have carry enough of them to speak for the whole.
  private func isLarge(_ rate: StratifiedRate) -> Bool {
    let comparable = rate.comparable
    let part = max(
      Double(comparable.baseline) / Double(max(1, baseline.told)),
      Double(comparable.candidate) / Double(max(1, candidate.told)))
    return min(comparable.baseline, comparable.candidate) >= ComparedRate.leastComparable
      && part >= ComparedRate.leastComparablePart
  }

  /// Whether the side that has more has enough broken ones.
  private static func hasEnough(
    _ broken: (baseline: Int, candidate: Int), difference: Double
  ) -> Bool {
    (difference > 0 ? broken.candidate : broken.baseline) >= leastBroken
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
    } else if probability >= ComparedRate.limit || (second > first) != (secondOfAll > firstOfAll)
      || interval?.contains(0) ?? true
      || !ComparedRate.hasEnough((baseline.broken, candidate.broken), difference: second - first)
    {
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
  /// Causes: findings of "more" first, then "fewer", then what a shifted mix explains, then the rest;
  /// largest difference first.
  public let causes: [Row]
  /// Broken in any way; a single comparison, not adjusted.
  public let all: ComparedRate

  /// Works out the comparison of these counts.
  public init(_ tables: ComparisonTables) {
    let rates = ComparedRate.over(
      tables.causes.map { ($0.baseline, $0.candidate) }, strata: tables.causes.map(\.strata))
    let rows = zip(tables.causes, rates).map { Row(counts: $0, rate: $1) }
    causes = rows.sorted { left, right in
      let ranks = (Self.rank(left.rate.word), Self.rank(right.rate.word))
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
      let sizes = (abs(left.rate.difference ?? 0), abs(right.rate.difference ?? 0))
      if sizes.0 != sizes.1 { return sizes.0 > sizes.1 }
      return Self.key(left.counts) < Self.key(right.counts)
    }
    all =
      ComparedRate.over(
        [(tables.baseline.judgements.tally, tables.candidate.judgements.tally)],
        strata: [
          tables.mixes.map { mix in
            Strata(
              kind: mix.kind,
              pairs: mix.rows.map {
                Strata.Pair(baseline: $0.baseline.tally, candidate: $0.candidate.tally)
              })
          }
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
    case .shiftedMix: 2
    case .noDifference: 3
    case .tooFew: 4
    }
  }

  private static func key(_ cause: ComparedCause) -> String {
    "\(cause.step.rawValue) \(cause.cause?.rawValue ?? "")"
  }
}

extension Strata.Pair {
  /// The same with every unknown taken for fine.
  fileprivate var ifUnknownFine: Strata.Pair {
    func fine(_ tally: Tally) -> Tally {
      Tally(broken: tally.broken, concerned: tally.concerned)
    }
    return Strata.Pair(baseline: fine(baseline), candidate: fine(candidate))
  }
}
