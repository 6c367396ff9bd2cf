/// The buckets of an OpenMetrics histogram, which are cumulative: `counts[i]` requests took at most `limits[i]`
/// seconds.
struct LatencyBuckets: Equatable, Sendable {
  /// The upper limits in seconds, rising. The last one is infinite.
  private(set) var limits: [Double] = []
  private(set) var counts: [Double] = []

  /// A quantile, as precisely as buckets give it.
  enum Quantile: Equatable, Sendable {
    /// Interpolated between the limits of its bucket, like Prometheus does.
    case seconds(Double)
    /// The duration is in the bucket without an upper limit. The value is the bucket's lower limit.
    case above(Double)
  }

  mutating func append(limit: Double, count: Double) {
    limits.append(limit)
    counts.append(count)
  }

  /// The counts since an earlier state of the same histogram, or all counts if the earlier one has other buckets.
  func since(_ earlier: LatencyBuckets) -> LatencyBuckets {
    guard earlier.limits == limits else { return self }
    var difference = self
    for index in counts.indices { difference.counts[index] = max(0, counts[index] - earlier.counts[index]) }
    return difference
  }

  /// - Parameter share: 0 to 1.
  /// - Returns: Nil if nothing was counted.
  func quantile(_ share: Double) -> Quantile? {
    guard let total = counts.last, total > 0 else { return nil }
    let rank = share * total
    guard let index = counts.firstIndex(where: { $0 >= rank && $0 > 0 }) else { return nil }
    let (below, lower) = index == 0 ? (0, 0) : (counts[index - 1], limits[index - 1])
    guard limits[index].isFinite else { return .above(lower) }
    let within = counts[index] - below
    return .seconds(lower + (limits[index] - lower) * (within > 0 ? max(0, rank - below) / within : 1))
  }
}
