import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

@Suite("Sign-ins with a shared count")
struct SharedSignInTests {
  private let board: StagedThrottle
  private let store = MemoryStore()
  private let guards: [SignInGuard]
  private let registrars: [Registrar]
  private let account = Fixtures.account(hash: "plain:a fine phrase")

  init() async throws {
    let clock = StagedClock()
    let board = StagedThrottle(clock)
    self.board = board
    let guards = (0..<2).map { _ in SignInGuard(ThrottledDoor().throttle, shared: board) { clock.passed } }
    self.guards = guards
    let normalizer = UnicodeNormalizer()
    registrars = guards.map { [store] in
      Registrar(
        rules: RegistrationRules(
          email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
        store: store.accounts, hasher: PlainHasher(), network: StagedNetwork(), time: FixedTime(), signIns: $0)
    }
    _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
  }

  private func signIn(_ number: Int, _ password: String, _ uid: UInt32) async -> SignInOutcome {
    await registrars[number].signIn(
      email: "Name@example.com", password: Fixtures.password(password), by: Requester(uid: uid, pid: 1))
  }

  private func number(_ email: String = "name@example.com") -> UInt64 {
    guards[0].attempt(account: email, share: Share(uid: 1), password: Fixtures.password("")).shared ?? 0
  }

  @Test("a wrong password counts once at each regd, and a correct password does not count")
  func counted() async {
    #expect(await signIn(0, "a wrong phrase", 1) == .refused(.rejected))
    #expect(await signIn(1, "a wrong phrase", 1) == .refused(.rejected))
    #expect(await signIn(1, "a wrong phrase", 1) == .refused(.rejected))
    guard case .signedIn = await signIn(0, "a fine phrase", 2) else {
      Issue.record("not signed in")
      return
    }
    #expect(await board.taken() == [.failed(number()), .failed(number())])
    #expect(await board.shares == [Share(uid: 1)])
  }

  @Test("guesses through repeated registrations and at invalid addresses also count")
  func registering() async throws {
    _ = try await store.insert(
      Fixtures.account("waits@example.com", state: .pending, hash: "plain:a fine phrase"), request: nil,
      Stamp(Fixtures.time))
    let typed = Fixtures.password("a wrong phrase")
    let entry = RegistrationEntry(email: "waits@example.com", password: typed, passwordConfirmation: typed)
    #expect(await registrars[0].register(entry, by: Requester(uid: 1, pid: 1)) == .taken)
    _ = await registrars[1].signIn(email: "no address", password: typed, by: Requester(uid: 1, pid: 1))
    #expect(await board.taken() == [.failed(number("waits@example.com")), .failed(number("no address"))])
  }

  @Test("after many guesses at one regd, new clients wait at the other, but the owner's client does not")
  func bound() async {
    _ = await signIn(1, "a fine phrase", 7)
    for uid in 100..<111 as Range<UInt32> { #expect(await signIn(0, "a wrong phrase", uid) == .refused(.rejected)) }
    for _ in 0..<100 { _ = await board.failed(at: number()) }
    #expect(await signIn(0, "another phrase", 200) == .obstructed(.throttled(retryAfterSeconds: 300)))
    #expect(await signIn(1, "another phrase", 201) == .refused(.rejected))
    #expect(await signIn(1, "another phrase", 202) == .obstructed(.throttled(retryAfterSeconds: 300)))
    guard case .signedIn = await signIn(1, "a fine phrase", 7) else {
      Issue.record("locked out")
      return
    }
  }

  @Test("an administrator's new password resets the shared count for all regd processes")
  func forgotten() async {
    let administrator = Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(),
      forgive: { [guards] in await guards[1].forget(account: $0) }, registrar: Reloadable(registrars[1]))
    for _ in 0..<110 { _ = await board.failed(at: number()) }
    #expect(await signIn(1, "a wrong phrase", 1) == .refused(.rejected))
    #expect(await signIn(1, "a wrong phrase", 2) == .obstructed(.throttled(retryAfterSeconds: 300)))
    let changed = await administrator.setPassword(
      .id(account.account.id), Fixtures.password("a new phrase"), confirmation: Fixtures.password("a new phrase"),
      by: nil)
    guard case .account = changed else {
      Issue.record("\(changed)")
      return
    }
    #expect(await signIn(1, "a wrong phrase", 2) == .refused(.rejected))
    #expect(await board.failed(at: number()) == 2)
  }
}
