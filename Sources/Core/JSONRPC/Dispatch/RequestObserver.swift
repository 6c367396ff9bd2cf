/// Gets the outcomes of requests, for metrics. Called on event loops: it may not block.
package protocol RequestObserver: Sendable {
  /// Requests were answered with a result, or notifications were done.
  ///
  /// - Parameter method: Its place in the table.
  func answered(_ method: Int, count: Int)

  /// A request was refused.
  ///
  /// - Parameter method: Its place in the table; nil where it has none.
  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Caller)

  /// A request that takes time has its reply.
  ///
  /// - Parameter duration: Since it was read.
  func took(_ method: Int, _ duration: Duration)
}
