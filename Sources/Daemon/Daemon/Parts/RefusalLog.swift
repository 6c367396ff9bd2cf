internal import Logging
internal import Methods
internal import Registration

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
