internal import Glibc

/// The thread that this code runs on.
package enum ThisThread {
  /// Blocks the thread; cancellation of a task does not end the sleep. Not for Swift's cooperative pool.
  package static func sleep(for duration: Duration) { _ = Polling.wait(for: [], atMost: duration) }
}
