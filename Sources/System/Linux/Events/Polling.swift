internal import CLinux
internal import Glibc

/// Waits until a descriptor is ready (poll(2)). Blocks the thread; cancellation of a task does not end the wait.
package enum Polling {
  /// The event to wait for. An error, and the end of the other side, end each wait too.
  package enum Interest: Sendable {
    case readable(Int32)
    case writable(Int32)
    /// The other side has ended its sending.
    case ended(Int32)
    /// Errors only.
    case broken(Int32)
  }

  /// - Parameters:
  ///   - limit: The longest wait; nil waits without limit.
  /// - Returns: Whether each is ready, in the order of `interests`; all false after the time limit.
  package static func wait(for interests: [Interest], atMost limit: Duration? = nil) -> [Bool] {
    let deadline = limit.map { ContinuousClock.now + $0 }
    var events = interests.map(\.event)
    while poll(&events, nfds_t(events.count), deadline.map { ($0 - .now).pollMilliseconds } ?? -1) < 0, errno == EINTR {
    }
    return events.map { $0.revents != 0 }
  }

  package static func isReady(_ interest: Interest, atMost limit: Duration? = nil) -> Bool {
    wait(for: [interest], atMost: limit)[0]
  }
}

extension Polling.Interest {
  fileprivate var event: pollfd {
    switch self {
    case .readable(let number): pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    case .writable(let number): pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    case .ended(let number): pollfd(fd: number, events: linux_POLLRDHUP, revents: 0)
    case .broken(let number): pollfd(fd: number, events: 0, revents: 0)
    }
  }
}

extension Duration {
  /// Rounded up, so that the last part of a millisecond is waited for and not spun through; 0 for what is over.
  fileprivate var pollMilliseconds: Int32 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    return Int32(clamping: min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
