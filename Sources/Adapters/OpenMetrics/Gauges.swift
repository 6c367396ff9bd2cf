internal import CoreMetrics

/// A value that is set (section "Gauge"); 0 until then. Whole numbers are exact up to 2^53.
final class StoredGauge: MeterHandler, RecorderHandler, Metric {
  private let stored = AtomicDouble()

  func set(_ value: Int64) { stored.set(Double(value)) }
  func set(_ value: Double) { stored.set(value) }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }

  /// - Parameter amount: Nothing happens unless it is finite and above 0, as with swift-metrics' own meter.
  func increment(by amount: Double) {
    guard amount.isFinite, amount > 0 else { return }
    stored.add(amount)
  }

  /// - Parameter amount: Nothing happens unless it is finite and above 0, as with swift-metrics' own meter.
  func decrement(by amount: Double) {
    guard amount.isFinite, amount > 0 else { return }
    stored.add(-amount)
  }

  func write(to samples: inout SampleWriter) { samples.sample("", stored.value) }
}

/// A value that is asked for (section "Gauge").
final class ObservedGauge: Metric {
  private let read: @Sendable () -> Double?

  init(read: @escaping @Sendable () -> Double?) { self.read = read }

  func write(to samples: inout SampleWriter) {
    guard let value = read() else { return }
    samples.sample("", value)
  }
}
