internal import Glibc

/// The thread that this code runs on.
package enum ThisThread {
  /// Blocks the thread; not to be called on Swift's cooperative pool.
  package static func sleep(for duration: Duration) { _ = Polling.wait(for: [], atMost: duration) }
}
