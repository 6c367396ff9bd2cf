import JSONRPC
import Methods
import RegdClient
import Registration
import Synchronization
import TestDoubles
import Testing
import WireProtocols

/// The worker that encodes events, and its queue.
@Suite("The event feed")
struct EventFeedTests {
  private let worker = Worker()
  private let subject: Subject
  private var feed: EventFeed { subject.feed }

  init() {
    subject = Subject(feed: EventFeed(submit: worker.submit, rest: worker.rest))
  }

  private let event = Event(.delayed, at: Fixtures.time, message: "x")

  private func subscriber() async -> Talk {
    let talk = subject.talk()
    _ = await talk.call("events.subscribe", "null")
    return talk
  }

  /// The params of the events that have arrived.
  private func received(_ talk: Talk) throws -> [JSONValue] {
    talk.sendNotifications()
    return try talk.receive().split(separator: "\n").map { line in
      try #require(JSONValue(Array(line.utf8))?["params"])
    }
  }

  @Test("an event without subscribers starts no work, but counts")
  func unheard() async throws {
    feed.publish(event)
    #expect(await feed.deliver(event) == 0)
    await feed.flush(within: .seconds(600))
    #expect(worker.pieces == 0)
    let reply = try JSONValue.outcome(await subject.talk().call("events.subscribe", "null").last ?? "")
    #expect(reply["sequence"]?.integer == 2)
  }

  @Test("a subscriber that leaves while events wait gets none of them, and the feed releases its session")
  func left() async throws {
    var talk: Talk? = await subscriber()
    weak let session = talk?.session
    feed.publish(event)
    talk?.abandon()
    #expect(feed.subscribers == 0)
    worker.work()
    let told = try talk.map { try received($0) }
    #expect(told?.isEmpty == true)
    talk = nil
    let isReleased = session == nil
    #expect(isReleased)
  }

  @Test("a subscriber that comes while events are dropped receives the number of those that were dropped afterwards")
  func late() async throws {
    let early = await subscriber()
    let count = EventFeed.mostWaiting + 3
    for _ in 0..<count { feed.publish(event) }
    let late = await subscriber()
    for _ in 0..<2 { feed.publish(event) }
    #expect(await feed.deliver(event) == 0)
    worker.work()
    let told = try received(late)
    #expect(told.map { $0["missed"]?.integer } == [3])
    #expect(told.map { $0["sequence"]?.integer } == [count + 3])
    _ = try received(early)
    #expect(try received(early).last?["sequence"]?.integer == count + 3)
  }

  @Test("many events that are encoded together arrive in order")
  func order() async throws {
    let talk = await subscriber()
    for _ in 0..<200 { feed.publish(event) }
    worker.work()
    #expect(try received(talk).compactMap { $0["sequence"]?.integer } == Array(1...200))
    #expect(worker.pieces == 1)
  }

  @Test("if a subscriber has room for the first events only, the number of the others is exact")
  func partly() async throws {
    let talk = await subscriber()
    for _ in 0..<1000 { feed.publish(event) }
    worker.work()
    var told = try received(talk)
    told += try received(talk)
    #expect(told.dropLast().compactMap { $0["sequence"]?.integer } == Array(1..<told.count))
    #expect(told.last?["missed"]?.integer == 1000 - (told.count - 1))
    #expect(told.last?["sequence"]?.integer == 1000)
  }

  @Test("the worker rests after deliveries, at most 20 ms, and does not rest if no subscriber gets an event")
  func rests() async {
    let talk = await subscriber()
    feed.publish(event)
    worker.work()
    #expect(worker.rests == [.microseconds(200)])
    talk.session.adopt(access: .open, heldBytesLimit: .max)
    feed.publish(event)
    worker.work()
    #expect(worker.rests.count == 1)
    var others: [Talk] = []
    for _ in 0..<150 { others.append(await subscriber()) }
    feed.publish(event)
    worker.work()
    #expect(worker.rests.last == .milliseconds(20))
    withExtendedLifetime(others) {}
  }

  @Test("a flush returns after earlier events were offered, or when its time is over")
  func flush() async throws {
    let (feed, worker) = (subject.feed, self.worker)
    let talk = await subscriber()
    feed.publish(event)
    await feed.flush(within: .milliseconds(1))
    #expect(try received(talk).isEmpty)
    async let flushed = Self.hasWorkedAfterFlush(feed, worker)
    for _ in 0..<100 { await Task.yield() }
    worker.work()
    let hasWorked = await flushed
    #expect(hasWorked)
    #expect(try received(talk).count == 1)
    // nothing waits
    await feed.flush(within: .seconds(600))
  }

  private static func hasWorkedAfterFlush(_ feed: EventFeed, _ worker: Worker) async -> Bool {
    await feed.flush(within: .seconds(600))
    return worker.hasWorked
  }
}

/// Works only when a test asks it to, and notes how long it should rest.
private final class Worker: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var pieces = 0
    var rests: [Duration] = []
    var hasWorked = false
  }

  private let state = Mutex(State())

  /// How many pieces of work have come.
  var pieces: Int { state.withLock { $0.pieces } }
  var rests: [Duration] { state.withLock { $0.rests } }
  var hasWorked: Bool { state.withLock { $0.hasWorked } }

  @Sendable func submit(_ work: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.waiting.append(work)
      state.pieces += 1
    }
  }

  @Sendable func rest(_ duration: Duration) { state.withLock { $0.rests.append(duration) } }

  /// Does all waiting work.
  func work() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.hasWorked = true
      return state.waiting
    }
    for work in waiting { work() }
  }
}
