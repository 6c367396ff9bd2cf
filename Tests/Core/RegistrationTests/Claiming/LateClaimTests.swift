import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// A claim that is added after another claim was verified, by a caller that looked before.
@Suite("Claims that come too late")
struct LateClaimTests {
  private let store = MemoryStore()

  /// A caller that registers. Between its look and its claim, the owner verifies another claim.
  private func late(_ conceals: Bool) async throws -> (desk: ClaimDesk, owner: AddressClaim) {
    let terms = VerificationTerms(isRequired: true, conceals: conceals, hasMail: true)
    let other = ClaimDesk(terms, store: store)
    let owner = try await other.claim("Owner@example.com")
    let isFirst = Mutex(true)
    let desk = ClaimDesk(terms, store: store) { operation in
      guard operation == .addClaim,
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      else { return }
      _ = await other.prove(owner)
    }
    return (desk, owner)
  }

  private func claims() async throws(StoreFailure) -> [AddressClaim] {
    try await store.claims(after: nil, limit: 9, at: Fixtures.time)
  }

  @Test("the late caller's address is taken, and no claim is left whose code would be mailed")
  func taken() async throws {
    let (desk, owner) = try await late(false)
    #expect(await desk.register("owner@example.com", "late phrase", by: ClaimDesk.user(8)) == .taken)
    #expect(try await claims().map(\.id) == [owner.id])
    let mails = try await store.mails(after: nil, limit: 9)
    for mail in mails where mail.intent.claim != owner.id {
      let claim = try #require(mail.intent.claim)
      #expect(try await store.find(claim, at: Fixtures.time) == nil)
    }
  }

  @Test("with concealment, the late caller gets a claim like any other, and the owner gets a mail")
  func concealed() async throws {
    let (desk, owner) = try await late(true)
    let claim = try await desk.claim("owner@example.com", "late phrase", by: ClaimDesk.user(8))
    #expect(Set(try await claims().map(\.id)) == [owner.id, claim.id])
    #expect(claim.state == .decoy)
    #expect(try await desk.mails().contains("registrationTried Owner@example.com"))
    #expect(await desk.prove(claim, by: ClaimDesk.user(8)) == .codeRejected(attemptsLeft: 4))
  }

  @Test("a store failure after the claim was added does not remove the claim")
  func failing() async throws {
    let finds = Mutex(0)
    let desk = ClaimDesk(store: store) { operation throws(StoreFailure) in
      guard operation == .find else { return }
      let count = finds.withLock { finds in
        finds += 1
        return finds
      }
      if count == 2 { throw .readOnly }
    }
    let claim = try await desk.claim("a@example.com")
    #expect(try await claims() == [claim])
  }
}
