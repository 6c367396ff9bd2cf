import AddressNormalization
import JSONRPC
import LoginVerdicts
import Methods
import Registration
import Synchronization
import TestDoubles
import WireProtocols

@testable import Doors

/// A login service over a memory store with the account `you@example.org`, whose password is `correct horse`.
final class LoginServiceStage: Sendable {
  static let password = "correct horse"

  let store = MemoryStore { _ in }
  /// The registrar's store: `store`, with injected faults.
  let faulty: FaultyStore
  let hasher = CountingHasher()
  let counts = DoorCounts()
  let registrar: Reloadable<Registrar>
  private let reported = Mutex<[RefusedAttempt]>([])
  var refusals: [RefusedAttempt] { reported.withLock { $0 } }

  init(signIns: SignInGuard? = nil, failing call: Int = 0) async {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    faulty = FaultyStore(store, failing: call, with: .unavailable(detail: "gone"))
    registrar = Reloadable(
      Registrar(rules: rules, store: faulty.accounts, hasher: hasher, network: nil, time: FixedTime(), signIns: signIns)
    )
    _ = await Registrar(rules: rules, store: self.store.accounts, hasher: hasher, network: nil, time: FixedTime())
      .register(
        RegistrationEntry(
          email: "You@Example.org", password: Password(utf8: Array(Self.password.utf8)),
          passwordConfirmation: Password(utf8: Array(Self.password.utf8))))
  }

  var account: Account? {
    get async { try? await store.find(EmailKey("you@example.org"))?.account }
  }

  /// Adds the account to groups, and removes it from others.
  func changeGroups(adding added: [GroupName] = [], removing removed: [GroupName] = []) async {
    _ = await administrator.changeGroups(.email("you@example.org"), adding: added, removing: removed, by: nil)
  }

  var administrator: Administrator {
    Administrator(
      store: store.accounts, hasher: hasher, hashes: PlainHasher(), time: FixedTime(), forgive: { _ in },
      registrar: registrar)
  }

  /// - Parameter hasher: Compares the passwords of sign-ins. Nil means the stage's own hasher.
  func context(
    _ terms: DoorTerms = DoorTerms(), hashing hasher: (any PasswordHasher)? = nil
  ) -> DoorContext {
    let rules = registrar.value.rules
    let registrar =
      hasher.map {
        Reloadable(Registrar(rules: rules, store: store.accounts, hasher: $0, network: nil, time: FixedTime()))
      }
      ?? self.registrar
    let methods = MethodTable([
      SignInMethod.make(registrar, UnicodeNormalizer()), CheckEmailMethod.make(registrar, mayAsk: true),
    ])
    return DoorContext(
      door: "mail", terms: terms, counts: counts, registrar: registrar, administrator: administrator,
      normalizer: UnicodeNormalizer(),
      refused: { attempt in self.reported.withLock { $0.append(attempt) } },
      methods: JSONRPCMethods(Dispatcher(table: methods, limits: Limits())))
  }

  func service(_ terms: DoorTerms = DoorTerms(), memory: Duration = .zero) -> LoginService {
    LoginService(context(terms), memory: memory)
  }

  func ask(
    _ name: String, realm: String = "", _ password: String = LoginServiceStage.password, terms: DoorTerms = DoorTerms()
  ) async -> DoorAnswer {
    await service(terms).answer(
      .signIn(Login(name: Array(name.utf8), realm: Array(realm.utf8), password: Array(password.utf8))),
      by: Peer(uid: 7, gid: 7, pid: 9))
  }
}

/// A hasher that counts comparisons.
final class CountingHasher: PasswordHasher {
  private let plain = PlainHasher()
  private let count = Atomic<Int>(0)
  var comparisons: Int { count.load(ordering: .relaxed) }

  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    try await plain.hash(password, turn)
  }

  func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    count.add(1, ordering: .relaxed)
    return try await plain.verify(password, against: hash, turn)
  }
}
