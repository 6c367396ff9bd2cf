import AddressNormalization
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// Two attempts at one registration. One is released after the other has looked for released attempts.
@Suite("A release after the look-up")
struct ReleasedMeanwhileTests {
  /// Runs an action before its first hash.
  private final class InterruptedHasher: PasswordHasher {
    private let plain = PlainHasher()
    private let meanwhile: Mutex<(@Sendable () async -> Void)?>

    init(_ meanwhile: @escaping @Sendable () async -> Void) { self.meanwhile = Mutex(meanwhile) }

    func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
      let meanwhile = meanwhile.withLock { meanwhile in
        defer { meanwhile = nil }
        return meanwhile
      }
      await meanwhile?()
      return try await plain.hash(password, turn)
    }

    func verify(
      _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
    ) async throws(HashingFailure) -> PasswordVerdict { try await plain.verify(password, against: hash, turn) }
  }

  private let store = MemoryStore()
  private let network = StagedNetwork([.fails(.unavailable(retryAfterSeconds: nil))])

  private func registrar(_ hasher: any PasswordHasher) -> Registrar {
    let normalizer = UnicodeNormalizer()
    return Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: hasher, network: network, time: FixedTime())
  }

  private func register(_ registrar: Registrar, _ password: String) async -> RegistrationOutcome {
    let phrase = Fixtures.password(password)
    return await registrar.register(
      RegistrationEntry(email: "name@example.com", password: phrase, passwordConfirmation: phrase),
      request: RequestKey(uid: 7, id: "one"))
  }

  @Test("the second attempt asks the upstream with the same id, but with another id for another password")
  func asked() async throws {
    for (password, isSame) in [("a fine phrase", true), ("another fine phrase", false)] {
      let test = ReleasedMeanwhileTests()
      let first = test.registrar(PlainHasher())
      let second = test.registrar(
        InterruptedHasher {
          let outcome = await test.register(first, "a fine phrase")
          #expect(outcome == .obstructed(.network(.unavailable(retryAfterSeconds: nil))))
        })
      guard case .registered(let account) = await test.register(second, password) else {
        Issue.record("\(password): it was not registered")
        continue
      }
      let ids = await test.network.registrations.map(\.id)
      #expect(ids.count == 2 && ids.last == account.id)
      #expect((ids.first == account.id) == isSame, "\(password)")
    }
  }
}
