import AddressNormalization
import PasswordHashing
import StoreConformance
import Synchronization
import TestDoubles

@testable import Registration

/// A registrar that requires verified addresses, over a memory store and with a clock that the test advances.
struct ClaimDesk: Sendable {
  let store: MemoryStore
  let registrar: Registrar
  let codes: ClaimCodes
  private let clock: MovedTime

  init(
    _ terms: VerificationTerms = VerificationTerms(isRequired: true, hasMail: true),
    network: (any NetworkService)? = nil, defers: Bool = false, store: MemoryStore = MemoryStore(),
    before: (@Sendable (StoreOperation) async throws(StoreFailure) -> Void)? = nil
  ) {
    self.store = store
    clock = MovedTime()
    codes = ClaimCodes(SodiumCodeHashing()) { store.codeKey }
    let normalizer = UnicodeNormalizer()
    let seen = before.map { store.accounts.preparing($0) } ?? store.accounts
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: seen.accounts, hasher: PlainHasher(), network: network, time: clock,
      // its clock does not advance, so that no wait ends while a test runs
      signIns: SignInGuard(ThrottledDoor().throttle) { .zero }, defersWhenUnreachable: defers,
      verification: terms, codes: codes)
  }

  var now: Timestamp { clock.now() }

  func pass(_ duration: Duration) { clock.pass(duration) }

  static func user(_ uid: UInt32, _ origin: String? = nil) -> Requester {
    Requester(uid: uid, pid: 1, origin: origin.flatMap { Origin($0) })
  }

  /// Registers, and expects a claim.
  func claim(
    _ email: String, _ password: String = "a fine phrase", request: String? = nil, by requester: Requester = user(7)
  ) async throws -> AddressClaim {
    let outcome = await register(email, password, request: request, by: requester)
    guard case .claimed(let claim) = outcome else { throw Broken(description: "\(outcome) is no claim") }
    return claim
  }

  func register(
    _ email: String, _ password: String = "a fine phrase", request: String? = nil, by requester: Requester = user(7)
  ) async -> RegistrationOutcome {
    await registrar.register(
      RegistrationEntry(
        email: email, password: Fixtures.password(password), passwordConfirmation: Fixtures.password(password)),
      request: request.flatMap { RequestKey(uid: requester.uid, id: $0) }, by: requester)
  }

  func prove(_ claim: AddressClaim, _ code: String? = nil, by requester: Requester = user(7)) async -> ProofOutcome {
    await registrar.prove(claim.id, code: code ?? codes.code(of: claim), by: requester)
  }

  /// A wrong code for this claim.
  func wrong(_ claim: AddressClaim) -> String {
    let right = codes.code(of: claim)
    return right.hasPrefix("1") ? "2" + right.dropFirst() : "1" + right.dropFirst()
  }

  func signIn(_ email: String, _ password: String = "a fine phrase", by requester: Requester = user(7)) async
    -> SignInOutcome
  {
    await registrar.signIn(email: email, password: Fixtures.password(password), by: requester)
  }

  func startRecovery(_ email: String, by requester: Requester = user(7)) async throws -> AddressClaim {
    let outcome = await registrar.startRecovery(email, language: nil, by: requester)
    guard case .claimed(let claim) = outcome else { throw Broken(description: "\(outcome) is no claim") }
    return claim
  }

  func finishRecovery(
    _ claim: AddressClaim, _ code: String? = nil, to password: String = "another phrase",
    by requester: Requester = user(7)
  ) async -> ProofOutcome {
    await registrar.finishRecovery(
      claim.id, code: code ?? codes.code(of: claim), password: Fixtures.password(password),
      confirmation: Fixtures.password(password), by: requester)
  }

  /// The mails that wait to be handed to a mail system, as kind and address, sorted.
  func mails() async throws(StoreFailure) -> [String] {
    try await store.mails(after: nil, limit: 1000).filter(\.intent.isWanted).map {
      "\($0.intent.kind.rawValue) \($0.intent.to.typed)"
    }.sorted()
  }

  struct Broken: Error, CustomStringConvertible { let description: String }
}

/// Records the operations that a store receives, in order.
final class Asked: Sendable {
  private let guarded = Mutex<[StoreOperation]>([])

  func note(_ operation: StoreOperation) { guarded.withLock { $0.append(operation) } }

  var all: [StoreOperation] { guarded.withLock { $0 } }
}
