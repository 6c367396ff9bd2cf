import Synchronization

@testable import Registration

extension Outbox {
  /// A round in which the clock stands still: on a busy machine one may last longer than a pause, and then what has failed in it is
  /// tried in it again.
  @discardableResult
  func round() async -> Duration {
    let start = ContinuousClock.now
    return await round { start }
  }

  /// A round by a clock that shows `start` when it begins and goes on from there. What was left pending before was left now.
  func round(at start: ContinuousClock.Instant) async -> Duration {
    deliverer.plan.withLock { _ = deliverer.take(&$0, at: .now) }
    let offset = start - .now
    return await round { .now + offset }
  }
}
