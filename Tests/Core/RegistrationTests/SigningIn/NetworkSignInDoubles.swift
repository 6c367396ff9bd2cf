import AddressNormalization
import Synchronization
import TestKit

@testable import Registration

/// An upstream that knows passwords by address, or fails.
actor Doorkeeper: NetworkService {
  private var accounts: [EmailKey: (id: String, password: String)] = [:]
  private var failure: NetworkFailure?
  /// The addresses that it was asked for, as they were sent.
  private(set) var asked: [String] = []

  func set(_ email: String, _ password: String?, id: String = "7") {
    accounts[EmailKey(email)] = password.map { (id, $0) }
  }

  func fail(_ failure: NetworkFailure?) { self.failure = failure }

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool { throw .offline }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    throw .offline
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    asked.append(email.typed)
    if let failure { throw failure }
    guard let account = accounts[email.key], password.isSame(as: Fixtures.password(account.password)) else {
      return .rejected
    }
    return .accepted(id: account.id)
  }
}

/// A hasher without cost that counts; with a full queue, or with a hash that it cannot read, where it is told so.
final class TallyHasher: PasswordHasher {
  struct Tally: Equatable {
    var verified = 0
    var hashed = 0
  }

  private let tally = Mutex(Tally())
  let isBusy = Atomic<Bool>(false)
  private let plain: PlainHasher

  init(generation: Int = 0) { plain = PlainHasher(generation: generation) }

  /// What was done since it was asked last.
  func taken() -> Tally {
    tally.withLock { tally in
      defer { tally = Tally() }
      return tally
    }
  }

  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    guard !isBusy.load(ordering: .relaxed) else { throw .busy(retryAfterSeconds: 3) }
    tally.withLock { $0.hashed += 1 }
    return try await plain.hash(password, turn)
  }

  func verify(_ password: Password, against hash: PasswordHash?, _ turn: HashingTurn) async throws(HashingFailure)
    -> PasswordVerdict
  {
    guard !isBusy.load(ordering: .relaxed) else { throw .busy(retryAfterSeconds: 3) }
    if hash?.phc == "damaged" { throw .unreadableHash(.missing) }
    tally.withLock { $0.verified += 1 }
    return try await plain.verify(password, against: hash, turn)
  }
}

/// A registrar whose upstream is the authority, and all that is around it.
struct Doorway {
  static let password = "a fine phrase"
  static let requester = Requester(uid: 1000, pid: 7)

  let store = MemoryStore()
  let upstream = Doorkeeper()
  let hasher: TallyHasher
  let registrar: Registrar

  /// - Parameters:
  ///   - network: Instead of the upstream.
  ///   - wrapping: Puts something around the store.
  init(
    _ offline: SignInAuthority.Offline = .refuse, generation: Int = 0, network: (any NetworkService)? = nil,
    signIns: SignInGuard? = nil, wrapping: (MemoryStore) -> any AccountStore = { $0 }
  ) {
    let normalizer = UnicodeNormalizer()
    hasher = TallyHasher(generation: generation)
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: wrapping(store), hasher: hasher, network: network ?? upstream, time: FixedTime(), signIns: signIns,
      signInAuthority: .network(offline: offline))
  }

  func signIn(_ email: String = "name@example.com", _ password: String = password) async -> SignInOutcome {
    await registrar.signIn(email: email, password: Fixtures.password(password), by: Self.requester)
  }

  /// Puts an account into the store.
  @discardableResult
  func has(
    _ email: String = "Name@example.com", _ state: Account.State = .active, hash: String = "plain:a fine phrase"
  ) async -> Account {
    let account = Fixtures.account(email, state: state, hash: hash)
    _ = await store.insert(account, request: nil, Stamp(Fixtures.time))
    return account.account
  }

  /// The hash in the store.
  func hash(of email: String = "name@example.com") async -> String? {
    await store.find(EmailKey(email))?.passwordHash.phc
  }

  func changes() async -> [AuditEntry.Change] { await store.audit(after: 0, limit: 100).map(\.change) }
}

extension SignInOutcome {
  /// The account that is signed in.
  var account: Account? { if case .signedIn(let account) = self { account } else { nil } }
}
