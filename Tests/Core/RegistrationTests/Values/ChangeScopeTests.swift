import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// The rows that a change puts in doubt when its commit gets no answer.
@Suite("Scopes of changes")
struct ChangeScopeTests {
  @Test("a release puts its account in doubt, and claims only if it ends a claim", arguments: [false, true])
  func release(endingClaim: Bool) async throws {
    let last = Mutex(ChangeScope())
    let store = ColleagueStore(MemoryStore(), Claimant("one")) { scope in last.withLock { $0 = scope } }
    let pending = Fixtures.account(state: .pending)
    _ = try await store.insert(pending)
    #expect(
      try await store.release(
        pending.account.id, seen: Fixtures.time, remembered: false, endingClaim: endingClaim, Stamp(Fixtures.time)))
    let scope = last.withLock { $0 }
    #expect(scope.overlaps(ChangeScope(pending.account.id)))
    #expect(scope.overlaps(ChangeScope(claims: [ClaimID()])) == endingClaim)
  }
}
