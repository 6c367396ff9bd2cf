import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// The writes to the store, and the calls that run at the same time.
extension SharedOutboxTests {
  @Test("each request to the upstream is noted once, and a round without a request writes nothing")
  func written() async throws {
    let tally = Tally()
    let counted = store("a").accounts.preparing { (operation) async throws(StoreFailure) in tally.add(operation) }
    let a = Regd(counted, upstream)
    await upstream.conducts(.fails(.timeout))
    _ = await a.register()
    #expect(tally.taken() == [.insert])
    for _ in 0..<5 { _ = await a.outbox.round() }
    #expect(tally.taken() == [.putOff])
    for number in 1...3 {
      _ = await a.outbox.round(at: .now + .seconds(10_000 * number))
      #expect(tally.taken() == [.renew, .putOff])
      for _ in 0..<5 { _ = (await a.outbox.round(), try await a.waiting()) }
      #expect(tally.taken().isEmpty)
    }
    // also when another regd has the lease
    let b = store("b")
    let seen = try #require(await memory.find(Self.key)?.account)
    let mark = seen.updatedAt.advanced(by: .seconds(1))
    #expect(try await b.resume(seen.id, seen: seen.updatedAt, Stamp(mark)) == .resumed)
    for number in 10...15 { _ = await a.outbox.round(at: .now + .seconds(10_000 * number)) }
    #expect(tally.taken().isEmpty)
    #expect(await upstream.requests.count == 4)
  }

  @Test("if the store fails to take a note, no delivery is lost, and the note is written when the store works again")
  func unnoted() async throws {
    let isIll = Mutex(true)
    let ill = store("a").accounts.preparing { (operation) async throws(StoreFailure) in
      if operation == .putOff, isIll.withLock({ $0 }) { throw .full }
    }
    let a = Regd(ill, upstream)
    await upstream.conducts([.fails(.timeout), .fails(.failed)])
    _ = await a.register()
    _ = await a.outbox.round()
    _ = await a.outbox.round(at: .now + .seconds(101))
    #expect(await upstream.requests.count == 2)
    #expect(try await a.waiting().map(\.attempts) == [2])
    #expect(try await memory.pending(after: nil, limit: 9).map(\.delivery) == [nil])
    isIll.withLock { $0 = false }
    _ = await a.outbox.round()
    #expect(await upstream.requests.count == 2)
    #expect(try await memory.pending(after: nil, limit: 9).map { $0.delivery?.attempts } == [2])
    _ = await a.outbox.round(at: .now + .seconds(10_000))
    #expect(try await memory.pendingCount() == 0)
  }

  @Test(
    "a lease is not renewed while the previous request's note ends it, but an administrator can discard meanwhile",
    arguments: [false, true])
  func noting(_ isDiscarded: Bool) async throws {
    let tally = Tally()
    let (reached, hold) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
    let slow = store("a").accounts.preparing { (operation) async throws(StoreFailure) in
      tally.add(operation)
      guard operation == .putOff else { return }
      reached.continuation.yield()
      for await _ in hold.stream { break }
    }
    let a = Regd(slow, upstream)
    await upstream.conducts([.fails(.timeout), .fails(.timeout)])
    _ = await a.register()
    let id = try #require(await memory.find(Self.key)?.account.id)
    async let round = a.outbox.round()
    for await _ in reached.stream { break }
    if isDiscarded {
      #expect(await a.outbox.discard(id, by: nil, mayCommit: { true }) == .done)
      hold.continuation.yield()
      _ = await round
      #expect(tally.taken() == [.insert, .putOff, .release])
    } else {
      async let repeated = a.register()
      while a.registrar.notes.joiners(of: id) == 0 { await Task.yield() }
      hold.continuation.yield()
      #expect(await repeated == .obstructed(.network(.timeout), isPending: true))
      _ = await round
      #expect(tally.taken() == [.insert, .putOff, .renew])
    }
  }
}
