import AddressNormalization
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// Several regd processes with one store and one upstream.
@Suite("Outboxes of several regd processes", .timeLimit(.minutes(10)))
struct SharedOutboxTests {
  static let key = Regd.key

  let memory: MemoryStore
  let upstream = StagedNetwork()
  let clock: StagedClock

  init() {
    let clock = StagedClock()
    self.clock = clock
    memory = MemoryStore(now: { clock.now })
  }

  func store(_ instance: String) -> ColleagueStore {
    ColleagueStore(memory, Claimant(instance, lease: .seconds(35)))
  }

  func regd(_ instance: String, defers: Bool = false, reading: Duration = .zero) -> Regd {
    Regd(store(instance).accounts, upstream, defers: defers, reading: reading)
  }

  @Test(
    "while one regd asks the upstream for a registration, no other regd asks for it, whatever callers request",
    arguments: [false, true])
  func askedOnce(_ defers: Bool) async throws {
    let (a, b) = (regd("a", defers: defers), regd("b", defers: defers))
    await upstream.hold()
    async let first = a.register()
    await upstream.reached()
    let pending = try #require(await memory.find(Self.key)?.account)
    for _ in 0..<3 {
      // no regd accepts it, because the upstream may still reject it
      #expect(await b.register() == .obstructed(.network(.timeout), isPending: true))
      _ = await b.outbox.round(at: .now + .seconds(10_000))
      #expect(await b.outbox.retry(pending.id) == .done)
    }
    #expect(await b.outbox.discard(pending.id, by: nil, mayCommit: { true }) == .inFlight)
    #expect(await b.administrator.delete(.id(pending.id), by: nil) == .pending)
    #expect(try await b.waiting().map(\.attempts) == [0])
    #expect(await upstream.requests.count == 1)
    #expect(try await memory.find(pending.id)?.account == pending)
    await upstream.open()
    guard case .registered(let account) = await first else {
      Issue.record("it was not registered")
      return
    }
    #expect(await b.register() == .registered(account))
    _ = await b.outbox.round(at: .now + .seconds(20_000))
    #expect(b.outbox.waiting == 0)
    #expect(await upstream.requests.count == 1)
  }

  @Test("every regd accepts a deferred registration, even while another regd asks the upstream")
  func acceptedBefore() async throws {
    let (a, b) = (regd("a", defers: true), regd("b", defers: true))
    await upstream.conducts([.fails(.offline)])
    guard case .deferred(let pending, .offline) = await a.register() else {
      Issue.record("it was not put off")
      return
    }
    _ = await a.outbox.round()
    await upstream.hold()
    async let again = a.register()
    await upstream.reached()
    #expect(await b.register() == .deferred(pending, .timeout))
    await upstream.open()
    guard case .registered = await again else {
      Issue.record("it was not registered")
      return
    }
    #expect(await upstream.requests.count == 2)
  }

  @Test("a regd takes over a dead regd's registration when the lease expires, and not before")
  func takenOver() async throws {
    let pending = Fixtures.account("a@example.com", state: .pending, hash: "plain:a fine phrase")
    _ = try await store("a").insert(pending, request: nil, Stamp(Fixtures.time))
    let b = regd("b")
    for number in 1...3 {
      _ = await b.outbox.round(at: .now + .seconds(1000 * number))
      #expect(await b.register() == .obstructed(.network(.timeout), isPending: true))
    }
    clock.pass(.seconds(35) - .nanoseconds(1))
    _ = await b.outbox.round(at: .now + .seconds(10_000))
    #expect(await upstream.requests.isEmpty)
    clock.pass(.nanoseconds(1))
    _ = await b.outbox.round(at: .now + .seconds(20_000))
    #expect(await upstream.registrations.map(\.id) == [pending.account.id])
    #expect(try await memory.find(pending.account.id)?.account.state == .active)
    #expect(try await memory.audit(after: 0, limit: 9).map(\.regd) == ["a", "b", "b"])
  }

  @Test("a restarted regd continues with its own registrations at once")
  func restarted() async throws {
    let pending = Fixtures.account("a@example.com", state: .pending)
    _ = try await store("a").insert(pending, request: nil, Stamp(Fixtures.time))
    _ = await regd("a").outbox.round()
    #expect(try await memory.find(pending.account.id)?.account.state == .active)
  }

  @Test("attempts, failure and pause are visible to every regd, and survive a restart")
  func noted() async throws {
    let (a, b) = (regd("a", reading: .seconds(1000)), regd("b"))
    await upstream.conducts([.fails(.timeout), .fails(.unavailable(retryAfterSeconds: 700))])
    #expect(await a.register() == .obstructed(.network(.timeout), isPending: true))
    _ = await a.outbox.round()
    for other in [a, b, regd("a")] {
      let waiting = try #require(try await other.waiting().first)
      #expect(waiting.attempts == 1)
      #expect(waiting.failure == .timeout)
      #expect(waiting.next > Fixtures.time.advanced(by: .seconds(49)))
      _ = await other.outbox.round()
    }
    #expect(await upstream.requests.count == 1, "the pause applies to every regd")
    _ = await b.outbox.round(at: .now + .seconds(101))
    #expect(await upstream.requests.count == 2, "the pause has ended")
    for other in [a, b, regd("a")] {
      let waiting = try #require(try await other.waiting().first)
      #expect(waiting.attempts == 2)
      #expect(waiting.failure == .unavailable(retryAfterSeconds: 700))
      #expect(waiting.next > Fixtures.time.advanced(by: .seconds(690)))
    }
    // The first regd's own pause has ended. Another regd's pause has begun since the first one read the store.
    _ = await a.outbox.round(at: .now + .seconds(110))
    #expect(await upstream.requests.count == 2)
    let id = try #require(await memory.find(Self.key)?.account.id)
    #expect(await a.outbox.retry(id) == .done)
    _ = await a.outbox.round(at: .now + .seconds(111))
    #expect(try await memory.find(id)?.account.state == .active, "an administrator's retry ends the pause")
  }

  @Test("a regd that loses its lease during a request releases nothing, and the upstream's approval counts anyway")
  func late() async throws {
    for isRefused in [true, false] {
      let subject = SharedOutboxTests()
      let (a, b) = (subject.regd("a"), subject.regd("b"))
      await subject.upstream.hold()
      async let first = a.register()
      await subject.upstream.reached()
      subject.clock.pass(.seconds(36))
      async let round = b.outbox.round()
      await subject.upstream.reached(2)
      // the regd that was taken over gets its answer first
      await subject.upstream.release(isRefused ? .fails(.offline) : .answers)
      let outcome = await first
      let found = try #require(await subject.memory.find(Self.key)?.account)
      #expect(outcome == (isRefused ? .obstructed(.network(.offline), isPending: true) : .registered(found)))
      await subject.upstream.open()
      _ = await round
      let account = try #require(await subject.memory.find(found.id)?.account)
      #expect(account.state == .active)
      #expect(await subject.upstream.holders == [Self.key: account.id])
      #expect(await a.register() == .registered(account))
      _ = await a.outbox.round(at: .now + .seconds(10_000))
      #expect(try await a.waiting().isEmpty)
    }
  }

  @Test("a regd forgets a registration, with its fencing token, after another regd has delivered it")
  func forgotten() async throws {
    let (a, b) = (regd("a"), regd("b"))
    await upstream.conducts([.fails(.timeout)])
    _ = await a.register()
    _ = (await a.outbox.round(), await b.outbox.round())
    let id = try #require(await memory.find(Self.key)?.account.id)
    #expect(a.registrar.reservations.mark(of: id) != nil)
    _ = await b.outbox.round(at: .now + .seconds(101))
    #expect(try await memory.find(id)?.account.state == .active)
    _ = await a.outbox.round()
    #expect(a.outbox.waiting == 0)
    #expect(a.registrar.reservations.mark(of: id) == nil)
  }

  @Test("a clock far ahead on another machine delays a delivery by the longest pause at most")
  func clocks() async throws {
    let pending = Fixtures.account("a@example.com", state: .pending)
    let id = pending.account.id
    _ = try await store("a").insert(pending, request: nil, Stamp(Fixtures.time))
    let far = Delivery(attempts: 1, failure: .timeout, next: Fixtures.time.advanced(by: .seconds(1_000_000_000)))
    #expect(try await store("a").putOff(id, seen: Fixtures.time, far))
    let b = regd("b")
    _ = await b.outbox.round()
    #expect(await upstream.requests.isEmpty)
    #expect(try await b.waiting().allSatisfy { $0.next < Fixtures.time.advanced(by: .seconds(1001)) })
    _ = await b.outbox.round(at: .now + .seconds(1001))
    #expect(try await memory.find(id)?.account.state == .active)
  }
}
