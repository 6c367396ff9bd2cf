import AddressNormalization
import PasswordHashing
import TestDoubles
import Testing

@testable import Registration

/// A registrar that uses its upstream as the sign-in authority, with all parts that the registrar needs.
struct Doorway {
  static let password = "a fine phrase"
  static let requester = Requester(uid: 1000, pid: 7)

  let store = MemoryStore()
  let upstream = StagedNetwork()
  let hasher: StagedHasher
  let registrar: Registrar

  /// - Parameters:
  ///   - network: The network to use instead of the upstream.
  ///   - wrapping: Wraps the store.
  init(
    _ offline: SignInAuthority.Offline = .refuse, generation: Int = 0, network: (any NetworkService)? = nil,
    signIns: SignInGuard? = nil, wrapping: (Accounts) -> Accounts = { $0 }
  ) {
    let normalizer = UnicodeNormalizer()
    hasher = StagedHasher(generation: generation)
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: wrapping(store.accounts), hasher: hasher, network: network ?? upstream, time: FixedTime(),
      signIns: signIns,
      signInAuthority: .network(offline: offline),
      stamps: SessionStamps(SodiumCodeHashing()) { [store] in store.stampKey })
  }

  /// Whether the sign-in with this outcome is still valid.
  func holds(_ outcome: SignInOutcome) async throws -> Bool {
    let account = try #require(outcome.account)
    let stamp = try #require(registrar.stamps?.stamp(of: account))
    return await registrar.checkSession(of: account.id.description, stamp)
      == .present(try #require(await find(account)))
  }

  private func find(_ account: Account) async throws -> Account? { try await store.find(account.id)?.account }

  func signIn(_ email: String = "name@example.com", _ password: String = password) async -> SignInOutcome {
    await registrar.signIn(email: email, password: Fixtures.password(password), by: Self.requester)
  }

  /// Puts an account into the store.
  @discardableResult
  func has(
    _ email: String = "Name@example.com", _ state: Account.State = .active, hash: String = "plain:a fine phrase"
  ) async throws -> Account {
    let account = Fixtures.account(email, state: state, hash: hash)
    _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
    return account.account
  }

  /// The hash in the store.
  func hash(of email: String = "name@example.com") async throws -> String? {
    try await store.find(EmailKey(email))?.passwordHash.phc
  }

  func changes() async throws -> [AuditEntry.Change] {
    try await store.audit(after: 0, limit: 100).map(\.change)
  }
}

extension SignInOutcome {
  /// The account that is signed in.
  var account: Account? { if case .signedIn(let account) = self { account } else { nil } }
}
