internal import CLinux
internal import Glibc

/// Waits until a descriptor is ready (ppoll(2)). Blocks the thread, and cancellation of a task does not end the wait.
package enum Polling {
  /// The event to wait for. An error and a hang-up of the peer end every wait, whatever the event.
  package struct Interest: Sendable {
    fileprivate let event: pollfd

    private init(_ number: Int32, _ events: Int16) { event = pollfd(fd: number, events: events, revents: 0) }

    package static func readable(_ number: Int32) -> Interest { Interest(number, Int16(POLLIN)) }
    package static func writable(_ number: Int32) -> Interest { Interest(number, Int16(POLLOUT)) }
    /// The peer has ended its sending.
    package static func ended(_ number: Int32) -> Interest { Interest(number, linux_POLLRDHUP) }
    /// Errors only.
    package static func broken(_ number: Int32) -> Interest { Interest(number, 0) }
  }

  /// - Parameters:
  ///   - limit: The longest wait. Nil waits without limit.
  /// - Returns: Whether each descriptor is ready, in the order of `interests`. All are false if the limit passed first.
  package static func wait(for interests: [Interest], atMost limit: Duration? = nil) -> [Bool] {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var events = interests.map(\.event)
    while linux_poll(&events, UInt(events.count), deadline.map { ($0 - .now).nanoseconds } ?? -1) < 0, errno == EINTR {}
    return events.map { $0.revents != 0 }
  }

  package static func isReady(_ interest: Interest, atMost limit: Duration? = nil) -> Bool {
    wait(for: [interest], atMost: limit)[0]
  }
}
