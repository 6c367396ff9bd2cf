package import Reasons
package import WireProtocols

/// Receives the outcomes of requests, for metrics. Called on event loops, so it must not block.
package protocol RequestObserver: AnyObject, Sendable {
  /// Called when `count` requests were answered with a result, or were notifications and are done.
  ///
  /// - Parameter method: The method's index in the table.
  func answered(_ method: Int, count: Int)

  /// Called when a request was refused.
  ///
  /// - Parameter method: The method's index in the table, or nil if the request named no method of the table.
  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Peer)

  /// Called when the reply to a request that takes time is ready.
  ///
  /// - Parameter duration: The time since the request was read.
  func took(_ method: Int, _ duration: Duration)
}

/// Observes the outcomes of one method's requests, and forwards all calls to another observer.
final class OutcomeObserver: RequestObserver {
  private let method: Int
  private let note: @Sendable (ErrorReason?) -> Void
  private let other: (any RequestObserver)?

  init(of method: Int, _ note: @escaping @Sendable (ErrorReason?) -> Void, then other: (any RequestObserver)?) {
    (self.method, self.note, self.other) = (method, note, other)
  }

  func answered(_ method: Int, count: Int) {
    if method == self.method { for _ in 0..<count { note(nil) } }
    other?.answered(method, count: count)
  }

  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Peer) {
    if method == self.method { note(reason) }
    other?.refused(method, reason, by: caller)
  }

  func took(_ method: Int, _ duration: Duration) { other?.took(method, duration) }
}

/// The names of the metrics of requests, shared by regd, which writes the metrics, and clients, which read them.
package enum RequestMetric {
  /// The counter of requests, by method and reason.
  package static let requests = "regd_requests"
  /// The histogram of the durations of requests, by method.
  package static let duration = "regd_request_duration_seconds"
  package static let method = "method"
  package static let reason = "reason"
  /// The value of `reason` for a request that was not refused.
  package static let done = "ok"
}
