import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// Attempts that join other attempts, or must not join them. If an attempt waits for itself, the time limit cancels its
/// task. The limit has no other effect.
@Suite("Joined registrations", .timeLimit(.minutes(10)))
struct JoinedRegistrationTests {
  private func registrar(
    _ store: any StoreUnderTest, network: (any NetworkService)? = nil, signIns: SignInGuard? = nil
  ) -> Registrar {
    let normalizer = UnicodeNormalizer()
    return Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: PlainHasher(), network: network, time: FixedTime(), signIns: signIns)
  }

  private func entry(_ password: String = "a fine phrase") -> RegistrationEntry {
    let typed = Fixtures.password(password)
    return RegistrationEntry(email: "name@example.com", password: typed, passwordConfirmation: typed)
  }

  private func request(_ id: String) throws -> RequestKey { try #require(RequestKey(uid: 7, id: id)) }

  private func pending() -> StoredAccount {
    Fixtures.account("name@example.com", state: .pending, hash: "plain:a fine phrase")
  }

  @Test(
    "a cancelled caller that joined an attempt stops waiting; the attempt continues, and its request is known",
    arguments: [false, true])
  func cancelled(_ hasRequest: Bool) async throws {
    let (network, store) = (StagedNetwork(), MemoryStore())
    await network.hold()
    let subject = registrar(store.accounts, network: network)
    async let first = subject.register(entry())
    await network.reached()
    let reserved = try #require(await store.find(EmailKey("name@example.com"))?.account.id)
    let key = hasRequest ? try request("second") : nil
    let second = Task { await subject.register(entry(), request: key) }
    while subject.attempts.joiners(of: reserved) == 0 { await Task.yield() }
    second.cancel()
    // the second call ends while the first is still in progress
    #expect(await second.value == .obstructed(.network(.timeout), isPending: true))
    #expect(subject.attempts.isInFlight(reserved))
    #expect(subject.attempts.joiners(of: reserved) == 0)
    if let key { #expect(try await subject.status(of: key) == .pending(pending(reserved))) }
    await network.open()
    guard case .registered(let account) = await first else {
      Issue.record("the first was not registered")
      return
    }
    #expect(account.id == reserved)
    #expect(!subject.attempts.isInFlight(reserved))
    if let key { #expect(await subject.register(entry(), request: key) == .registered(account)) }
  }

  private func pending(_ id: AccountID) -> Account {
    let email = EmailAddress(stored: "name@example.com", key: EmailKey("name@example.com"))
    return Account(
      id: id, email: email, state: .pending, createdAt: Fixtures.time, updatedAt: Fixtures.time, isProven: false)
  }

  @Test("an account whose registration is in progress is not deleted, because it would come back")
  func deletedInFlight() async throws {
    let (network, store) = (StagedNetwork(), MemoryStore())
    await network.hold()
    let subject = registrar(store.accounts, network: network)
    let administrator = Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(),
      forgive: { _ in },
      registrar: Reloadable(subject))
    async let first = subject.register(entry())
    await network.reached()
    #expect(await administrator.delete(.email("name@example.com"), by: nil) == .pending)
    await network.open()
    guard case .registered = await first else {
      Issue.record("the first was not registered")
      return
    }
    #expect(await administrator.delete(.email("name@example.com"), by: nil) == .deleted)
  }

  @Test("a caller that is cancelled before it joins does not begin to wait")
  func cancelledBefore() async throws {
    let (network, store) = (StagedNetwork(), MemoryStore())
    await network.hold()
    let subject = registrar(store.accounts, network: network)
    async let first = subject.register(entry())
    await network.reached()
    let second = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await subject.register(entry())
    }
    #expect(await second.value == .obstructed(.network(.timeout), isPending: true))
    await network.open()
    guard case .registered = await first else {
      Issue.record("the first was not registered")
      return
    }
  }

  @Test("an attempt with an outdated view of the reservation looks again and does not join itself")
  func neverItself() async throws {
    let inner = MemoryStore()
    let account = pending()
    _ = try await inner.insert(account)
    for staleness in 1...3 {
      let others = Countdown(staleness)
      let subject = registrar(
        inner.accounts.with(Contest(accounts: inner.accounts, times: others)), network: StagedNetwork())
      guard case .registered(let active) = await subject.register(entry(), request: try request("\(staleness)")) else {
        Issue.record("not registered, \(staleness) times behind")
        return
      }
      #expect(active.id == account.account.id)
      #expect(await others.left == 0)
      #expect(!subject.attempts.isInFlight(account.account.id))
      // pending again, for the next round
      _ = try await inner.delete(account.account.id, having: nil, Stamp(Fixtures.time))
      _ = try await inner.insert(account)
    }
  }

  @Test("two repeats with outdated views both end, and only one at a time asks the upstream")
  func twoRepeats() async throws {
    let inner = MemoryStore()
    let account = pending()
    _ = try await inner.insert(account)
    let network = StagedNetwork { _ in
      for _ in 0..<10 { await Task.yield() }
      return .answers
    }
    let subject = registrar(
      inner.accounts.with(Contest(accounts: inner.accounts, times: Countdown(3))), network: network)
    let outcomes = await withTaskGroup(of: RegistrationOutcome.self) { group in
      for _ in 0..<2 { group.addTask { await subject.register(entry()) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes {
      // a caller that comes after the end finds an active account, and has no request that shows that the account is
      // its own
      guard outcome != .taken else { continue }
      guard case .registered(let active) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(active.id == account.account.id)
    }
    #expect(outcomes.contains { $0 != .taken })
    #expect(await network.mostAtOnce == 1)
    #expect(!subject.attempts.isInFlight(account.account.id))
  }

  @Test(
    "a request that another registration takes over meanwhile is not acknowledged for this one",
    arguments: [true, false])
  func stolenRequest(_ hasUpstream: Bool) async throws {
    let inner = MemoryStore()
    _ = try await inner.insert(pending())
    let request = try request("one")
    let other = Fixtures.account("other@example.com", hash: "plain:a fine phrase")
    // between the look for the request and the change of the account
    let store = inner.accounts.preparing { (call) async throws(StoreFailure) in
      guard call == .note else { return }
      _ = try await inner.insert(other, request: request, Stamp(Fixtures.time))
    }
    let subject = registrar(store, network: hasUpstream ? StagedNetwork() : nil)
    #expect(await subject.register(entry(), request: request) == .conflict)
    // later calls get the same answer
    #expect(await subject.register(entry(), request: request) == .conflict)
    #expect(try await subject.status(of: request) == .active(other.account))
  }

  @Test("if a request is free again when the account is registered, the request belongs to that account")
  func freedRequest() async throws {
    let inner = MemoryStore()
    _ = try await inner.insert(pending())
    let request = try request("one")
    let other = Fixtures.account("other@example.com", state: .pending, hash: "plain:a fine phrase")
    let store = inner.accounts.preparing { (call) async throws(StoreFailure) in
      // while the reservation is resumed and activated, the request belongs to another reservation, which is then
      // released
      if call == .resume || call == .activate {
        _ = try await inner.insert(other, request: request, Stamp(Fixtures.time))
      } else {
        _ = try await inner.release(other.account.id, seen: Fixtures.time)
      }
    }
    let subject = registrar(store, network: StagedNetwork())
    guard case .registered(let account) = await subject.register(entry(), request: request) else {
      Issue.record("not registered")
      return
    }
    #expect(await subject.register(entry(), request: request) == .registered(account))
  }

  @Test("a repeat of a pending registration compares a password, and is throttled like a sign-in")
  func throttled() async throws {
    let store = MemoryStore()
    _ = try await store.insert(pending())
    var random = SeededGenerator(seed: 1)
    let signIns = SignInGuard(SignInThrottle(using: &random)) { .zero }
    let subject = registrar(store.accounts, network: StagedNetwork(), signIns: signIns)
    let guesser = Requester(uid: 9, pid: 1)
    var isThrottled = false
    for number in 0..<20 where !isThrottled {
      switch await subject.register(entry("a wrong phrase \(number)"), by: guesser) {
      case .taken: break
      case .obstructed(.throttled, _): isThrottled = true
      case let other: Issue.record("\(other)")
      }
    }
    #expect(isThrottled)
    #expect(try await store.find(EmailKey("name@example.com"))?.account.state == .pending)
    // another user, who has tried no wrong passwords, is admitted
    guard case .registered = await subject.register(entry(), by: Requester(uid: 10, pid: 1)) else {
      Issue.record("the right password was not let through")
      return
    }
  }
}
