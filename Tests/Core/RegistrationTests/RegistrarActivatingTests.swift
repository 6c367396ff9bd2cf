import AddressNormalization
import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Activating an account that the upstream has registered")
struct RegistrarActivatingTests {
  private let store = MemoryStore()
  private let pending = Fixtures.account("new@example.com", state: .pending)
  private let stamp = Stamp(Fixtures.time)

  private func registrar(_ store: any StoreUnderTest) -> Registrar {
    let normalizer = UnicodeNormalizer()
    return Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: PlainHasher(), network: nil, time: FixedTime())
  }

  private func inState(_ state: Account.State) -> StoredAccount {
    var account = pending
    account.account.state = state
    return account
  }

  private func activate(_ request: RequestKey? = nil) async throws -> ActivationAnswer {
    try await registrar(store.accounts).activate(pending, request: request, stamp)
  }

  @Test("a reservation becomes active, and stays active when it is activated again")
  func reserved() async throws {
    _ = try await store.insert(pending, request: nil, stamp)
    for _ in 0..<2 { #expect(try await activate() == .active(inState(.active).account)) }
  }

  @Test("a reservation that was released meanwhile is inserted again as active, with its request")
  func released() async throws {
    let request = try #require(RequestKey(uid: 7, id: "one"))
    #expect(try await activate(request) == .active(inState(.active).account))
    #expect(try await store.find(pending.account.id) == inState(.active))
    #expect(try await store.find(request)?.account.id == pending.account.id)
  }

  @Test("a reservation that was released and made again meanwhile is activated")
  func madeAgain() async throws {
    let calls = Mutex(0)
    let racing = store.accounts.preparing { [store, pending, stamp] (_) async throws(StoreFailure) in
      // before the second call of the store, which is to insert the account again
      guard
        calls.withLock({
          $0 += 1
          return $0 == 2
        })
      else { return }
      _ = try await store.insert(pending, request: nil, stamp)
    }
    #expect(
      try await registrar(racing).activate(pending, request: nil, stamp) == .active(inState(.active).account))
    #expect(calls.withLock(\.self) == 3)
    #expect(try await store.find(pending.account.id)?.account.state == .active)
  }

  @Test("an account that an administrator has disabled meanwhile is returned and stays disabled")
  func disabled() async throws {
    _ = try await store.insert(inState(.disabled), request: nil, stamp)
    #expect(try await activate() == .active(inState(.disabled).account))
  }

  @Test("an address with another account is taken, and that account does not change", arguments: Account.State.allCases)
  func taken(_ state: Account.State) async throws {
    let holder = Fixtures.account("new@example.com", state: state)
    _ = try await store.insert(holder, request: nil, stamp)
    #expect(try await activate() == .taken)
    #expect(try await store.find(holder.account.id) == holder)
  }

  @Test("if another account has the request, the activation returns that account")
  func requestKnown() async throws {
    let request = try #require(RequestKey(uid: 7, id: "one"))
    let other = Fixtures.account("other@example.com")
    _ = try await store.insert(other, request: request, stamp)
    let known = KnownRequest(account: other.account, passwordHash: other.passwordHash)
    #expect(try await activate(request) == .requestKnown(known))
  }
}
