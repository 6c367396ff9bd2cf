import Synchronization

@testable import Registration

extension Outbox {
  /// A round with a stopped clock. On a busy machine, a round with a running clock may last longer than a pause, and
  /// would then retry its own failures.
  @discardableResult
  func round() async -> Duration {
    let start = ContinuousClock.now
    return await round { start }
  }

  /// A round with a clock that shows `start` when the round begins and advances from there. Registrations left pending
  /// before count as left now.
  func round(at start: ContinuousClock.Instant) async -> Duration {
    deliverer.plan.withLock { _ = deliverer.take(&$0, at: .now) }
    let offset = start - .now
    return await round { .now + offset }
  }
}
