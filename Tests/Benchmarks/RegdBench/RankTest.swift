/// Compares samples of times.
enum RankTest {
  static func ratio(_ one: [Double], _ other: [Double]) -> String {
    RegdBench.decimal(RegdBench.median(one) / RegdBench.median(other), 4)
  }

  /// The difference between the ranks of `one` among both and random ranks, in standard deviations (Mann and Whitney
  /// 1947, without ties).
  static func sigmas(_ one: [Double], _ other: [Double]) -> String {
    let ranked = (one.map { ($0, true) } + other.map { ($0, false) }).sorted { $0.0 < $1.0 }
    let ranks = ranked.enumerated().reduce(0.0) { $1.element.1 ? $0 + Double($1.offset + 1) : $0 }
    let (m, n) = (Double(one.count), Double(other.count))
    let score = ranks - m * (m + 1) / 2
    return RegdBench.decimal(abs(score - m * n / 2) / (m * n * (m + n + 1) / 12).squareRoot(), 2)
  }
}
