internal import CLinux
internal import Glibc

/// A counting semaphore (sem_overview(7)): any thread signals, and each wait takes one signal. It has no descriptor, unlike
/// `EventCounter`, and so any number of threads may wait with a limit.
package final class Semaphore: Sendable {
  // at one address for its life; the C library's functions may be called by any thread
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    semaphore = .allocate(capacity: 1)
    // fails for initial values only that are too large
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func signal() { sem_post(semaphore) }

  /// Waits for a signal and takes it. Blocks the thread; cancellation of a task does not end the wait.
  ///
  /// - Parameter limit: The longest wait, 11 days at most, by a clock that is never set; nil waits without limit. A wait
  ///   that a Unix signal interrupts begins anew.
  /// - Returns: Whether there was a signal in time.
  @discardableResult
  package func wait(atMost limit: Duration? = nil) -> Bool {
    guard let limit else {
      while sem_wait(semaphore) != 0 {}  // EINTR
      return true
    }
    while linux_semaphore_wait(semaphore, limit.nanoseconds) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}
