internal import CoreMetrics

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
