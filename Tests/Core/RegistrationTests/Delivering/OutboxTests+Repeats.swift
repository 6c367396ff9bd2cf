import Registration
import TestDoubles
import Testing

/// Callers that repeat registrations, and operators that list them.
extension OutboxTests {
  @Test("however often a caller repeats a registration, the delivery happens at the end of its first pause")
  func repeats() async throws {
    let subject = Subject([.fails(.timeout)] + Array(repeating: .fails(.failed), count: 20))
    let start = ContinuousClock.now
    _ = await subject.register("a@example.com")
    func waiting() async throws -> Outbox.Waiting? {
      try await subject.outbox.list(after: nil, limit: 9) { start }.elements.first
    }
    let first = try #require(try await waiting())
    for _ in 0..<20 {
      #expect(await subject.register("a@example.com") == .obstructed(.network(.failed), isPending: true))
      _ = await subject.outbox.round { start }
    }
    #expect(await subject.upstream.registrations.count == 21, "each repeat asks the upstream")
    let last = try #require(try await waiting())
    #expect(last.next == first.next)
    #expect(last.attempts == 1)
    #expect(last.failure == .failed)
    #expect(
      try await subject.store.pending(after: nil, limit: 9).map(\.delivery) == [
        Delivery(attempts: 1, failure: .failed, next: first.next)
      ])
    _ = await subject.outbox.round(at: .now + .seconds(100))
    #expect(try await subject.store.pendingCount() == 0)
  }

  @Test("every listing shows the same time for the next attempt, unless the clock is set")
  func steady() async throws {
    let subject = Subject([.fails(.timeout)])
    let start = ContinuousClock.now
    _ = await subject.register("a@example.com")
    func next(_ microseconds: Int) async throws -> Timestamp? {
      try await subject.outbox.list(after: nil, limit: 9) { start + .microseconds(microseconds) }.elements.first?.next
    }
    let first = try await next(0)
    for microseconds in [3, 700, 900_000] { #expect(try await next(microseconds) == first) }
    // the wall clock has not advanced, and so was set back by ten seconds
    #expect(try await next(10_000_000) == first?.advanced(by: .seconds(-10)))
  }
}
