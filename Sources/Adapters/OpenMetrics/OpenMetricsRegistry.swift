package import CoreMetrics
internal import Synchronization

/// All metrics of a program, and their text after OpenMetrics 1.0.
///
/// https://prometheus.io/docs/specs/om/open_metrics_spec/ is meant where a comment names a section.
///
/// The lock is taken where a metric is made and where the text is written, and never to count or to record. Names come
/// from the program's own code, so a wrong one ends the program, with what is wrong on standard error.
package final class OpenMetricsRegistry: MetricsFactory {
  private let families = Mutex(Families())

  package init() {}

  /// Says what a family is for; without it there is a TYPE and nothing else. The last description stands.
  ///
  /// - Parameters:
  ///   - name: As the metrics have it; with or without `_total` where they are counters.
  ///   - help: For people, one short sentence.
  ///   - unit: A base unit such as `seconds` or `bytes`, which the name ends with (section "Unit"). A timer's is
  ///     `seconds` without being told.
  package func describe(_ name: String, help: String, unit: String? = nil) {
    change(name) { families throws(Refusal) in try families.describe(name, help: help, unit: unit) }
  }

  /// A gauge that is read when the text is written.
  ///
  /// - Parameters:
  ///   - dimensions: No other gauge of that name may have the same.
  ///   - read: Called for every text, on the thread that writes it and under no lock of the registry; it may run
  ///     several times at once. Nil: there is nothing to tell now (section "Missing Data").
  package func observe(
    _ name: String, dimensions: [(String, String)] = [], read: @escaping @Sendable () -> Double?
  ) {
    let gauge = ObservedGauge(read: read)
    change(name) { families throws(Refusal) in
      let kept = try families.metric(.gauge, name, dimensions) { gauge }
      guard kept === gauge else { throw Refusal("is observed twice with the same dimensions") }
    }
  }

  /// What the metrics say now, in UTF-8: families by name, and within one by labels.
  ///
  /// While others count, each number is right by itself. A histogram's `_count` is always that of its buckets, and its
  /// `_sum` may be ahead of them by what is being recorded at the moment, and never behind.
  package func text() -> String {
    // The metrics are read after the lock is given back: a gauge's closure may take its time, or make a metric.
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

  // Nothing goes away: what was exposed once should be for as long as the process runs (section "Exposition Across
  // Time and Metric Evolution"), and two that share a metric would lose it when one of them is done.

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
      // and not precondition(), whose message is lost in a release build
      fatalError("the metric \(name) \(error.reason)")
    }
  }
}
