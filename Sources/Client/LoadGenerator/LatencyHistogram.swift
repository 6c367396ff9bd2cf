/// Counts durations in buckets of constant relative width, as HdrHistogram does: 1/64 of the value at most, from a nanosecond to
/// more than an hour, in memory that does not grow.
package struct LatencyHistogram: Equatable, Sendable {
  /// Buckets that each doubling is divided into, as a power of two.
  private static let bits = 6
  /// About 73 minutes; what is longer is counted there, and only `most` has it in full.
  private static let longest: Int64 = 1 << 42

  private var counts = [Int](repeating: 0, count: index(of: longest) + 1)
  package private(set) var count = 0
  /// Nanoseconds of the longest and the shortest; 0 for none.
  package private(set) var most: Int64 = 0
  package private(set) var least: Int64 = 0
  private var sum = 0.0

  package init() {}

  /// Nanoseconds; 0 for none.
  package var mean: Double { count == 0 ? 0 : sum / Double(count) }

  /// - Parameter nanoseconds: What is below 0 counts as 0.
  package mutating func record(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    counts[Self.index(of: min(value, Self.longest))] += 1
    least = count == 0 ? value : min(least, value)
    most = max(most, value)
    sum += Double(value)
    count += 1
  }

  /// - Parameter share: 0 to 1.
  /// - Returns: Nanoseconds that so many of the durations do not exceed, too high by 1/64 at most; nil where there are none.
  package func quantile(_ share: Double) -> Int64? {
    guard count > 0 else { return nil }
    // a share such as 3/7 times 7 may be a little more than 3
    let rank = min(count, max(1, Int((share * Double(count) - 1e-6).rounded(.up))))
    var below = 0
    for (index, number) in counts.enumerated() {
      below += number
      if below >= rank { return max(least, min(Self.upperLimit(of: index), most)) }
    }
    return most
  }

  /// How many there are in each of the ranges that the limits begin: from a limit up to the next one.
  ///
  /// - Parameter limits: Nanoseconds, rising; the first not above `least`. A duration counts by the upper limit of its bucket.
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
