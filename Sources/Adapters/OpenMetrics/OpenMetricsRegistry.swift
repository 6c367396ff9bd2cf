package import CoreMetrics
internal import Synchronization

/// All metrics of a program, and their text in OpenMetrics 1.0.
///
/// Comments that name a section mean https://prometheus.io/docs/specs/om/open_metrics_spec/.
///
/// The lock is taken when a metric is made and when the text is written. The hot path, counting and recording, takes none. Names
/// come from the program's own code, so a wrong one ends the program, with the reason on standard error.
package final class OpenMetricsRegistry: MetricsFactory {
  private let families = Mutex(Families())

  package init() {}

  /// Describes a family. Without a description, only its TYPE is written. The last description wins.
  ///
  /// - Parameters:
  ///   - name: The metrics' name. For counters, it may be given with or without `_total`.
  ///   - help: One short sentence for people.
  ///   - unit: A base unit such as `seconds` or `bytes`, with which the name must end (section "Unit"). A timer needs
  ///     no unit, because it always has `seconds`.
  package func describe(_ name: String, help: String, unit: String? = nil) {
    change(name) { families throws(Refusal) in try families.describe(name, help: help, unit: unit) }
  }

  /// Registers a gauge that is read each time the text is written.
  ///
  /// - Parameters:
  ///   - dimensions: Must differ from those of other gauges of that name.
  ///   - read: Returns the value, or nil if there is no value now (section "Missing Data"). Called for every text, on the
  ///     thread that writes it, without the registry's lock, perhaps several times at once.
  package func observe(
    _ name: String, dimensions: [(String, String)] = [], read: @escaping @Sendable () -> Double?
  ) {
    let gauge = ObservedGauge(read: read)
    change(name) { families throws(Refusal) in
      let kept = try families.metric(.gauge, name, dimensions) { gauge }
      guard kept === gauge else { throw Refusal("is observed twice with the same dimensions") }
    }
  }

  /// The metrics' present values in UTF-8: families sorted by name, metrics by labels.
  ///
  /// While other threads count, each number is correct, but the numbers may not belong to the same moment. A
  /// histogram's `_count` always equals the sum of its buckets. Its `_sum` may already include values that are still
  /// being recorded, but includes every counted value.
  package func text() -> String {
    // The metrics are read without the lock: a gauge's closure may be slow, or make a metric.
    let families = families.withLock { $0 }
    return families.text()
  }

  // MARK: MetricsFactory

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    metric(.counter, label, dimensions) { IntegerCounter() }
  }

  package func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    metric(.counter, label, dimensions) { FractionalCounter() }
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    metric(.gauge, label, dimensions) { StoredGauge() }
  }

  package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    guard aggregate else { return metric(.gauge, label, dimensions) { StoredGauge() } }
    return metric(.values, label, dimensions) { ValueHistogram() }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    metric(.durations, label, dimensions) { DurationHistogram() }
  }

  // Metrics are never removed: an exposed metric should remain while the process runs (OpenMetrics, section "Exposition
  // Across Time and Metric Evolution"). Also, handlers with the same name and dimensions share one metric.

  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  package func destroyMeter(_ handler: any MeterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  // MARK: Refusing

  private func metric<M: Metric>(
    _ kind: Kind, _ name: String, _ dimensions: [(String, String)], make: () -> M
  ) -> M {
    change(name) { families throws(Refusal) in try families.metric(kind, name, dimensions, make: make) }
  }

  private func change<Result: Sendable>(
    _ name: String, _ body: (inout Families) throws(Refusal) -> Result
  ) -> Result {
    do throws(Refusal) {
      return try families.withLock { families throws(Refusal) in try body(&families) }
    } catch {
      // not preconditionFailure(), because a release build drops its message
      fatalError("the metric \(name) \(error.reason)")
    }
  }
}
