import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// A refusal is repeated for two seconds, because PAM's stack asks repeatedly, but only as long as the refusal is true.
struct RepeatedRefusalTests {
  private let store = MemoryStore { _ in }
  private let hasher = StagedHasher()
  private var registrar: Registrar

  init() async throws {
    let normalizer = UnicodeNormalizer()
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: hasher, network: nil, time: FixedTime())
    // on a busy machine, two seconds may pass between two calls
    registrar.authenticator.refusals = RecentRefusals(KeyedMemory(milliseconds: 2000) { .zero })
    _ = await registrar.register(
      RegistrationEntry(
        email: "you@example.org", password: Fixtures.password("correct horse"),
        passwordConfirmation: Fixtures.password("correct horse")))
    _ = await hasher.taken()
  }

  private func signIn(
    _ password: String, origin: String? = nil, requiring groups: GroupRequirement = GroupRequirement()
  ) async -> SignInOutcome {
    await registrar.signIn(
      email: "you@example.org", password: Fixtures.password(password),
      by: Requester(uid: 7, pid: 9, origin: origin.flatMap { Origin($0) }), requiring: groups)
  }

  private func isRight(_ password: String, origin: String? = nil) async -> Bool {
    if case .signedIn = await signIn(password, origin: origin) { true } else { false }
  }

  private var account: Account {
    get async throws { try #require(try await store.find(EmailKey("you@example.org"))).account }
  }

  @Test("twenty repeats of one wrong password are rejected without a wait")
  func withoutWait() async {
    for _ in 0..<20 { #expect(await signIn("other horse") == .refused(.rejected)) }
    #expect(await hasher.taken().verified == 1)
    #expect(await isRight("correct horse", origin: "elsewhere"))
  }

  @Test("a disabled account is refused again without a hash, and can sign in as soon as it is enabled")
  func enabled() async throws {
    let id = try await account.id
    _ = try await store.setEnabled(id, false, Stamp(Fixtures.time))
    #expect(await signIn("correct horse") == .refused(.disabled))
    #expect(await signIn("correct horse") == .refused(.disabled))
    #expect(await hasher.taken().verified == 1)
    _ = try await store.setEnabled(id, true, Stamp(Fixtures.time))
    #expect(await isRight("correct horse"))
  }

  @Test("a wrong password is correct as soon as it becomes the account's password")
  func changed() async throws {
    #expect(await signIn("other horse") == .refused(.rejected))
    let hash = try await PlainHasher().hash(Fixtures.password("other horse"))
    _ = try await store.setPassword(of: try await account.id, to: hash, Stamp(Fixtures.time))
    #expect(await isRight("other horse"))
  }

  @Test("an account outside the groups is refused again without a hash, until its groups change")
  func groups() async throws {
    let staff = [GroupName("staff")].compactMap { $0 }
    let required = GroupRequirement(staff)
    for _ in 0..<3 { #expect(await signIn("correct horse", requiring: required) == .refused(.notMember)) }
    #expect(await hasher.taken().verified == 1)
    // a change that does not help makes regd look again, because it compares the whole account
    let others = [GroupName("others")].compactMap { $0 }
    _ = try await store.changeGroups(of: try await account.id, adding: others, removing: [], Stamp(Fixtures.time))
    #expect(await signIn("correct horse", requiring: required) == .refused(.notMember))
    #expect(await hasher.taken().verified == 1)
    _ = try await store.changeGroups(of: try await account.id, adding: staff, removing: [], Stamp(Fixtures.time))
    guard case .signedIn(let member) = await signIn("correct horse", requiring: required) else {
      Issue.record("a member does not sign in")
      return
    }
    #expect(member.groups.names == others + staff)
  }

  @Test("a refusal is not repeated for other groups, nor without groups")
  func otherGroups() async {
    let (staff, guests) = ([GroupName("staff")].compactMap { $0 }, [GroupName("guests")].compactMap { $0 })
    let requirements = [
      GroupRequirement(staff), GroupRequirement(guests), GroupRequirement(staff + guests),
      GroupRequirement(staff, guests),
    ]
    for required in requirements {
      // a repeat at once gets the remembered refusal
      for _ in 0..<2 { #expect(await signIn("correct horse", requiring: required) == .refused(.notMember)) }
    }
    #expect(await hasher.taken().verified == 4)
    #expect(await isRight("correct horse"))
    // an incorrect password never leads to the groups
    #expect(await signIn("other horse", requiring: GroupRequirement(staff)) == .refused(.rejected))
    #expect(await signIn("other horse", requiring: GroupRequirement(staff)) == .refused(.rejected))
    #expect(await hasher.taken().verified == 2)
  }

  @Test("a refusal is repeated only to the origin that got it; the password of another origin is compared")
  func origins() async throws {
    _ = try await store.setEnabled(try await account.id, false, Stamp(Fixtures.time))
    for (origin, compared) in [("a", 1), ("a", 0), ("b", 1), (nil, 1), ("b", 0)] as [(String?, Int)] {
      #expect(await signIn("correct horse", origin: origin) == .refused(.disabled))
      #expect(await hasher.taken().verified == compared, "\(String(describing: origin))")
    }
  }
}
