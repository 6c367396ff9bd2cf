import AddressNormalization
import StoreConformance
import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Registration status by request")
struct StatusTests {
  @Test("a claim that is verified between two looks has the account's status and is never unknown")
  func provenBetween() async throws {
    let proving = Mutex<AddressClaim?>(nil)
    let store = MemoryStore()
    let desk = ClaimDesk(
      store: store,
      before: { operation async throws(StoreFailure) in
        guard operation == .findClaim, let claim = proving.withLock({ $0.take() }) else { return }
        _ = try await store.prove(claim.id, ClaimScene.account(claim, at: 0), Stamp(claim.createdAt))
      })
    let claim = try await desk.claim("a@example.com", request: "r")
    let request = try #require(RequestKey(uid: 7, id: "r"))
    proving.withLock { $0 = claim }
    guard case .active(let account) = try await desk.registrar.status(of: request) else {
      Issue.record("it is not there")
      return
    }
    #expect(account.id == claim.account)
  }

  @Test("before regd reports a registration as unknown, it waits for the commits of other regd processes")
  func committing() async throws {
    let request = try #require(RequestKey(uid: 7, id: "r"))
    let account = Fixtures.account("a@example.com")
    let normalizer = UnicodeNormalizer()
    let registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: CommittingStore(base: MemoryStore(), request: request, account: account).accounts, hasher: PlainHasher(),
      network: nil, time: MovedTime())
    #expect(try await registrar.status(of: request) == .active(account.account))
    let another = try #require(RequestKey(uid: 7, id: "another"))
    #expect(try await registrar.status(of: another) == .unknown)
  }
}

/// A store to which another regd is committing a registration.
private struct CommittingStore: EngineDouble {
  let base: any StoreEngine
  let request: RequestKey
  let account: StoredAccount

  func awaitCommit(of awaited: RequestKey) async throws(StoreFailure) {
    guard awaited == request else { return }
    _ = try await Accounts(base).insert(account, request: request, Stamp(Fixtures.time))
  }
}
