internal import CLinux
internal import Glibc

/// poll(2): waits until one of some descriptors is ready.
package enum Polling {
  /// What is waited for. The end of the other side, and an error, are what all of them are waiting for too.
  package enum Interest: Sendable {
    case readable(Int32)
    case writable(Int32)
    /// The other side sends no more.
    case ended(Int32)
    /// Errors only.
    case broken(Int32)
  }

  /// - Parameters:
  ///   - limit: How long to wait at most; nil for as long as it takes. Signals do not shorten it.
  /// - Returns: Whether each is ready, in the order of `interests`; none is when the time is over.
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
