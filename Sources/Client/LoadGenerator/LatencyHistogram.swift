/// Counts durations, from one nanosecond to more than an hour, in constant memory. As in HdrHistogram, buckets have
/// constant relative width: at most 1/64 of their value.
package struct LatencyHistogram: Equatable, Sendable {
  /// Each doubling is divided into 2^bits buckets.
  private static let bits = 6
  /// About 73 minutes. A longer duration counts in this bucket, but `most`, `least` and `mean` use its full value.
  private static let longest: Int64 = 1 << 42

  private var counts = [Int](repeating: 0, count: index(of: longest) + 1)
  package private(set) var count = 0
  /// The longest and the shortest duration in nanoseconds, or 0 if there is no duration.
  package private(set) var most: Int64 = 0
  package private(set) var least: Int64 = 0
  private var sum = 0.0

  package init() {}

  /// The mean in nanoseconds, or 0 if there is no duration.
  package var mean: Double { count == 0 ? 0 : sum / Double(count) }

  /// - Parameter nanoseconds: A negative value counts as 0.
  package mutating func record(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    counts[Self.index(of: min(value, Self.longest))] += 1
    least = count == 0 ? value : min(least, value)
    most = max(most, value)
    sum += Double(value)
    count += 1
  }

  /// - Parameter share: 0 to 1.
  /// - Returns: The nanoseconds that this share of the durations does not exceed, at most 1/64 too high, or nil if there is
  ///   no duration.
  package func quantile(_ share: Double) -> Int64? {
    guard count > 0 else { return nil }
    // 1e-6 less, because rounding errors can make a share such as 3/7 times 7 slightly more than 3
    let rank = min(count, max(1, Int((share * Double(count) - 1e-6).rounded(.up))))
    var below = 0
    for (index, number) in counts.enumerated() {
      below += number
      if below >= rank { return max(least, min(Self.upperLimit(of: index), most)) }
    }
    return most
  }

  /// The number of durations in each range, from one limit up to the next.
  ///
  /// - Parameter limits: In nanoseconds, rising. The first one is not above `least`. A duration counts with the upper limit of
  ///   its bucket.
  package func counts(from limits: [Int64]) -> [Int] {
    var ranges = [Int](repeating: 0, count: limits.count)
    var range = 0
    for (index, number) in counts.enumerated() where number > 0 {
      let value = max(least, min(Self.upperLimit(of: index), most))
      while range + 1 < limits.count, value >= limits[range + 1] { range += 1 }
      if range < ranges.count { ranges[range] += number }
    }
    return ranges
  }

  private static func index(of value: Int64) -> Int {
    let exponent = max(0, Int64.bitWidth - 1 - value.leadingZeroBitCount - bits)
    return (exponent << bits) + Int(value >> exponent)
  }

  private static func upperLimit(of index: Int) -> Int64 {
    let exponent = max(0, (index >> bits) - 1)
    return (Int64(index - (exponent << bits)) + 1) << exponent - 1
  }
}
