internal import CoreMetrics
internal import Synchronization

/// A histogram's counts: how many values are in each range.
///
/// There is no separate total: `_count` is the buckets' sum, so that it cannot differ from the bucket `+Inf`
/// (OpenMetrics, section "Histogram").
struct Buckets: ~Copyable, Sendable {
  /// The number of buckets, including the last one, for values above all thresholds.
  static let count = 18

  // 64 bits do not wrap, because counts rise one by one
  private let counts = InlineArray<18, Atomic<UInt64>> { _ in Atomic(0) }

  /// Counts a value. The caller must add the value to the histogram's sum first, so that no reader sees a count without
  /// its value.
  @inline(__always)
  func add(at index: Int) { counts[index].wrappingAdd(1, ordering: .releasing) }

  /// Writes cumulative counts, then `_count`. The caller must read the histogram's sum afterwards, so that the sum
  /// includes every counted value.
  func write(_ thresholds: [String], to samples: inout SampleWriter) {
    var count: UInt64 = 0
    for index in 0..<Self.count {
      count += counts[index].load(ordering: .acquiring)
      samples.sample("_bucket", threshold: index < thresholds.count ? thresholds[index] : "+Inf", count)
    }
    samples.sample("_count", count)
  }
}

/// A histogram of durations (OpenMetrics, section "Histogram").
final class DurationHistogram: TimerHandler, Metric {
  /// The buckets' upper limits in seconds, in the form of OpenMetrics, section "Canonical Numbers".
  static let thresholds = [
    "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0",
    "2.5", "5.0", "10.0", "30.0",
  ]
  /// The same thresholds in nanoseconds.
  static let nanoseconds: [Int64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
    250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000,
  ]

  private let bounds = DurationHistogram.nanoseconds
  private let buckets = Buckets()
  private let sum = Tally()

  /// - Parameter duration: A negative one counts as 0, because the event did happen, and a sum may not fall.
  func recordNanoseconds(_ duration: Int64) {
    let duration = max(0, duration)
    sum.add(UInt64(bitPattern: duration))
    buckets.add(at: bounds.firstIndex { duration <= $0 } ?? bounds.count)
  }

  func write(to samples: inout SampleWriter) {
    buckets.write(Self.thresholds, to: &samples)
    samples.sample("_sum", Seconds(nanoseconds: sum.value))
  }
}

/// A histogram of amounts (OpenMetrics, section "Histogram").
final class ValueHistogram: RecorderHandler, Metric {
  /// The buckets' upper limits, in the form of OpenMetrics, section "Canonical Numbers".
  static let thresholds = [
    "1.0", "2.0", "5.0", "10.0", "20.0", "50.0", "100.0", "200.0", "500.0", "1000.0", "2000.0", "5000.0", "10000.0",
    "20000.0", "50000.0", "100000.0", "1e+06",
  ]
  static let values: [Double] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000,
  ]

  private let bounds = ValueHistogram.values
  private let buckets = Buckets()
  private let sum = AtomicDouble()

  func record(_ value: Int64) { record(Double(value)) }

  /// - Parameter value: Ignored unless finite. A negative one counts as 0, because a sum may not fall.
  func record(_ value: Double) {
    guard value.isFinite else { return }
    let value = max(0, value)
    sum.add(value)
    buckets.add(at: bounds.firstIndex { value <= $0 } ?? bounds.count)
  }

  func write(to samples: inout SampleWriter) {
    buckets.write(Self.thresholds, to: &samples)
    samples.sample("_sum", sum.value)
  }
}
