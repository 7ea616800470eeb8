import PushAnalysis
import PushModel
import Testing
import TestSupport

@Suite struct HistogramTests {
  @Test("Buckets meet without a gap, and each is at most an eighth of its low end wide")
  func bounds() throws {
    #expect(Histogram.lowerBound(of: 0) == 0)
    #expect(Histogram.lowerBound(of: 1) == 1024)
    // 1,024 µs is cut into eighths of 128 µs up to 2,048 µs.
    #expect(Histogram.upperBound(of: 1) == 1152)
    #expect(Histogram.lowerBound(of: 9) == 2048)
    #expect(Histogram.lowerBound(of: Histogram.bucketCount - 1) == 68_719_476_736)
    #expect(Histogram.upperBound(of: Histogram.bucketCount - 1) == nil)
    for bucket in 0..<Histogram.bucketCount - 1 {
      let low = Histogram.lowerBound(of: bucket)
      let high = try #require(Histogram.upperBound(of: bucket))
      #expect(low < high)
      #expect(Histogram.bucket(of: low) == bucket)
      #expect(Histogram.bucket(of: high - 1) == bucket)
      #expect(Histogram.bucket(of: high) == bucket + 1)
      if bucket > 0 { #expect((high - low) * 8 <= low) }
    }
  }

  @Test("Durations out of range fall into the first and the last bucket")
  func extremes() {
    #expect(Histogram.bucket(of: -5) == 0)
    #expect(Histogram.bucket(of: 0) == 0)
    #expect(Histogram.bucket(of: .max) == Histogram.bucketCount - 1)
  }

  @Test("Quantiles are by nearest rank: of 1, 2, 3 and 4 seconds the median is the second")
  func nearestRank() throws {
    var histogram = Histogram()
    for seconds: Int64 in 1...4 { histogram.add(seconds * 1_000_000) }
    let median = try #require(histogram.quantile(0.5))
    #expect(median.low <= 2_000_000 && 2_000_000 < (median.high ?? 0))
    let ninety = try #require(histogram.quantile(0.9))
    #expect(ninety.low <= 4_000_000 && 4_000_000 < (ninety.high ?? 0))
    #expect(Histogram().quantile(0.5) == nil)
  }

  @Test("A quantile is never further off than the stated error")
  func error() throws {
    for value: Int64 in [1024, 1151, 5_000, 777_777, 29_999_999, 60_000_000_000] {
      var histogram = Histogram()
      histogram.add(value)
      let middle = try #require(histogram.quantile(0.5)).middle
      #expect(Double(abs(middle - value)) <= Histogram.quantileError * Double(value) + 1)
    }
  }

  @Test("Adding up two histograms is counting all their values")
  func merge() {
    var first = Histogram()
    var second = Histogram()
    var both = Histogram()
    for value: Int64 in stride(from: 900, to: 9_000_000, by: 70_001) {
      if value % 2 == 0 { first.add(value) } else { second.add(value, count: 3) }
      both.add(value, count: value % 2 == 0 ? 1 : 3)
    }
    first.merge(second)
    #expect(first == both)
  }

  @Test("The stored text reads back equal, and other texts are refused")
  func text() {
    var histogram = Histogram()
    histogram.add(1024, count: 2)
    histogram.add(2048)
    #expect(histogram.text == "1:2 9:1")
    #expect(Histogram(text: histogram.text) == histogram)
    #expect(Histogram(text: "") == Histogram())
    for bad in ["1", "1:", "x:1", "1:-2", "99999:1", "1:2:3"] {
      #expect(Histogram(text: bad) == nil, "\(bad)")
    }
  }
}
