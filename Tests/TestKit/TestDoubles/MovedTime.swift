package import Registration
internal import Synchronization

/// A clock that the test moves.
package final class MovedTime: TimeSource {
  private let time = Mutex(Fixtures.time)

  package init() {}

  package func now() -> Timestamp { time.withLock { $0 } }

  package func pass(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}
