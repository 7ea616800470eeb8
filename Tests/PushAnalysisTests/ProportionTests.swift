import Testing

@testable import PushAnalysis

@Suite struct ProportionTests {
  /// Newcombe, Statistics in Medicine 17 (1998) 857, table I, method 3.
  @Test(
    "Wilson's interval is the published one",
    arguments: [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
      (1, 29, 0.0061, 0.1718),
    ])
  func wilson(hits: Int, total: Int, low: Double, high: Double) throws {
    let interval = try #require(Proportion.wilson(hits, of: total))
    #expect(abs(interval.low - low) < 0.00005)
    #expect(abs(interval.high - high) < 0.00005)
  }

  @Test("Wilson's interval of no hits is z² / (n + z²), and exact at its other end")
  func wilsonOfNothing() throws {
    let none = try #require(Proportion.wilson(0, of: 20))
    #expect(none.low == 0)
    #expect(abs(none.high - 3.841458820694124 / 23.841458820694124) < 1e-12)
    let every = try #require(Proportion.wilson(20, of: 20))
    #expect(every.high == 1)
    #expect(abs(every.low - 20 / 23.841458820694124) < 1e-12)
  }

  @Test("There is no interval without a denominator, or with more hits than it")
  func wilsonWithoutDenominator() {
    #expect(Proportion.wilson(0, of: 0) == nil)
    #expect(Proportion.wilson(3, of: 2) == nil)
    #expect(Proportion.difference(0, of: 0, 1, of: 2) == nil)
  }

  /// Newcombe, Statistics in Medicine 17 (1998) 873, table II, method 10. His difference is the
  /// first share minus the second, so the sides are swapped here.
  @Test(
    "Newcombe's interval of a difference is the published one",
    arguments: [
      [56, 70, 48, 80], [9, 10, 3, 10], [6, 7, 2, 7], [5, 56, 0, 29], [0, 10, 0, 20],
      [10, 10, 0, 20],
    ])
  func difference(counts: [Int]) throws {
    let published: [[Int]: (Double, Double)] = [
      [56, 70, 48, 80]: (0.0524, 0.3339), [9, 10, 3, 10]: (0.1705, 0.8090),
      [6, 7, 2, 7]: (0.0582, 0.8062), [5, 56, 0, 29]: (-0.0381, 0.1926),
      [0, 10, 0, 20]: (-0.1611, 0.2775), [10, 10, 0, 20]: (0.6791, 1),
    ]
    let (low, high) = try #require(published[counts])
    let interval = try #require(
      Proportion.difference(counts[2], of: counts[3], counts[0], of: counts[1]))
    #expect(abs(interval.low - low) < 0.00005)
    #expect(abs(interval.high - high) < 0.00005)
  }

  /// 3 of 4 against 1 of 4: the tables have the weights 1, 16, 36, 16, 1 of 70. Less probable than
  /// the one seen: 1 + 1; equally probable: 16 + 16, of which half. 18/70 = 9/35.
  @Test("The mid-p of the tasting of tea is 9/35")
  func tea() {
    #expect(abs(Proportion.midP(3, of: 4, 1, of: 4) - 9.0 / 35) < 1e-12)
  }

  /// Counted with exact fractions: 0 of 10 against 4 of 12 is 183/2926; 1 of 1,000 against 9 of
  /// 1,000 is 1739732028/150711000803. With no hits at all there is one table: half of it.
  @Test("The mid-p is the exact fraction, also with large margins")
  func midP() {
    #expect(abs(Proportion.midP(0, of: 10, 4, of: 12) - 183.0 / 2926) < 1e-12)
    #expect(
      abs(Proportion.midP(1, of: 1000, 9, of: 1000) - 1_739_732_028.0 / 150_711_000_803) < 1e-12)
    #expect(Proportion.midP(0, of: 10, 0, of: 12) == 0.5)
    #expect(Proportion.midP(0, of: 4_000_000, 2, of: 3_000_000) > 0)
  }

  /// 15 of 100 against 30 of 100: χ² = 200 · (15·70 − 85·30)² / (45 · 155 · 100 · 100) = 6.4516,
  /// which one degree of freedom exceeds with probability 0.01109.
  @Test("The score test is Pearson's chi-squared")
  func score() {
    #expect(abs(Proportion.score(15, of: 100, 30, of: 100) - 0.01109) < 0.00001)
    #expect(Proportion.score(5, of: 50, 10, of: 100) == 1)
  }

  @Test("Small counts are tested exactly, large ones by the score test, empty ones not at all")
  func choice() {
    #expect(
      Proportion.probability(3, of: 4, 1, of: 4) == Proportion.midP(3, of: 4, 1, of: 4))
    #expect(
      Proportion.probability(15, of: 100, 30, of: 100)
        == Proportion.score(15, of: 100, 30, of: 100))
    #expect(Proportion.probability(0, of: 0, 5, of: 9) == 1)
    #expect(Proportion.probability(0, of: 40, 0, of: 9) == 1)
    #expect(Proportion.probability(40, of: 40, 9, of: 9) == 1)
  }

  /// One hit of 26 against none of 327, and a stratum without any hit: the hit is one of 353, so its
  /// mid-p is 26/353 / 2. 1 of 10 against 4 of 8 beside 0 of 12 against 2 of 6: 193/31212, counted with
  /// exact fractions; the third one with SciPy's hypergeometric distribution, convolved.
  @Test("Several strata are tested exactly as the sum of their hypergeometric numbers")
  func exactStrata() {
    let one = [Fourfold(0, of: 14, 0, of: 446), Fourfold(0, of: 327, 1, of: 26)]
    #expect(abs(Proportion.midP(one) - 13.0 / 353) < 1e-12)
    #expect(Proportion.probability(one) == Proportion.midP(one))
    let two = [Fourfold(1, of: 10, 4, of: 8), Fourfold(0, of: 12, 2, of: 6)]
    #expect(abs(Proportion.midP(two) - 193.0 / 31212) < 1e-12)
    let three = [
      Fourfold(1, of: 20, 3, of: 10), Fourfold(2, of: 30, 4, of: 15), Fourfold(0, of: 8, 2, of: 9),
    ]
    #expect(abs(Proportion.midP(three) - 0.005258054553551696) < 1e-12)
  }

  @Test("One stratum is tested as one table is, and strata that cannot differ tell nothing")
  func oneStratum() {
    for counts in [(1, 20, 7, 25), (0, 5, 3, 6), (40, 900, 70, 800), (98, 100, 60, 100)] {
      let table = Fourfold(counts.0, of: counts.1, counts.2, of: counts.3)
      let alone = Proportion.probability(counts.0, of: counts.1, counts.2, of: counts.3)
      #expect(Proportion.probability([table]) == alone)
      #expect(Proportion.probability([table, Fourfold(0, of: 50, 0, of: 70)]) == alone)
    }
    #expect(Proportion.probability([Fourfold(0, of: 4, 0, of: 9)]) == 1)
    #expect(Proportion.probability([]) == 1)
  }

  @Test("Swapping the sides changes no probability, and mirrors the difference")
  func symmetry() throws {
    for counts in [(1, 20, 7, 25), (0, 5, 3, 6), (40, 900, 70, 800)] {
      let forth = Proportion.probability(counts.0, of: counts.1, counts.2, of: counts.3)
      let back = Proportion.probability(counts.2, of: counts.3, counts.0, of: counts.1)
      #expect(abs(forth - back) < 1e-9)
      let one = try #require(Proportion.difference(counts.0, of: counts.1, counts.2, of: counts.3))
      let other = try #require(
        Proportion.difference(counts.2, of: counts.3, counts.0, of: counts.1))
      #expect(abs(one.low + other.high) < 1e-12 && abs(one.high + other.low) < 1e-12)
    }
  }

  /// The example of Benjamini and Hochberg (1995), section 3: of fifteen tests the first four are
  /// findings at 0.05. Their fourth is 0.0095 · 15 / 4 = 0.035625, the fifth 0.0201 · 15 / 5.
  @Test("Adjusting leaves the four findings of the published example")
  func adjusted() {
    let raw = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.0,
    ]
    let adjusted = Proportion.adjusted(raw)
    #expect(adjusted.filter { $0 < 0.05 }.count == 4)
    #expect(abs(adjusted[3] - 0.035625) < 1e-12)
    #expect(abs(adjusted[4] - 0.0603) < 1e-12)
    // The eighth (0.0344 · 15 / 8 = 0.0645) bounds the sixth and seventh, which alone are larger
    // than their successor's or equal to it.
    #expect(abs(adjusted[5] - 0.0298 * 15 / 7) < 1e-12)
    #expect(adjusted[14] == 1)
    #expect(Proportion.adjusted(raw.reversed()) == adjusted.reversed())
    #expect(Proportion.adjusted([]).isEmpty)
  }
}
