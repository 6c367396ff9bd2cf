internal import CLinux
internal import Glibc

/// A counting semaphore (sem_overview(7)): any thread signals, and each wait takes one signal. Unlike `EventCounter` it has no
/// descriptor, and any number of threads may wait with a limit.
package final class Semaphore: Sendable {
  // Allocated, because a semaphore must not move. Any thread may call the C library's functions on it.
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    semaphore = .allocate(capacity: 1)
    // fails only for an initial value that is too large
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func signal() { sem_post(semaphore) }

  /// Waits for a signal and takes it. Blocks the thread, and cancellation of a task does not end the wait.
  ///
  /// - Parameter limit: The longest wait, at most 11 days, measured by a clock that is never set. Nil waits without limit. If a
  ///   Unix signal interrupts the wait, the limit starts anew.
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
