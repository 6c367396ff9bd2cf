internal import CoreMetrics
internal import JSONRPC
internal import OpenMetrics
internal import Reasons
internal import Synchronization
internal import WireProtocols

/// Counts requests by method and reason, and measures those that take time.
final class RequestMetrics: RequestObserver {
  private struct Failure: Hashable {
    let method: Int?
    let reason: ErrorReason
  }

  private let registry: OpenMetricsRegistry
  private let names: [String]
  /// Successes by method. The hot path: one counter each, no lock.
  private let results: [Counter]
  private let timers: [CoreMetrics.Timer?]
  /// Counters of failures, made when first needed, because all possible ones would be a thousand series.
  private let failures = Mutex<[Failure: Counter]>([:])

  init(_ registry: OpenMetricsRegistry, methods: MethodTable) {
    self.registry = registry
    registry.describe(
      RequestMetric.requests,
      help: "Requests and notifications, by method and reason; ok means success."
    )
    registry.describe(
      RequestMetric.duration,
      help: "Time from reading a request to its reply, for methods that take time; other requests are answered at once."
    )
    names = methods.methods.map { "\($0.name)" }
    results = names.map {
      Counter(
        label: RequestMetric.requests,
        dimensions: [(RequestMetric.method, $0), (RequestMetric.reason, RequestMetric.done)], factory: registry)
    }
    timers = methods.methods.map { method in
      switch method.behaviour {
      case .suspending, .lookingUp:
        CoreMetrics.Timer(
          label: RequestMetric.duration, dimensions: [(RequestMetric.method, "\(method.name)")], factory: registry)
      case .immediate, .offloadable, .cancelling, .discovering: nil
      }
    }
  }

  func answered(_ method: Int, count: Int) { results[method].increment(by: count) }

  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Peer) {
    let failure = Failure(method: method, reason: reason)
    let counter = failures.withLock { failures in
      if let counter = failures[failure] { return counter }
      let dimensions = [
        (RequestMetric.method, method.map { names[$0] } ?? "none"), (RequestMetric.reason, reason.name),
      ]
      let counter = Counter(label: RequestMetric.requests, dimensions: dimensions, factory: registry)
      failures[failure] = counter
      return counter
    }
    counter.increment()
  }

  func took(_ method: Int, _ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    timers[method]?.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
