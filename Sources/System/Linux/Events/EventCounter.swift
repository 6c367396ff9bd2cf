internal import CLinux
internal import Glibc

/// Counts events from any thread until a thread takes them, one a time (eventfd(2) as a semaphore).
package final class EventCounter: Sendable {
  private let descriptor: Descriptor

  package init() throws(SystemError) {
    descriptor = Descriptor(owning: try checked("eventfd") { linux_eventfd_semaphore() })
  }

  package func signal() {
    var one: UInt64 = 1
    while Glibc.write(descriptor.number, &one, 8) < 0, errno == EINTR {}
  }

  /// Waits for an event and takes it.
  ///
  /// - Parameter limit: How long at most; nil for as long as it takes.
  /// - Returns: Whether there was one.
  @discardableResult
  package func wait(atMost limit: Duration? = nil) -> Bool {
    if let limit, !Polling.isReady(.readable(descriptor.number), atMost: limit) { return false }
    var count: UInt64 = 0
    while Glibc.read(descriptor.number, &count, 8) < 0, errno == EINTR {}
    return true
  }
}
