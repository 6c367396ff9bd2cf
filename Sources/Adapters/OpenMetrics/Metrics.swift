internal import CoreMetrics
internal import Synchronization

/// Counts events (OpenMetrics, section "Counter"). Stays at Int64.max instead of wrapping.
final class IntegerCounter: CounterHandler, Metric {
  private let total = Tally()

  /// - Parameter amount: Values below 1 are ignored, because a counter never falls.
  func increment(by amount: Int64) {
    guard amount > 0 else { return }
    total.add(UInt64(bitPattern: amount))
  }

  func reset() { total.reset() }

  func write(to samples: inout SampleWriter) { samples.sample("_total", total.value) }
}

/// Sums fractions, such as seconds of processor time (OpenMetrics, section "Counter").
final class FractionalCounter: FloatingPointCounterHandler, Metric {
  private let total = AtomicDouble()

  /// - Parameter amount: Ignored unless finite and above 0.
  func increment(by amount: Double) {
    guard amount.isFinite, amount > 0 else { return }
    total.add(amount)
  }

  func reset() { total.set(0) }

  func write(to samples: inout SampleWriter) { samples.sample("_total", total.value) }
}

/// A gauge that the program sets (OpenMetrics, section "Gauge"). It is 0 at first. Whole numbers are exact up to 2^53.
final class StoredGauge: MeterHandler, RecorderHandler, Metric {
  private let stored = AtomicDouble()

  func set(_ value: Int64) { stored.set(Double(value)) }
  func set(_ value: Double) { stored.set(value) }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }

  /// - Parameter amount: Ignored unless finite and above 0, as with swift-metrics' own meter.
  func increment(by amount: Double) {
    guard amount.isFinite, amount > 0 else { return }
    stored.add(amount)
  }

  /// - Parameter amount: Ignored unless finite and above 0, as with swift-metrics' own meter.
  func decrement(by amount: Double) {
    guard amount.isFinite, amount > 0 else { return }
    stored.add(-amount)
  }

  func write(to samples: inout SampleWriter) { samples.sample("", stored.value) }
}

/// A gauge whose value a closure returns each time the metrics are written (OpenMetrics, section "Gauge").
final class ObservedGauge: Metric {
  private let read: @Sendable () -> Double?

  init(read: @escaping @Sendable () -> Double?) { self.read = read }

  func write(to samples: inout SampleWriter) {
    guard let value = read() else { return }
    samples.sample("", value)
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

/// A sum that many threads add to without a lock. It does not wrap, but remains at Int64.max.
struct Tally: ~Copyable, Sendable {
  /// A sum of this size or more counts as full, and reads as Int64.max. The range above it is room for additions by
  /// threads that have not seen yet that the sum is full.
  private static let full: UInt64 = 1 << 63
  /// Amounts of this size or more are added with a compare-and-set loop. Smaller ones cannot wrap the sum: Linux has at
  /// most 2^22 threads (proc_pid(5), PID_MAX_LIMIT), which together add less than 2^62 to a full sum, and 2^63 plus
  /// 2^62 fits into 64 bits.
  private static let large: UInt64 = 1 << 40

  private let sum = Atomic<UInt64>(0)

  var value: UInt64 { min(sum.load(ordering: .relaxed), Self.full - 1) }

  /// - Parameter amount: 0 to Int64.max.
  @inline(__always)
  func add(_ amount: UInt64) {
    guard amount < Self.large else { return addLarge(amount) }
    let (_, sum) = self.sum.wrappingAdd(amount, ordering: .relaxed)
    if sum >= Self.full { self.sum.store(Self.full, ordering: .relaxed) }
  }

  @inline(never)
  private func addLarge(_ amount: UInt64) {
    var old = sum.load(ordering: .relaxed)
    while true {
      let new = min(min(old, Self.full) + amount, Self.full)
      let (exchanged, found) = sum.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      guard !exchanged else { return }
      old = found
    }
  }

  func reset() { sum.store(0, ordering: .relaxed) }
}

/// A Double that many threads change without a lock.
struct AtomicDouble: ~Copyable, Sendable {
  private let bits = Atomic<UInt64>(0)

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  /// - Parameter amount: Must be finite. The sum is clamped to the finite numbers.
  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let largest = Double.greatestFiniteMagnitude
      let new = max(-largest, min(Double(bitPattern: old) + amount, largest)).bitPattern
      let (exchanged, found) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      guard !exchanged else { return }
      old = found
    }
  }
}

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
