import AddressNormalization
import PasswordHashing
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// A store that is not open at the start, and opens just when regd uses it for the first time.
@Suite("A store that opens during an operation", .timeLimit(.minutes(5)))
struct LateStoreTests {
  /// Has other keys until its first operation succeeds.
  private final class LateStore: EngineDouble {
    let base: any StoreEngine = MemoryStore()
    private let unopened = StoreKeys.random()
    private let isOpen = Mutex(false)

    var keys: StoreKeys { isOpen.withLock { $0 } ? base.keys : unopened }

    func check() async throws(StoreFailure) {
      try await base.check()
      isOpen.withLock { $0 = true }
    }

    func write<Value: Sendable>(
      _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
    ) async throws(StoreFailure) -> Value {
      let value = try await base.write(scope, for: share, evenIfLate: isLate, body)
      isOpen.withLock { $0 = true }
      return value
    }
  }

  @Test("a mailed invitation has the code that its mail will contain")
  func invited() async throws {
    let store = LateStore()
    let (normalizer, hasher) = (UnicodeNormalizer(), PlainHasher())
    let codes = ClaimCodes(SodiumCodeHashing()) { store.keys.codes }
    let registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: hasher, network: nil, time: FixedTime(),
      verification: VerificationTerms(hasMail: true), codes: codes)
    let administrator = Administrator(
      store: store.accounts, hasher: hasher, hashes: hasher, time: FixedTime(), forgive: { _ in },
      registrar: Reloadable(registrar))
    let outcome = await administrator.invite(
      InvitationDraft(email: "a@example.com", isMailed: true), by: Requester(uid: 0, pid: 1))
    guard case .created(let invitation, code: .none) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(invitation.digest == codes.digest(of: codes.code(ofInvitation: invitation.id)))
  }
}
