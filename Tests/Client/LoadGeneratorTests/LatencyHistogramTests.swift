import Testing

@testable import LoadGenerator

@Suite("latency histogram")
struct LatencyHistogramTests {
  private func histogram(_ values: some Sequence<Int64>) -> LatencyHistogram {
    values.reduce(into: LatencyHistogram()) { $0.record($1) }
  }

  @Test("an empty histogram has no quantile, and values below 0 or beyond an hour are counted at the ends")
  func ends() {
    #expect(LatencyHistogram().quantile(0.5) == nil && LatencyHistogram().mean == 0)
    let odd = histogram([-5, .max])
    #expect(odd.count == 2 && odd.least == 0 && odd.most == .max)
    #expect(odd.quantile(0) == 0 && (odd.quantile(1) ?? 0) >= 1 << 42)
    #expect(histogram([7]).quantile(0.999) == 7)
  }

  @Test("a quantile is never below the true value, and at most 1/64 above it")
  func exactness() throws {
    var value: Int64 = 1
    var values: [Int64] = []
    while value < 1 << 41 {
      values.append(value)
      value += max(1, value / 7)
    }
    let all = histogram(values)
    for (index, value) in values.enumerated() {
      let seen = try #require(all.quantile(Double(index + 1) / Double(values.count)))
      #expect(seen >= value && Double(seen - value) <= Double(value) / 64, "\(value): \(seen)")
    }
    #expect(abs(all.mean - Double(values.reduce(0, +)) / Double(values.count)) < 1)
  }

  @Test("each duration is counted in exactly one range")
  func ranges() {
    let values: [Int64] = [10, 99, 100, 101, 999, 5000, 1_000_000]
    #expect(histogram(values).counts(from: [10, 100, 1000]) == [2, 3, 2])
    #expect(histogram(values).counts(from: [10]) == [7])
  }

  @Test("limits of ranges are logarithmic, begin at or below the least value, and number at most 20")
  func limits() {
    #expect(LoadReport.limits(from: 1500, to: 4100) == [1250, 1600, 2000, 2500, 3200, 4000])
    #expect(LoadReport.limits(from: 0, to: 0) == [1])
    for (least, most) in [(1, Int64.max / 2), (999, 1000), (5, 5), (1000, 1_000_000), (3, 40_000_000_000)]
      as [(Int64, Int64)]
    {
      let limits = LoadReport.limits(from: least, to: most)
      #expect(limits.count <= 20 && limits == limits.sorted() && limits.count == Set(limits).count)
      #expect((limits.first ?? .max) <= least && (limits.last ?? .max) <= most, "\(least) \(most): \(limits)")
    }
  }
}
