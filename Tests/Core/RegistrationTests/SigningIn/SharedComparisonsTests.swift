import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// Repeats of one wrong password cost one hash.
@Suite("Shared password comparisons")
struct SharedComparisonsTests {
  private let hasher = StagedHasher()
  private let store = MemoryStore()
  private let registrar: Registrar

  init() async {
    let normalizer = UnicodeNormalizer()
    registrar = Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: hasher, network: nil, time: FixedTime())
    await hasher.hold()
  }

  private func signIn(_ email: String, _ password: String, origin: String = "") async -> SignInOutcome {
    await registrar.signIn(
      email: email, password: Fixtures.password(password), by: Requester(uid: 7, pid: 1, origin: Origin(origin)))
  }

  @Test(
    "hundreds of equal guesses in flight cost one hash, whether or not the address has an account",
    arguments: [true, false])
  func inFlight(_ isThere: Bool) async throws {
    if isThere { _ = try await store.insert(Fixtures.account(hash: "plain:right"), request: nil, Stamp(Fixtures.time)) }
    await withTaskGroup(of: SignInOutcome.self) { group in
      for number in 0..<200 {
        group.addTask { await signIn("Name@example.com", "wrong", origin: number.isMultiple(of: 2) ? "a" : "b") }
      }
      while registrar.authenticator.passwords.inFlight.joiners < 199 { await Task.yield() }
      await hasher.open()
      for await outcome in group { #expect(outcome == .refused(.rejected)) }
    }
    #expect(await hasher.tally.verified == 1)
    // a moment later the password is still wrong, at no cost
    #expect(await signIn("name@example.com", "wrong") == .refused(.rejected))
    #expect(await hasher.tally.verified == 1)
    // another password is another guess
    #expect(await signIn("name@example.com", "other") == .refused(.rejected))
    #expect(await hasher.tally.verified == 2)
  }

  @Test("callers that share a comparison of the correct password are all signed in")
  func right() async throws {
    let account = Fixtures.account(hash: "plain:right")
    _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
    async let first = signIn("name@example.com", "right")
    async let second = signIn("name@example.com", "right")
    while registrar.authenticator.passwords.inFlight.joiners < 1 { await Task.yield() }
    await hasher.open()
    #expect(await [first, second] == [.signedIn(account.account), .signedIn(account.account)])
    #expect(await hasher.tally.verified == 1)
  }

  @Test("a sign-in after a change sees the change, even if it shares a comparison that began before the change")
  func acknowledged() async throws {
    let account = Fixtures.account(hash: "plain:right")
    _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
    async let before = signIn("name@example.com", "right")
    await hasher.reached()
    _ = try await store.setEnabled(account.account.id, false, Stamp(Fixtures.time))
    async let after = signIn("name@example.com", "right")
    while registrar.authenticator.passwords.inFlight.joiners < 1 { await Task.yield() }
    await hasher.open()
    #expect(await before == .signedIn(account.account))
    #expect(await after == .refused(.disabled))
    #expect(await hasher.tally.verified == 1)
  }

  @Test(
    "a comparison that must be done is done for a caller that has gone, even during an equal comparison",
    .timeLimit(.minutes(10))
  )
  func doneAnyway() async throws {
    let (passwords, hash) = (registrar.authenticator.passwords, PasswordHash(phc: "plain:right"))
    let share = Requester(uid: 7, pid: 1).share
    @Sendable func compare(_ turn: HashingTurn) async throws(HashingFailure) -> PasswordVerdict {
      try await passwords.compare(Fixtures.password("right"), with: hash, account: "name@example.com", turn)
    }
    async let first = compare(HashingTurn(share))
    await hasher.reached()
    let gone = Task { try await compare(HashingTurn(share, isDoneAnyway: true)) }
    gone.cancel()
    await hasher.reached(2)
    await hasher.open()
    #expect(try await gone.value == .right(isOutdated: false))
    #expect(try await first == .right(isOutdated: false))
  }

  @Test("if the first caller gives up, the next one compares, and a caller that stops waiting ends no other sign-in")
  func givingUp() async throws {
    let account = Fixtures.account(hash: "plain:right")
    _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
    let outcomes = await withTaskGroup(of: SignInOutcome.self) { group in
      group.addTask {
        await withTaskGroup(of: SignInOutcome.self) { first in
          first.addTask { await signIn("name@example.com", "right") }
          await hasher.reached()
          first.cancelAll()
          return await first.next() ?? .refused(.rejected)
        }
      }
      await hasher.reached()
      group.addTask { await signIn("name@example.com", "right") }
      while registrar.authenticator.passwords.inFlight.joiners < 1 { await Task.yield() }
      await hasher.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.contains(.obstructed(.hashing(.cancelled))))
    #expect(outcomes.contains(.signedIn(account.account)))
  }

  @Test("after a change of password, a password that was wrong before is compared again at once")
  func changed() async throws {
    await hasher.open()
    let account = Fixtures.account(hash: "plain:old")
    _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
    #expect(await signIn("name@example.com", "new") == .refused(.rejected))
    _ = try await store.setPassword(of: account.account.id, to: PasswordHash(phc: "plain:new"), Stamp(Fixtures.time))
    guard case .signedIn = await signIn("name@example.com", "new") else {
      Issue.record("a wrong password was remembered past a change")
      return
    }
  }
}
