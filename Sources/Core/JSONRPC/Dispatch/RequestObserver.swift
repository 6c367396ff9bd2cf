package import Dialogues

/// Receives the outcomes of requests, for metrics. Called on event loops, so it must not block.
package protocol RequestObserver: Sendable {
  /// Requests were answered with a result, or notifications were done.
  ///
  /// - Parameter method: The method's index in the table.
  func answered(_ method: Int, count: Int)

  /// A request was refused.
  ///
  /// - Parameter method: The method's index in the table; nil if the request named no method of the table.
  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Caller)

  /// The reply to a request that takes time is ready.
  ///
  /// - Parameter duration: The time since the request was read.
  func took(_ method: Int, _ duration: Duration)
}
