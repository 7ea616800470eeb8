import PushAnalysis
import PushModel
import Testing

@Suite struct RateTests {
  @Test("Unknowns bound a rate: 10 broken and 30 unknown of 200 is 5 % to 20 %")
  func bounds() {
    let tally = Tally(broken: 10, concerned: 200, undetermined: 30)
    #expect(tally.shareIfUnknownFine == 0.05)
    #expect(tally.shareIfUnknownBroken == 0.2)
    #expect(tally.told == 170)
    #expect(tally.shareOfTold == 10.0 / 170)
  }

  @Test("Without a denominator there is no rate")
  func empty() {
    #expect(Tally().shareIfUnknownFine == nil)
    #expect(Tally().shareIfUnknownBroken == nil)
    #expect(Tally().shareOfTold == nil)
    #expect(Tally().interval == nil)
    #expect(Tally(broken: 0, concerned: 5, undetermined: 5).shareOfTold == nil)
  }

  @Test("Conflicting evidence counts among the unknown")
  func judgements() {
    let counts = JudgementCounts(asMeant: 70, broken: 20, cannotTell: 9, conflicting: 1)
    #expect(counts.tally == Tally(broken: 20, concerned: 100, undetermined: 10))
  }
}

@Suite struct ChangeTests {
  /// Seven days with the same counts.
  private func days(_ broken: [Int], of concerned: Int = 1000) -> [DayTally] {
    broken.enumerated().map {
      DayTally(date: "d\($0.offset)", tally: Tally(broken: $0.element, concerned: concerned))
    }
  }

  private func word(_ broken: Int, of concerned: Int = 1000, after days: [DayTally])
    -> Change.Word
  {
    Change.over([(Tally(broken: broken, concerned: concerned), days)])[0].word
  }

  @Test("Twice the usual count is more, the usual count is nothing that can be shown")
  func more() {
    let usual = days([20, 22, 18, 19, 21, 20, 20])
    #expect(word(45, after: usual) == .more)
    #expect(word(21, after: usual) == .noDifference)
    #expect(word(3, after: usual) == .fewer)
  }

  @Test("Of one or two phones it is not more, however much; of three it is")
  func phones() {
    let usual = days([20, 22, 18, 19, 21, 20, 20])
    let row = (day: Tally(broken: 45, concerned: 1000), before: usual)
    let words = [1, 2, 3, nil].map { Change.over([row], phones: [$0])[0].word }
    #expect(words == [.fewPhones, .fewPhones, .more, .more])
  }

  @Test("Expected is what the day would have had at the earlier rate: 140 of 7,000 of 500 is 10")
  func expected() {
    let change = Change.over([
      (Tally(broken: 12, concerned: 500), days([20, 22, 18, 19, 21, 20, 20]))
    ])[0]
    #expect(change.expected == 10)
  }

  @Test("A count that one of the earlier days had too is no change, however sure the sum is")
  func spread() {
    #expect(word(45, after: days([5, 5, 5, 5, 5, 5, 60])) == .noDifference)
  }

  @Test("What none of the earlier days had is new")
  func new() {
    #expect(word(1, after: days([0, 0, 0, 0, 0, 0, 0])) == .new)
    #expect(word(0, after: days([0, 0, 0, 0, 0, 0, 0])) == .noDifference)
  }

  @Test("Fewer than three earlier days, or no denominator, say nothing")
  func tooFew() {
    #expect(word(40, after: days([20, 20])) == .tooFew)
    #expect(word(0, of: 0, after: days([20, 20, 20, 20])) == .tooFew)
    #expect(word(40, after: days([0, 0, 0, 0, 0], of: 0)) == .tooFew)
  }

  @Test("Unknowns of the newest day do not look like an improvement")
  func unknowns() {
    let day = Tally(broken: 4, concerned: 1000, undetermined: 800)
    #expect(Change.over([(day, days([20, 22, 18, 19, 21, 20, 20]))])[0].word == .noDifference)
  }
}

@Suite struct ReleaseComparisonTests {
  private func tables(_ causes: [ComparedCause]) -> ComparisonTables {
    var tables = ComparisonTables(
      baseline: ReleaseSide(bundle: "com.example.courier", version: "5.1.0"),
      candidate: ReleaseSide(bundle: "com.example.courier", version: "5.2.0"))
    tables.causes = causes
    return tables
  }

  @Test("A clear rise is more, and is a regression; equal rates are no difference")
  func regression() {
    let comparison = ReleaseComparison(
      tables([
        ComparedCause(
          step: .mediaDownload, cause: .mediaTls, baseline: Tally(broken: 10, concerned: 1000),
          candidate: Tally(broken: 11, concerned: 1000)),
        ComparedCause(
          step: .handlerTiming, cause: .contentHandlerNever,
          baseline: Tally(broken: 10, concerned: 1000),
          candidate: Tally(broken: 60, concerned: 1000)),
      ]))
    #expect(comparison.causes.map(\.rate.word) == [.more, .noDifference])
    #expect(comparison.causes[0].counts.cause == .contentHandlerNever)
    #expect(comparison.causes[0].rate.holdsWhateverUnknown)
    #expect(comparison.all.word == .tooFew)
    #expect(comparison.isRegression)
  }

  @Test("Adjusting over causes takes back a finding that stood alone")
  func adjusted() {
    // 15 of 100 against 30 of 100 has 0.0111 alone, 0.0111 · 10 / 1 = 0.111 among ten.
    let one = (
      baseline: Tally(broken: 15, concerned: 100), candidate: Tally(broken: 30, concerned: 100)
    )
    let same = (
      baseline: Tally(broken: 15, concerned: 100), candidate: Tally(broken: 15, concerned: 100)
    )
    #expect(ComparedRate.over([one])[0].word == .more)
    let among = ComparedRate.over([one] + Array(repeating: same, count: 9))[0]
    #expect(among.word == .noDifference)
    #expect(abs(among.probability - 0.1109) < 0.0001)
  }

  @Test("A difference that comes from coverage alone gets no word")
  func coverage() {
    // Of all sends 5 % each; but nearly nothing can be told of the candidate.
    let rate = ComparedRate.over([
      (
        baseline: Tally(broken: 60, concerned: 1000),
        candidate: Tally(broken: 50, concerned: 1000, undetermined: 900)
      )
    ])[0]
    #expect(rate.word == .noDifference)
  }

  @Test("A difference that hangs on the unknowns says so")
  func unknowns() {
    let rate = ComparedRate.over([
      (
        baseline: Tally(broken: 10, concerned: 1000, undetermined: 300),
        candidate: Tally(broken: 80, concerned: 1000, undetermined: 300)
      )
    ])[0]
    #expect(rate.word == .more)
    #expect(!rate.holdsWhateverUnknown)
  }

  @Test("Nothing on one side is too few, and no regression")
  func tooFew() {
    let comparison = ReleaseComparison(
      tables([
        ComparedCause(
          step: .topic, cause: .topicWrong, baseline: Tally(),
          candidate: Tally(broken: 5, concerned: 10))
      ]))
    #expect(comparison.causes[0].rate.word == .tooFew)
    #expect(!comparison.isRegression)
  }
}

/// Baseline and candidate on phones that are alike, as broken of told.
private func strata(
  _ kind: MixKind = .osVersion, _ pairs: ((Int, Int), (Int, Int))...
) -> Strata {
  Strata(
    kind: kind,
    pairs: pairs.map {
      Strata.Pair(
        baseline: Tally(broken: $0.0.0, concerned: $0.0.1),
        candidate: Tally(broken: $0.1.0, concerned: $0.1.1))
    })
}

@Suite struct StratifiedRateTests {
  private func compared(_ strata: Strata) -> ComparedRate {
    let sides = strata.pairs.reduce((Tally(), Tally())) {
      ($0.0.adding($1.baseline), $0.1.adding($1.candidate))
    }
    return ComparedRate.over([sides], strata: [[strata]])[0]
  }

  @Test("Worse as a whole, the same on each OS version: the mix explains it")
  func simpson() throws {
    // 5 % and 20 % on both sides; 9 of 10 on the older OS before, 1 of 10 after.
    let mixed = strata(.osVersion, ((45, 900), (5, 100)), ((20, 100), (180, 900)))
    let rate = compared(mixed)
    #expect(abs((rate.difference ?? 0) - 0.12) < 1e-12)
    #expect(rate.rawProbability < 1e-10)
    #expect(rate.word == .shiftedMix)
    #expect(rate.mix == .osVersion)
    // Weights ½ and ½: both sides 0.125, each as of 1 / (¼ · (1/900 + 1/100)) = 360. The roots of
    // (p − 0.125)² = z² · p(1−p)/360, found by bisection (SciPy), put together.
    let alike = try #require(rate.alike[.osVersion])
    #expect(abs(alike.difference) < 1e-12)
    #expect(abs(alike.interval.high - 0.048706039280187484) < 1e-12)
    #expect(abs(alike.interval.low + 0.048706039280187484) < 1e-12)
    #expect(alike.probability == 1)
    #expect(alike.comparable == (1000, 1000))
  }

  @Test("Better as a whole, worse on each OS version: more, which the mix hid")
  func reversed() throws {
    let mixed = strata(.osVersion, ((5, 100), (81, 900)), ((180, 900), (30, 100)))
    let rate = compared(mixed)
    #expect(abs((rate.difference ?? 0) + 0.074) < 1e-12)
    #expect(rate.word == .more)
    #expect(rate.mix == .osVersion)
    // (90 · 0.04 + 90 · 0.10) / 180.
    let alike = try #require(rate.alike[.osVersion])
    #expect(abs(alike.difference - 0.07) < 1e-12)
    // Excess 3.6 + 9 over expected 77.4 + 21; variance 7.0814 + 14.9460: χ² = 158.76 / 22.0274.
    #expect(abs(alike.probability - 0.00726) < 0.00001)
  }

  @Test("Equal as a whole, worse on each OS version: more, which the mix hid")
  func hidden() {
    // 10 % and 40 % before, 20 % and 50 % after; as a whole 250 of 1,000 and 260 of 1,000.
    let rate = compared(strata(.osVersion, ((50, 500), (160, 800)), ((200, 500), (100, 200))))
    #expect(rate.rawProbability > 0.5)
    #expect(rate.word == .more)
    #expect(rate.mix == .osVersion)
  }

  @Test("Worse on each OS version with another mix stays more")
  func real() {
    let rate = compared(strata(.osVersion, ((45, 900), (15, 100)), ((20, 100), (360, 900))))
    #expect(rate.word == .more)
    #expect(rate.mix == nil)
  }

  @Test("Without a kind of phone in common nothing is taken back")
  func apart() {
    let rate = compared(strata(.osVersion, ((50, 1000), (0, 0)), ((0, 0), (200, 1000))))
    #expect(rate.word == .more)
    #expect(rate.alike.isEmpty)
  }

  @Test("Few phones in common that do not speak against a difference take nothing back")
  func few() {
    let rate = compared(strata(.osVersion, ((50, 1000), (1, 8)), ((0, 0), (200, 1000))))
    #expect(rate.word == .more)
    #expect(rate.alike[.osVersion] != nil)
  }

  /// 20 and 10 of 100 before, none of 50 after in each: weights ½ and ½, roots by bisection (SciPy).
  /// From the variances the second side would count as certain.
  @Test("The interval keeps its width where a side has no hits")
  func noHits() throws {
    let rate = try #require(
      StratifiedRate(strata(.osVersion, ((20, 100), (0, 50)), ((10, 100), (0, 50))).pairs))
    #expect(abs(rate.difference + 0.15) < 1e-12)
    #expect(abs(rate.interval.low + 0.20605579284166564) < 1e-9)
    #expect(abs(rate.interval.high + 0.09337980109046266) < 1e-9)
  }

  @Test("One hit on phones that are alike is no finding, however rare it was before")
  func oneHit() throws {
    // As a whole 40 of 3,341 and 7 of 472; phones in common have no hit before and one after.
    let mixed = strata(.osVersion, ((0, 14), (6, 446)), ((0, 327), (1, 26)), ((40, 3000), (0, 0)))
    let rate = compared(mixed)
    #expect(try #require(rate.alike[.osVersion]).comparable == (341, 472))
    #expect(rate.word == .noDifference)
    let two = compared(strata(.osVersion, ((0, 3000), (2, 43))))
    #expect(two.probability < 0.01)
    #expect(two.word == .noDifference)
  }

  @Test("A few notifications on phones in common do not explain a difference")
  func fewInCommon() {
    // 31 of 3,429 against 14 of 472, of which 3 of 14 and 12 of 446 on the one OS version in common.
    let rate = compared(
      strata(.osVersion, ((3, 14), (12, 446)), ((28, 3415), (0, 0)), ((0, 0), (2, 26))))
    #expect(rate.word == .more)
    #expect(rate.mix == nil)
  }

  @Test("What the mix explains is no regression")
  func regression() {
    var tables = ComparisonTables(
      baseline: ReleaseSide(bundle: "com.example.courier", version: "5.1.0"),
      candidate: ReleaseSide(bundle: "com.example.courier", version: "5.2.0"))
    tables.baseline.judgements = JudgementCounts(asMeant: 935, broken: 65)
    tables.candidate.judgements = JudgementCounts(asMeant: 815, broken: 185)
    #expect(ReleaseComparison(tables).isRegression)
    tables.mixes = [
      ReleaseMix(
        kind: .deviceModel,
        rows: [
          MixRow(
            value: "iPhone12,1", baseline: JudgementCounts(asMeant: 855, broken: 45),
            candidate: JudgementCounts(asMeant: 95, broken: 5)),
          MixRow(
            value: "iPhone8,1", baseline: JudgementCounts(asMeant: 80, broken: 20),
            candidate: JudgementCounts(asMeant: 720, broken: 180)),
        ])
    ]
    #expect(!ReleaseComparison(tables).isRegression)
    #expect(ReleaseComparison(tables).all.mix == .deviceModel)
  }
}

@Suite struct RankingTests {
  @Test("One broken of one does not stand before rows that can be compared")
  func order() {
    let breakdown = Breakdown(
      dimension: .release,
      rows: [
        Breakdown.Row(key: "1.0", counts: JudgementCounts(asMeant: 9900, broken: 100)),
        Breakdown.Row(key: "2.0", counts: JudgementCounts(broken: 1)),
        Breakdown.Row(key: nil, counts: JudgementCounts(asMeant: 700, broken: 300)),
      ])
    // Low ends of Wilson's interval: 300 of 1,000 is 0.272, 100 of 10,000 0.008; 1 of 1, which would
    // be 1/(1+z²) = 0.207, is too few.
    #expect(breakdown.worstFirst.map(\.row.key) == [nil, "1.0", "2.0"])
    #expect(breakdown.worstFirst.map(\.rate.word) == [.more, .fewer, .tooFew])
  }

  @Test("Rows too small to be compared stand behind the others, among themselves worst first")
  func smallRows() {
    let breakdown = Breakdown(
      dimension: .topic,
      rows: [
        Breakdown.Row(key: "a", counts: JudgementCounts(asMeant: 990, broken: 10)),
        Breakdown.Row(key: "b", counts: JudgementCounts(broken: 4)),
        Breakdown.Row(key: "c", counts: JudgementCounts(broken: 2)),
        // Four of five can be told: too few. Five of five can.
        Breakdown.Row(key: "d", counts: JudgementCounts(asMeant: 2, broken: 2, cannotTell: 1)),
        Breakdown.Row(key: "e", counts: JudgementCounts(asMeant: 5)),
      ])
    // Low ends: 4 of 4 is 4/(4+z²) = 0.510; 2 of 2 is 2/(2+z²) = 0.342; 2 of 4 is 0.150.
    #expect(breakdown.worstFirst.map(\.row.key) == ["a", "e", "b", "c", "d"])
  }
}
