import AddressNormalization
import Synchronization
import TestDoubles

@testable import Registration

/// One of several regd processes, since its last start.
///
/// Its callers always register the same account.
struct Regd {
  static let key = EmailKey("a@example.com")

  let registrar: Registrar
  let outbox: Outbox
  let administrator: Administrator

  init(
    _ store: any StoreUnderTest, _ network: any NetworkService, defers: Bool = false, reading: Duration = .zero
  ) {
    let normalizer = UnicodeNormalizer()
    let pendings = OutboxInbox()
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: PlainHasher(), network: network, time: FixedTime(), signIns: nil,
      defersWhenUnreachable: defers, leftPending: pendings)
    outbox = Outbox(
      registrar, breaker: nil, pendings: pendings,
      settings: .init(firstPause: .seconds(100), maximumPause: .seconds(1000), readingPause: reading))
    administrator = Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(), forgive: { _ in },
      registrar: Reloadable(registrar), pendings: pendings)
  }

  func register() async -> RegistrationOutcome {
    await registrar.register(
      RegistrationEntry(
        email: "a@example.com", password: Fixtures.password("a fine phrase"),
        passwordConfirmation: Fixtures.password("a fine phrase")),
      request: RequestKey(uid: 1, id: "r"))
  }

  func waiting() async throws -> [Outbox.Waiting] { try await outbox.list(after: nil, limit: 9).elements }
}

/// The changes that a store was asked to make.
final class Tally: Sendable {
  private let guarded = Mutex<[StoreOperation]>([])

  func add(_ operation: StoreOperation) {
    if operation.isChange { guarded.withLock { $0.append(operation) } }
  }

  /// Returns the changes since the last call.
  func taken() -> [StoreOperation] {
    guarded.withLock { all in
      defer { all = [] }
      return all
    }
  }
}
