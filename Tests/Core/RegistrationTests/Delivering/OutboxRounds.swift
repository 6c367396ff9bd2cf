import Synchronization

@testable import Registration

extension Outbox {
  /// A round by a clock that shows `start` when it begins and goes on from there. What was left pending before was left now.
  func round(at start: ContinuousClock.Instant) async -> Duration {
    deliverer.plan.withLock { _ = deliverer.take(&$0, at: .now) }
    let offset = start - .now
    return await round { .now + offset }
  }
}
