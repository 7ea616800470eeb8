import PushModel
import Testing

@testable import PushAnalysis

/// Installations of one side: so many of them with so many broken of so many told.
private typealias Phones = [(count: Int, broken: Int, told: Int)]

private func tally(_ phones: Phones) -> Tally {
  Tally(
    broken: phones.reduce(0) { $0 + $1.count * $1.broken },
    concerned: phones.reduce(0) { $0 + $1.count * $1.told })
}

private func spread(_ phones: Phones) -> PhoneSpread {
  PhoneSpread(
    installations: phones.reduce(0) { $0 + $1.count },
    squares: phones.reduce(0) { $0 + $1.count * $1.told * $1.told },
    carriers: phones.filter { $0.broken > 0 }.flatMap {
      Array(repeating: PhoneSpread.Carrier(broken: $0.broken, told: $0.told), count: $0.count)
    })
}

private func pair(_ baseline: Phones, _ candidate: Phones) -> Strata.Pair {
  Strata.Pair(
    baseline: tally(baseline), candidate: tally(candidate), baselineSpread: spread(baseline),
    candidateSpread: spread(candidate))
}

@Suite struct ClusteringTests {
  @Test("Fifteen broken notifications of one phone of 68 are no finding")
  func onePhone() throws {
    let only = pair([(43, 0, 30)], [(67, 0, 27), (1, 15, 27)])
    let rate = try #require(StratifiedRate([only]))
    #expect(rate.probabilityOfNotifications < 0.002)
    // The one phone is on the second side with 68/111, and then half of it counts; on the first one with
    // 43/111, which is less.
    #expect(abs((rate.probabilityOfPhones ?? 0) - 77.0 / 111) < 1e-12)
    #expect(rate.carriers == (0, 1))
    let word = ComparedRate.over([only])[0]
    #expect(word.word == .fewPhones)
    #expect(word.interval?.contains(0) == true)
    #expect(ComparedRate.over([(only.baseline, only.candidate)])[0].word == .more)
  }

  @Test("As many on fifteen phones are one")
  func manyPhones() {
    #expect(
      ComparedRate.over([pair([(43, 0, 30)], [(53, 0, 27), (15, 1, 27)])])[0].word == .more)
  }

  @Test("What all of three phones have and none of 120 has is one, in either direction")
  func allOfThree() throws {
    let few: Phones = [(2, 80, 100), (1, 70, 90)]
    let many: Phones = [(120, 0, 17)]
    let rate = try #require(StratifiedRate([pair(many, few)]))
    // One of 123 · 122 · 121 / 6 = 302,621 ways to deal three of 123 phones; half of it.
    #expect(abs((rate.probabilityOfPhones ?? 0) - 1 / 605_242.0) < 1e-15)
    #expect(ComparedRate.over([pair(many, few)])[0].word == .more)
    #expect(ComparedRate.over([pair(few, many)])[0].word == .fewer)
    // Two phones are an accident, however sure the tests are.
    #expect(ComparedRate.over([pair(many, [(2, 80, 100)])])[0].word == .fewPhones)
  }

  /// One of four phones has all ten broken: share ¼, squares 7.5² + 3 · 2.5² = 75 over 40 · ¼ · ¾ =
  /// 7.5, times 4/3. The first side has none broken and takes the effect of the other one.
  @Test("The design effect of a quarter of the phones is 40/3")
  func designEffect() throws {
    let rate = try #require(StratifiedRate([pair([(10, 0, 10)], [(3, 0, 10), (1, 10, 10)])]))
    #expect(abs(rate.designEffects.candidate - 40.0 / 3) < 1e-9)
    #expect(abs(rate.designEffects.baseline - 40.0 / 3) < 1e-9)
    // Newcombe's of 0 of 100 and 10 of 40, each counted as 3/40 of it; roots by bisection (SciPy).
    #expect(abs(rate.interval.low + 0.15020087426608397) < 1e-9)
    #expect(abs(rate.interval.high - 0.743907319682538) < 1e-9)
  }

  @Test("Phones that are all alike make no interval narrower")
  func alike() throws {
    let rate = try #require(StratifiedRate([pair([(20, 1, 10)], [(20, 2, 10)])]))
    #expect(rate.designEffects == (1, 1))
    #expect(rate.interval == Proportion.difference(20, of: 200, 40, of: 200))
  }

  /// 25 of 400 against 70 of 500, computed phone by phone with NumPy: excess 17.222, variance 35.353.
  @Test("Many phones are tested with the variance between them")
  func score() throws {
    let first: Phones = [(25, 0, 10), (10, 1, 10), (5, 3, 10)]
    let second: Phones = [(5, 0, 20), (10, 2, 20), (10, 5, 20)]
    let rate = try #require(StratifiedRate([pair(first, second)]))
    #expect(abs((rate.probabilityOfPhones ?? 0) - 0.0037732267927123053) < 1e-9)
    #expect(abs(rate.designEffects.baseline - 1.723076923076923) < 1e-9)
    #expect(abs(rate.designEffects.candidate - 1.6265227021040982) < 1e-9)
    #expect(abs(rate.interval.low - 0.025660256955762066) < 1e-9)
    #expect(abs(rate.interval.high - 0.12724057127629862) < 1e-9)
    // Strata without a phone of one side add nothing.
    let beside = StratifiedRate([pair(first, second), pair(first, [])])
    #expect(beside?.probabilityOfPhones == rate.probabilityOfPhones)
  }

  @Test("A share that is common is told by phones that have more than their part of it")
  func common() {
    // Every phone has some: nine of ten on each of three, one of ten on each of 100.
    let rate = ComparedRate.over([pair([(3, 90, 100)], [(100, 2, 20)])])[0]
    #expect(rate.word == .fewer)
    #expect((rate.probabilityOfPhones ?? 1) < 0.0001)
  }

  @Test("What few phones have is no regression")
  func regression() {
    var tables = ComparisonTables(
      baseline: ReleaseSide(bundle: "com.example.market", version: "3.9.0"),
      candidate: ReleaseSide(bundle: "com.example.market", version: "3.9.1"))
    let only = pair([(43, 0, 30)], [(67, 0, 27), (1, 15, 27)])
    var cause = ComparedCause(
      step: .notificationSettings, cause: .notificationsDenied, baseline: only.baseline,
      candidate: only.candidate)
    tables.causes = [cause]
    #expect(ReleaseComparison(tables).isRegression)
    cause.baselineSpread = only.baselineSpread
    cause.candidateSpread = only.candidateSpread
    tables.causes = [cause]
    #expect(!ReleaseComparison(tables).isRegression)
  }
}
