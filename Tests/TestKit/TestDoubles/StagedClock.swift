import Synchronization

/// A clock for tests, on which time passes only by `pass`.
package final class StagedClock: Sendable {
  private let start = ContinuousClock.now
  private let time = Mutex(Duration.zero)

  package init() {}

  /// The time since the test began.
  package var passed: Duration { time.withLock { $0 } }

  package var now: ContinuousClock.Instant { start + passed }

  package func pass(_ more: Duration) { time.withLock { $0 += more } }
}
