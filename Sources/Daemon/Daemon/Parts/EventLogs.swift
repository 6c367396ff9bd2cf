internal import JSONRPC
internal import Linux
package import Logging
package import Methods
internal import OpenMetrics
internal import Reasons
package import Registration
internal import Synchronization
internal import UnixSocket
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

/// Logs each change of an account or invitation, like the audit but without the address.
package struct AuditLog: Sendable {
  let logger: Logger

  package init(logger: Logger) { self.logger = logger }

  /// Logs one change. This is an `AuditObserver`.
  @Sendable func note(_ entry: AuditEntry) {
    let message: LogMessage =
      entry.invitation != nil ? .invitationChanged : entry.terms != nil ? .termsAccepted : .accountChanged
    // called between a commit and its answer, so it prepares no line that is not written
    guard message.level >= logger.logLevel else { return }
    var details = ["entry": "\(entry.number)", "event": entry.change.rawValue]
    details["account"] = entry.account?.description
    details["invitation"] = entry.invitation?.description
    details["terms"] = entry.terms
    if let by = entry.by {
      details["uid"] = "\(by.uid)"
      details["pid"] = "\(by.pid)"
      details["origin"] = by.origin?.text
      details["door"] = by.door
    }
    logger.write(message, entry.change.rawValue, details)
  }

  /// Returns a store's observer, which logs and publishes each change.
  package func observer(_ feed: EventFeed) -> AuditObserver {
    {
      note($0)
      feed.publish(Event($0))
    }
  }
}

/// Logs refused sign-ins, registrations, proofs and recoveries, without any address, for tools that count them.
/// `LogRepeats` holds back repetitions: all origins of a user share one limit.
struct RefusalLog: Sendable {
  let logger: Logger

  @Sendable func note(_ attempt: RefusedAttempt) {
    var details = [
      "method": "\(attempt.method)", "reason": attempt.reason, "uid": "\(attempt.requester.uid)",
    ]
    details["origin"] = attempt.requester.origin?.text
    details["door"] = attempt.requester.door
    logger.write(.attemptRefused, nil, details)
  }
}

/// Logs the events of the socket server, such as refused connections.
struct ServerEventLog: Sendable {
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  func note(_ event: ServerEvent) {
    switch event {
    case .acceptFailed(let number): logger.write(.acceptFailed, nil, ["failure": SystemError.text(number)])
    case .stalled(let caller, let bytes):
      logger.write(.connectionStalled, nil, ["bytes": "\(bytes)"].merging(Self.details(caller)) { $1 })
    case .refused(let caller, let refusal):
      logger.write(
        .connectionRefused, nil, ["reason": RPCError(refusal).reason.name].merging(Self.details(caller)) { $1 })
    case .notAdmitted(let caller, let point):
      logger.write(
        .connectionRefused, nil,
        ["reason": ErrorReason.accessDenied.name, "door": point].merging(Self.details(caller)) { $1 })
    case .unmapped(let caller): logger.write(.callerUnmapped, nil, Self.details(caller))
    case .groupsUnknown(let caller): logger.write(.groupsUnknown, nil, Self.details(caller))
    }
  }

  private static func details(_ caller: Peer) -> [String: String] {
    ["uid": "\(caller.uid)", "pid": "\(caller.pid)"]
  }
}

/// Logs and publishes each row that the store finds unreadable, and counts it for `daemon.status`.
package final class DamageReport: Sendable {
  private let met = Mutex(StatusSources.Damage())
  private let logger: Logger
  private let feed: EventFeed
  private let time: any TimeSource

  package init(logger: Logger, feed: EventFeed, time: any TimeSource) {
    self.logger = logger
    self.feed = feed
    self.time = time
  }

  /// Reports one row. This is the store's `DamageObserver`.
  @Sendable package func note(_ row: DamagedRow) {
    met.withLock { $0.add(row) }
    logger.write(.storeDamaged, nil, ["row": row.name, "problem": row.problem])
    feed.publish(Event(.storeDamaged, at: time.now(), message: "\(row.name): \(row.problem)"))
  }

  @Sendable func damage() -> StatusSources.Damage { met.withLock { $0 } }
}
