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
    /// Only if each notification is taken for itself: so many of them went to so few phones that a
    /// few phones may be all there is to it.
    case fewPhones = "few-phones"
    /// One side has fewer than ``ComparedRate/leastTold`` that can be told.
    case tooFew = "too-few"
  }

  /// The first cohort.
  public let baseline: Tally
  /// The second cohort.
  public let candidate: Tally
  /// Difference of the shares of those told, second minus first; nil if a side has none.
  public let difference: Double?
  /// What chance alone leaves open around the difference, 95 %; as ``StratifiedRate/interval``.
  public let interval: Interval?
  /// The same around the shares of each side.
  public let intervals: (baseline: Interval?, candidate: Interval?)
  /// Probability of such a difference by chance, not adjusted, if each notification is taken for
  /// itself.
  public let rawProbability: Double
  /// The same if all that was sent to one phone is taken together; nil where phones are not known.
  public let probabilityOfPhones: Double?
  /// The larger one of both, adjusted for the number of rows compared.
  public let probability: Double
  /// Phones with a broken notification on the side that has more; broken notifications where
  /// phones are not known.
  public let carriers: Int
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
  /// Fewest phones with a broken notification, on the side that has more, for a word: one or two are
  /// an accident, however small the other side is, and their spread cannot be seen. Where phones are
  /// not known, as many notifications.
  public static let leastCarriers = 3
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
  /// A word is also given only if the difference stands with all that was sent to one phone taken
  /// together, where phones are known (``Word/fewPhones``).
  ///
  /// Where `strata` has, for each pair, the same counts on phones that are alike, the mix of phones is
  /// weighed too. A word is taken back (``Word/shiftedMix``) if phones that are alike show no such
  /// difference and speak against one of that size; and where they alone show a difference, or the
  /// opposite one, they decide. They are only asked where enough notifications are on such phones.
  public static func over(
    _ pairs: [Strata.Pair], strata: [[Strata]] = []
  ) -> [ComparedRate] {
    let wholes = pairs.map { StratifiedRate([$0]) }
    let adjusted = Proportion.adjusted(wholes.map { $0?.probability ?? 1 })
    let ofNotifications = Proportion.adjusted(
      wholes.map { $0?.probabilityOfNotifications ?? 1 })
    var rates = pairs.indices.map { place in
      ComparedRate(
        pairs[place], wholes[place], probability: adjusted[place],
        ofNotifications: ofNotifications[place])
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

  /// Compares pairs of which only the counts are known.
  public static func over(
    _ pairs: [(baseline: Tally, candidate: Tally)], strata: [[Strata]] = []
  ) -> [ComparedRate] {
    over(
      pairs.map { Strata.Pair(baseline: $0.baseline, candidate: $0.candidate) }, strata: strata)
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
      && rate.carriersOfMore >= ComparedRate.leastCarriers
      && (rate.difference > 0) == (differenceOfAll > 0)
    let isSame = (rate.difference > 0) == (difference > 0)
    let isOpen = word == .noDifference || word == .fewPhones
    if isOpen ? differs : differs && !isSame {
      word = rate.difference > 0 ? .more : .fewer
    } else if !isOpen, !rate.interval.contains(difference),
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

  private init(
    _ pair: Strata.Pair, _ whole: StratifiedRate?, probability: Double, ofNotifications: Double
  ) {
    baseline = pair.baseline
    candidate = pair.candidate
    self.probability = probability
    rawProbability = whole?.probabilityOfNotifications ?? 1
    probabilityOfPhones = whole?.probabilityOfPhones
    difference = whole?.difference
    interval = whole?.interval
    carriers = whole?.carriersOfMore ?? 0
    let effects = whole?.designEffects ?? (1, 1)
    intervals = (
      baseline.interval(designEffect: effects.0), candidate.interval(designEffect: effects.1)
    )
    guard let whole, let first = baseline.shareOfTold, let second = candidate.shareOfTold,
      let firstOfAll = baseline.shareIfUnknownFine, let secondOfAll = candidate.shareIfUnknownFine
    else {
      word = .tooFew
      holdsWhateverUnknown = false
      return
    }
    holdsWhateverUnknown = false
    let differs = (second > first) == (secondOfAll > firstOfAll)
    if min(baseline.told, candidate.told) < ComparedRate.leastTold {
      word = .tooFew
    } else if differs, probability < ComparedRate.limit, !whole.interval.contains(0),
      carriers >= ComparedRate.leastCarriers
    {
      word = second > first ? .more : .fewer
      holdsWhateverUnknown = staysWhateverUnknown(effects)
    } else if differs, ofNotifications < ComparedRate.limit, probabilityOfPhones != nil {
      word = .fewPhones
    } else {
      word = .noDifference
    }
  }

  /// Whether the difference keeps its sign with every unknown counted against the word: the unknowns
  /// of the side that has more all fine, those of the other one all broken.
  private func staysWhateverUnknown(_ effects: (baseline: Double, candidate: Double)) -> Bool {
    guard baseline.concerned > 0, candidate.concerned > 0 else { return false }
    let isMore = word == .more
    func worst(_ tally: Tally, isBroken: Bool) -> Double {
      let broken = isBroken ? tally.broken + tally.undetermined : tally.broken
      return Double(min(tally.concerned, broken)) / Double(tally.concerned)
    }
    let interval = Proportion.difference(
      worst(baseline, isBroken: isMore), of: Double(baseline.concerned) / effects.baseline,
      worst(candidate, isBroken: !isMore), of: Double(candidate.concerned) / effects.candidate)
    return isMore ? interval.low > 0 : interval.high < 0
  }

  /// Whether both are the same.
  public static func == (left: ComparedRate, right: ComparedRate) -> Bool {
    left.baseline == right.baseline && left.candidate == right.candidate
      && left.rawProbability == right.rawProbability && left.probability == right.probability
      && left.probabilityOfPhones == right.probabilityOfPhones && left.interval == right.interval
      && left.intervals == right.intervals && left.carriers == right.carriers
      && left.word == right.word && left.mix == right.mix && left.alike == right.alike
      && left.difference == right.difference
      && left.holdsWhateverUnknown == right.holdsWhateverUnknown
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
  /// Causes: findings of "more" first, then "fewer", then what a shifted mix explains, then
  /// what few phones have, then the rest; largest difference first.
  public let causes: [Row]
  /// Broken in any way; a single comparison, not adjusted.
  public let all: ComparedRate

  /// Works out the comparison of these counts.
  public init(_ tables: ComparisonTables) {
    let rates = ComparedRate.over(
      tables.causes.map {
        Strata.Pair(
          baseline: $0.baseline, candidate: $0.candidate, baselineSpread: $0.baselineSpread,
          candidateSpread: $0.candidateSpread)
      }, strata: tables.causes.map(\.strata))
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
        [
          Strata.Pair(
            baseline: tables.baseline.judgements.tally,
            candidate: tables.candidate.judgements.tally,
            baselineSpread: tables.baseline.spread, candidateSpread: tables.candidate.spread)
        ],
        strata: [
          tables.mixes.map { mix in
            Strata(
              kind: mix.kind,
              pairs: mix.rows.map {
                Strata.Pair(
                  baseline: $0.baseline.tally, candidate: $0.candidate.tally,
                  baselineSpread: $0.baselineSpread, candidateSpread: $0.candidateSpread)
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
    case .fewPhones: 3
    case .noDifference: 4
    case .tooFew: 5
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
