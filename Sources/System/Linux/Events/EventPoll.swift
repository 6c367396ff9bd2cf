internal import CLinux
internal import Glibc

/// Waits for events on many descriptors at once (epoll(7)). A descriptor is out of it as soon as it is closed.
package struct EventPoll: ~Copyable, Sendable {
  private let descriptor: Descriptor

  package init() throws(SystemError) {
    descriptor = Descriptor(owning: try checked("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
  }

  /// What of a descriptor is waited for. Its end, errors, and that neither side sends any more, are told in any case.
  package struct Wanted: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Wanted(rawValue: EPOLLIN.rawValue)
    package static let writable = Wanted(rawValue: EPOLLOUT.rawValue)
  }

  /// What has happened to a descriptor. Its parts are decoded here once: sets of another module's options are not compiled
  /// into the loop that looks at each event.
  package struct Event: Equatable, Sendable {
    package let token: UInt64
    /// There are bytes to read, or the end.
    package let isReadable: Bool
    package let isWritable: Bool
    /// A read may end at something although more is there: at the end of the input, or at a byte out of band (MSG_OOB).
    package let hasBoundary: Bool
    /// Neither side sends any more, mostly because the other one has closed; or the descriptor has failed.
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

  /// An event tells that something changed, once; it is not told again while it stays so (edge-triggered, epoll(7)).
  ///
  /// - Parameter token: Comes back with each event of the descriptor.
  package func add(_ number: Int32, for wanted: Wanted, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_ADD, number, wanted, token)
  }

  /// Changes what is waited for. What is so already is told once more.
  package func change(_ number: Int32, for wanted: Wanted, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_MOD, number, wanted, token)
  }

  private func control(
    _ operation: Int32, _ number: Int32, _ wanted: Wanted, _ token: UInt64
  ) throws(SystemError) {
    _ = try checked("epoll_ctl") {
      linux_epoll_control(
        descriptor.number, operation, number,
        wanted.rawValue | EPOLLRDHUP.rawValue | EPOLLPRI.rawValue | EPOLLET.rawValue, token)
    }
  }

  /// Waits until something happens. Blocks the thread; a signal ends the wait, too.
  ///
  /// - Parameter limit: The longest wait, rounded up to milliseconds; nil waits without limit.
  package func wait(for events: inout Events, atMost limit: Duration?) {
    let count = epoll_wait(descriptor.number, events.base, Events.capacity, limit?.roundedMilliseconds ?? -1)
    events.count = max(0, Int(count))
  }

  /// The memory for events, and those that the last wait has brought.
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
