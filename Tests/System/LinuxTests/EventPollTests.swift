import Linux
import Testing

@Suite("Polling many descriptors")
struct EventPollTests {
  /// The tokens of the pending events, in ascending order.
  private func tokens(_ poll: borrowing EventPoll, _ events: inout EventPoll.Events) -> [UInt64] {
    poll.wait(for: &events, atMost: .zero)
    return (0..<events.count).map { events[$0].token }.sorted()
  }

  @Test("the poll throws the system's error for an invalid, an unknown and an already added descriptor")
  func refused() throws {
    let poll = try EventPoll()
    let pair = try Descriptor.socketPair()
    #expect(throws: SystemError("epoll_ctl", 9)) { try poll.add(-1, for: .readable, token: 1) }
    #expect(throws: SystemError("epoll_ctl", SystemError.notFound)) {
      try poll.change(pair.first.number, for: .readable, token: 1)
    }
    try poll.add(pair.first.number, for: .readable, token: 1)
    #expect(throws: SystemError("epoll_ctl", 17)) { try poll.add(pair.first.number, for: .readable, token: 1) }
  }

  @Test("the poll reports a change once, with the descriptor's token, and the current state after change()")
  func changes() throws {
    let poll = try EventPoll()
    var events = EventPoll.Events()
    let pair = try Descriptor.socketPair()
    try poll.add(pair.first.number, for: .readable, token: 1 << 40)
    #expect(tokens(poll, &events) == [])
    try pair.second.sendAll([1, 2])
    #expect(tokens(poll, &events) == [1 << 40])
    #expect(tokens(poll, &events) == [])
    try poll.change(pair.first.number, for: [.readable, .writable], token: 7)
    #expect(tokens(poll, &events) == [7])
    #expect(events[0].isReadable && events[0].isWritable && !events[0].hasBoundary && !events[0].isHungUp)
    pair.second.shutdown(.both)
    #expect(tokens(poll, &events) == [7])
    #expect(events[0].isReadable && events[0].hasBoundary && events[0].isHungUp)
  }

  @Test("non-blocking reads and writes return the bytes, or report that there is nothing, the end or a failure")
  func transfers() throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
    defer { buffer.deallocate() }
    #expect(Descriptor(borrowing: -1).receive(into: buffer) == .failed(9))
    let pair = try Descriptor.socketPair()
    #expect(pair.first.receive(into: buffer) == .nothing)
    try pair.second.sendAll([1, 2, 3, 4, 5])
    #expect(pair.first.receive(into: buffer) == .bytes(4, isAll: false))
    #expect(pair.first.receive(into: buffer) == .bytes(1, isAll: true))
    let many = [UInt8](repeating: 7, count: 1 << 20)
    var taken = 0
    while case .bytes(let count) = many.withUnsafeBytes({ pair.second.sendNow($0) }), count > 0 { taken += count }
    #expect(taken > 0)
    pair.second.shutdown(.writing)
    while case .bytes = pair.first.receive(into: buffer) {}
    #expect(pair.first.receive(into: buffer) == .end)
    pair.first.shutdown(.reading)
    #expect(many.withUnsafeBytes { pair.second.sendNow($0) } == .failed(32))
  }

  @Test("adding a duration moves an instant by that duration, and an enormous duration does not overflow")
  func instants() {
    let start = MonotonicInstant(nanoseconds: 5)
    #expect((start + .milliseconds(3)).nanoseconds == 3_000_005)
    #expect((start + .seconds(-1)) < start && start < start + .nanoseconds(1))
    #expect((start + .seconds(3)) - start == .seconds(3))
    #expect(start + .seconds(Int64.max) > start)
    #expect(MonotonicInstant.now <= .now)
  }
}
