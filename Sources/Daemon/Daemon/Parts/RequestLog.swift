internal import JSONRPC
internal import Logging
internal import Reasons
internal import WireProtocols

/// Logs refused requests at level debug, for developers of callers, and passes all events on to the next observer.
final class RequestLog: RequestObserver {
  private let logger: Logger
  private let names: [String]
  private let next: any RequestObserver

  init(_ logger: Logger, methods: MethodTable, before next: any RequestObserver) {
    self.logger = logger
    self.next = next
    names = methods.methods.map { "\($0.name)" }
  }

  func answered(_ method: Int, count: Int) { next.answered(method, count: count) }

  func refused(_ method: Int?, _ reason: ErrorReason, by caller: Peer) {
    if logger.logLevel <= LogMessage.requestRefused.level {
      // `LogRepeats` counts repetitions per user: one user's refusals hide no other's
      logger.write(
        .requestRefused, nil,
        [
          "method": method.map { names[$0] } ?? "none", "reason": reason.name, "uid": "\(caller.uid)",
          "pid": "\(caller.pid)",
        ])
    }
    next.refused(method, reason, by: caller)
  }

  func took(_ method: Int, _ duration: Duration) { next.took(method, duration) }
}
