internal import Logging
internal import Methods
internal import Registration

/// Writes what was refused to those who sign in, register, prove or recover, for whoever counts it, without any address. What
/// repeats is held back by `LogRepeats`: each user has its own, and its origins share that.
struct RefusalLog: Sendable {
  let logger: Logger

  @Sendable func note(_ attempt: RefusedAttempt) {
    var details = [
      "method": "\(attempt.method)", "reason": attempt.reason, "uid": "\(attempt.requester.uid)",
    ]
    details["origin"] = attempt.requester.origin?.text
    logger.write(.attemptRefused, nil, details)
  }
}
