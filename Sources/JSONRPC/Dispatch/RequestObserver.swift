/// Is told what becomes of requests, for whoever counts them. Called on event loops: it may not block.
package protocol RequestObserver: Sendable {
  /// A request was answered, or a notification was done.
  ///
  /// - Parameters:
  ///   - method: Its place in the table; nil where it has none.
  ///   - reason: Nil for a result.
  func answered(_ method: Int?, _ reason: ErrorReason?)

  /// A request that takes time has its reply.
  ///
  /// - Parameter duration: Since it was read.
  func took(_ method: Int, _ duration: Duration)
}
