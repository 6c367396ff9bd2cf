import Synchronization

/// The clock of a test: time passes when the test says so.
package final class StagedClock: Sendable {
  private let start = ContinuousClock.now
  private let time = Mutex(Duration.zero)

  package init() {}

  /// The time since the test began.
  package var passed: Duration { time.withLock { $0 } }

  package var now: ContinuousClock.Instant { start + passed }

  package func pass(_ more: Duration) { time.withLock { $0 += more } }
}
