import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// The rows that a change puts in doubt when its commit gets no answer.
@Suite("Concerns of changes")
struct ConcernTests {
  @Test("a release puts its account in doubt, and claims only if it ends a claim", arguments: [false, true])
  func release(endingClaim: Bool) async throws {
    let last = Mutex(Concern())
    let store = ColleagueStore(MemoryStore(), Claimant("one")) { concern in last.withLock { $0 = concern } }
    let pending = Fixtures.account(state: .pending)
    _ = try await store.insert(pending)
    #expect(
      try await store.release(
        pending.account.id, seen: Fixtures.time, remembered: false, endingClaim: endingClaim, Stamp(Fixtures.time)))
    let concern = last.withLock { $0 }
    #expect(concern.overlaps(Concern(pending.account.id)))
    #expect(concern.overlaps(Concern(claims: [ClaimID()])) == endingClaim)
  }
}
