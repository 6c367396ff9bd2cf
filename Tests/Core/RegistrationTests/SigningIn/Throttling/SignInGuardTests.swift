import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

@Suite("Sign-in through the guard")
struct SignInGuardTests {
  private let clock = StagedClock()
  private let hasher = StagedHasher()
  private let store = MemoryStore()
  private let registrar: Registrar

  init() async throws {
    let normalizer = UnicodeNormalizer()
    // fixed random numbers, because chance decides which attempts the throttle accepts
    let throttle = ThrottledDoor().throttle
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(blockedDomains: ["example.com"], normalizer: normalizer),
        password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: hasher, network: nil, time: FixedTime(),
      signIns: SignInGuard(throttle) { [clock] in clock.passed })
    for state in Account.State.allCases {
      _ = try await store.insert(
        Fixtures.account("\(state)@example.com", state: state, hash: "plain:a fine phrase"), request: nil,
        Stamp(Fixtures.time))
    }
  }

  private func signIn(_ email: String, _ password: String, _ caller: UInt32 = 1) async -> SignInOutcome {
    await registrar.signIn(email: email, password: Fixtures.password(password), by: Requester(uid: caller, pid: 1))
  }

  @Test(
    "after four different wrong passwords a caller waits, whether or not the address has an account",
    arguments: [
      "active@example.com", "disabled@example.com", "pending@example.com", "nobody@example.com", "nobody", "",
    ])
  func alike(_ email: String) async {
    for number in 0..<4 { #expect(await signIn(email, "wrong \(number)") == .refused(.rejected)) }
    #expect(await signIn(email, "wrong 4") == .obstructed(.throttled(retryAfterSeconds: 1)))
    #expect(await hasher.tally.verified == 4)
    clock.pass(.seconds(1))
    #expect(await signIn(email.uppercased(), "wrong 4") == .refused(.rejected))
  }

  @Test("the correct password counts as correct in every state, and owners in a blocked domain still sign in")
  func right() async {
    for (state, expected) in [
      (Account.State.disabled, SignInOutcome.refused(.disabled)), (.pending, .refused(.pending)),
    ] {
      for _ in 0..<2 { #expect(await signIn("\(state)@example.com", "a fine phrase") == expected) }
      for number in 0..<4 { _ = await signIn("\(state)@example.com", "wrong \(number)") }
      #expect(await signIn("\(state)@example.com", "a fine phrase") == expected)
    }
    guard case .signedIn = await signIn("Active@example.com", "a fine phrase") else {
      Issue.record("not signed in")
      return
    }
  }

  @Test("of a thousand simultaneous wrong passwords few are hashed, and another user's correct password is accepted")
  func thousand() async {
    let outcomes = await withTaskGroup(of: SignInOutcome.self) { group in
      for number in 0..<1000 { group.addTask { await signIn("active@example.com", "wrong \(number)") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let hashed = outcomes.filter { $0 == .refused(.rejected) }.count
    // One in 256 of the hundred compared passwords may look correct by chance. Fourteen are extremely unlikely.
    #expect(4..<14 ~= hashed)
    #expect(await hasher.tally.verified == hashed)
    guard case .signedIn = await signIn("active@example.com", "a fine phrase", 2) else {
      Issue.record("locked out")
      return
    }
  }

  @Test("a password that met a full hashing queue does not count as a guess")
  func busy() async {
    await hasher.fail(.busy(retryAfterSeconds: 3))
    for number in 0..<300 {
      #expect(
        await signIn("active@example.com", "wrong \(number)") == .obstructed(.hashing(.busy(retryAfterSeconds: 3))))
    }
    await hasher.fail(nil)
    for number in 0..<4 { #expect(await signIn("active@example.com", "wrong \(number)") == .refused(.rejected)) }
  }

  @Test("a wait ends when the throttle forgets the account")
  func forgotten() async {
    for number in 0..<4 { _ = await signIn("active@example.com", "wrong \(number)") }
    #expect(await signIn("active@example.com", "wrong 4") == .obstructed(.throttled(retryAfterSeconds: 1)))
    await registrar.passwords.throttle?.forget(account: EmailKey("active@example.com"))
    #expect(await signIn("active@example.com", "wrong 4") == .refused(.rejected))
  }
}
