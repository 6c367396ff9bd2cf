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

/// A counting semaphore that can be polled (eventfd(2)): any thread signals events, and each wait takes one.
package final class EventCounter: Sendable {
  private let descriptor: Descriptor

  package init() throws(SystemError) {
    descriptor = Descriptor(owning: try checked("eventfd") { linux_eventfd_semaphore() })
  }

  /// The descriptor to watch with epoll(7), where each `signal` is an edge of its own.
  package var number: Int32 { descriptor.number }

  package func signal() {
    var one: UInt64 = 1
    while Glibc.write(descriptor.number, &one, 8) < 0, errno == EINTR {}
  }

  /// Waits for an event and takes it. Blocks the thread, and cancellation of a task does not end the wait. Only one
  /// thread at a time may wait with a limit, because another thread could take the event first, and the read would
  /// then wait beyond the limit.
  ///
  /// - Parameter limit: The longest wait. Nil waits without limit.
  /// - Returns: Whether there was an event in time.
  @discardableResult
  package func wait(atMost limit: Duration? = nil) -> Bool {
    if let limit, !Polling.isReady(.readable(descriptor.number), atMost: limit) { return false }
    var count: UInt64 = 0
    while Glibc.read(descriptor.number, &count, 8) < 0, errno == EINTR {}
    return true
  }
}
