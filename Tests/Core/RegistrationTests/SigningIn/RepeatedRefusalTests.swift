import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// A refusal is told again for two seconds, as PAM's stack needs it, and no longer than it is true.
struct RepeatedRefusalTests {
  private let store = MemoryStore { _ in }
  private let hasher = StagedHasher()
  private let registrar: Registrar

  init() async throws {
    let normalizer = UnicodeNormalizer()
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store, hasher: hasher, network: nil, time: FixedTime())
    _ = await registrar.register(
      RegistrationEntry(
        email: "you@example.org", password: Fixtures.password("correct horse"),
        passwordConfirmation: Fixtures.password("correct horse")))
    _ = await hasher.taken()
  }

  private func signIn(_ password: String, origin: String? = nil) async -> SignInOutcome {
    await registrar.signIn(
      email: "you@example.org", password: Fixtures.password(password),
      by: Requester(uid: 7, pid: 9, origin: origin.flatMap { Origin($0) }))
  }

  private func isRight(_ password: String, origin: String? = nil) async -> Bool {
    if case .signedIn = await signIn(password, origin: origin) { true } else { false }
  }

  private var account: Account {
    get async throws { try #require(try await store.find(EmailKey("you@example.org"))).account }
  }

  @Test("twenty repeats of one wrong password are told wrong, without a wait that the throttle would have them do")
  func withoutWait() async {
    for _ in 0..<20 { #expect(await signIn("other horse") == .refused(.rejected)) }
    #expect(await hasher.taken().verified == 1)
    #expect(await isRight("correct horse", origin: "elsewhere"))
  }

  @Test("a disabled account is refused again without a hash, and lets in as soon as it is enabled")
  func enabled() async throws {
    let id = try await account.id
    _ = try await store.setEnabled(id, false, Stamp(Fixtures.time))
    #expect(await signIn("correct horse") == .refused(.disabled))
    #expect(await signIn("correct horse") == .refused(.disabled))
    #expect(await hasher.taken().verified == 1)
    _ = try await store.setEnabled(id, true, Stamp(Fixtures.time))
    #expect(await isRight("correct horse"))
  }

  @Test("a password that was wrong a moment ago is right as soon as it is the account's")
  func changed() async throws {
    #expect(await signIn("other horse") == .refused(.rejected))
    let hash = try await PlainHasher().hash(Fixtures.password("other horse"))
    _ = try await store.setPassword(of: try await account.id, to: hash, Stamp(Fixtures.time))
    #expect(await isRight("other horse"))
  }

  @Test("a refusal to one origin is none to another")
  func origins() async {
    #expect(await signIn("other horse", origin: "a") == .refused(.rejected))
    #expect(await signIn("other horse", origin: "b") == .refused(.rejected))
    #expect(await signIn("third horse", origin: "a") == .refused(.rejected))
  }
}
