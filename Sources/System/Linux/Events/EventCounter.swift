internal import CLinux
internal import Glibc

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
