internal import Logging
internal import Methods
internal import Reasons
internal import Registration

/// Logs one line when a part or a background task begins to fail, and one when it works again, with the number of
/// failures in between.
struct OutageReport: Sendable {
  let logger: Logger

  /// Logs one change. This is a `Health` observer.
  @Sendable func note(_ turn: Health.Turn) {
    if turn.isForgotten { return }
    guard let failure = turn.failure else {
      return logger.write(
        Self.messages(turn.part).works, nil,
        ["failures": "\(turn.failures)", "seconds": "\(turn.lasted.components.seconds)"])
    }
    var details = CallDetails.current?.all ?? [:]
    details["failure"] = failure
    details["reason"] = turn.reason?.name
    logger.write(Self.messages(turn.part).fails, nil, details)
  }

  /// Logs one change of a background task. This is an observer of `BackgroundHealth`.
  @Sendable func noteTask(_ turn: BackgroundHealth.Turn) {
    switch turn {
    case .fails(let failing):
      logger.write(.taskFails, nil, ["task": failing.task.rawValue, "failure": failing.reason])
    case .works(let failing, let now):
      let seconds = max(0, now.microseconds - failing.since.microseconds) / 1_000_000
      logger.write(
        .taskWorks, nil,
        ["task": failing.task.rawValue, "failures": "\(failing.failures)", "seconds": "\(seconds)"])
    }
  }

  private static func messages(_ part: Health.Part) -> (fails: LogMessage, works: LogMessage) {
    switch part {
    case .store: (.storeFails, .storeWorks)
    case .network: (.upstreamFails, .upstreamWorks)
    case .mail: (.mailFails, .mailWorks)
    }
  }
}
