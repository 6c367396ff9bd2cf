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

/// Waits for events on many descriptors at once (epoll(7)). A descriptor leaves the set by `remove`, or when it is
/// closed and has no duplicate.
package struct EventPoll: ~Copyable, Sendable {
  private let descriptor: Descriptor

  package init() throws(SystemError) {
    descriptor = Descriptor(owning: try checked("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// The epoll descriptor itself, which is readable while there are events.
  package var number: Int32 { descriptor.number }

  /// The events to wait for. Hang-ups, errors and the end of the peer's sending are always reported.
  package struct Wanted: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Wanted(rawValue: EPOLLIN.rawValue)
    package static let writable = Wanted(rawValue: EPOLLOUT.rawValue)
  }

  /// An event of a descriptor. The initializer decodes the bits once, because the compiler does not inline another
  /// module's option sets into the loop that reads each event.
  package struct Event: Equatable, Sendable {
    package let token: UInt64
    /// Whether a read returns at once, with bytes, the end of the input or a failure.
    package let isReadable: Bool
    package let isWritable: Bool
    /// Whether a read may stop early although more follows, at the end of the input or at out-of-band data (MSG_OOB).
    package let hasBoundary: Bool
    /// Whether neither side can send any more, usually because the peer has closed, or whether the descriptor has
    /// failed.
    package let isHungUp: Bool

    fileprivate init(_ event: UnsafePointer<epoll_event>) {
      token = linux_epoll_token(event)
      let bits = linux_epoll_events(event)
      func has(_ event: EPOLL_EVENTS) -> Bool { bits & event.rawValue != 0 }
      isHungUp = has(EPOLLHUP) || has(EPOLLERR)
      hasBoundary = isHungUp || has(EPOLLRDHUP) || has(EPOLLPRI)
      isReadable = hasBoundary || has(EPOLLIN)
      isWritable = has(EPOLLOUT)
    }
  }

  /// Adds a descriptor. Its events are edge-triggered (epoll(7)): a change is reported once, and not again while the
  /// new state lasts.
  ///
  /// - Parameter token: Returned with each event of the descriptor.
  package func add(_ number: Int32, for wanted: Wanted, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_ADD, number, wanted, token)
  }

  /// Changes the events to wait for. Present readiness is reported once more.
  package func change(_ number: Int32, for wanted: Wanted, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_MOD, number, wanted, token)
  }

  /// Stops watching a descriptor that remains open. Closing a descriptor has this effect only if no other one of the
  /// same open file is left (epoll(7), question 6).
  package func remove(_ number: Int32) throws(SystemError) { try control(EPOLL_CTL_DEL, number, [], 0) }

  private func control(
    _ operation: Int32, _ number: Int32, _ wanted: Wanted, _ token: UInt64
  ) throws(SystemError) {
    _ = try checked("epoll_ctl") {
      linux_epoll_control(
        descriptor.number, operation, number,
        wanted.rawValue | EPOLLRDHUP.rawValue | EPOLLPRI.rawValue | EPOLLET.rawValue, token)
    }
  }

  /// Waits until something happens. Blocks the thread. A signal also ends the wait.
  ///
  /// - Parameter limit: The longest wait, rounded up to milliseconds. Nil waits without limit.
  package func wait(for events: inout Events, atMost limit: Duration?) {
    let count = epoll_wait(descriptor.number, events.base, Events.capacity, limit?.roundedMilliseconds ?? -1)
    events.count = max(0, Int(count))
  }

  /// The memory for events, and the events of the last wait.
  package struct Events: ~Copyable {
    fileprivate static let capacity: Int32 = 256
    fileprivate let base: UnsafeMutablePointer<epoll_event>
    package fileprivate(set) var count = 0

    package init() {
      base = .allocate(capacity: Int(Self.capacity))
      base.initialize(repeating: epoll_event(), count: Int(Self.capacity))
    }

    deinit { base.deallocate() }

    /// - Parameter index: Below `count`.
    package subscript(index: Int) -> Event {
      precondition(index >= 0 && index < count, "there are \(count) events")
      return Event(base + index)
    }
  }
}
