import AddressNormalization
import RehearsedNetworks
import TestDoubles
import Testing

@testable import Registration

@Suite("Registrar")
struct RegistrarTests {
  private func registrar(
    _ store: any StoreUnderTest, network: (any NetworkService)? = nil, hasher: PlainHasher = PlainHasher()
  ) -> Registrar {
    let normalizer = UnicodeNormalizer()
    return Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: hasher, network: network, time: FixedTime())
  }

  private func entry(_ email: String = "Name@example.com", _ password: String = "a fine phrase") -> RegistrationEntry {
    RegistrationEntry(
      email: email, password: Fixtures.password(password), passwordConfirmation: Fixtures.password(password))
  }

  @Test("an invalid entry does not reach the store")
  func invalid() async {
    let store = FaultyStore(MemoryStore(), failing: 1)
    let outcome = await registrar(store.accounts).register(entry("name@example"))
    guard case .obstructed(.invalid(let problems), _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(problems.map(\.reason) == [.emailDomain])
    #expect(!store.hasFailed)
  }

  @Test("a repeat gets its answer even under stricter password rules", arguments: [false, true])
  func stricterRules(_ isClaim: Bool) async throws {
    let store = MemoryStore()
    let normalizer = UnicodeNormalizer()
    let verification = VerificationTerms(isRequired: isClaim, hasMail: true)
    func subject(_ minimum: Int) -> Registrar {
      Registrar(
        rules: RegistrationRules(
          email: EmailRules(normalizer: normalizer),
          password: PasswordPolicy([.minimumLength(minimum)], normalizer: normalizer)),
        store: store.accounts, hasher: PlainHasher(), network: nil, time: FixedTime(), verification: verification)
    }
    let request = try #require(RequestKey(uid: 7, id: "one"))
    let requester = Requester(uid: 7, pid: 1)
    let made = await subject(8).register(entry(), request: request, by: requester)
    let strict = subject(40)
    #expect(await strict.register(entry(), request: request, by: requester) == made)
    #expect(await strict.register(entry("Name@example.com", "other"), request: request, by: requester) == .conflict)
    for request in [nil, RequestKey(uid: 7, id: "two")] {
      guard
        case .obstructed(.invalid(let problems), _) = await strict.register(entry(), request: request, by: requester)
      else {
        Issue.record("a new registration")
        return
      }
      #expect(problems.map(\.reason) == [.passwordTooShort])
    }
    // a different confirmation is the caller's mistake, also in a repeat
    var mistyped = entry()
    mistyped.passwordConfirmation = Fixtures.password("another phrase")
    guard case .obstructed(.invalid, _) = await strict.register(mistyped, request: request, by: requester) else {
      Issue.record("a mistyped repeat")
      return
    }
  }

  @Test("of fifty simultaneous registrations of one address, one gets the account and 49 fail as taken")
  func race() async {
    let registrar = registrar(MemoryStore().accounts)
    let outcomes = await withTaskGroup(of: RegistrationOutcome.self) { group in
      for number in 0..<50 { group.addTask { await registrar.register(entry("name@example.com", "phrase \(number)")) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 == .taken }.count == 49)
    #expect(outcomes.contains { if case .registered = $0 { true } else { false } })
  }

  @Test("after a failure of any store call, no registration is half done, and a repeat succeeds")
  func failTheNthCall() async throws {
    for upstream in [true, false] {
      var call = 1
      while true {
        let inner = MemoryStore()
        let store = FaultyStore(inner, failing: call)
        let network = ScriptedNetwork(Script(checkEmail: [.init(.accept)], register: [.init(.accept)]))
        let subject = registrar(store.accounts, network: upstream ? network : nil)
        let outcome = await subject.register(entry())
        let left = try await inner.find(EmailKey("name@example.com"))
        guard store.hasFailed else {
          #expect(left?.account.state == .active)
          #expect(call == (upstream ? 4 : 3))
          break
        }
        guard case .obstructed(.store(.full), let isPending) = outcome else {
          Issue.record("call \(call): \(outcome)")
          return
        }
        #expect(isPending == (left != nil), "call \(call) left \(String(describing: left?.account.state))")
        // and a repeat succeeds
        guard case .registered(let account) = await subject.register(entry()) else {
          Issue.record("call \(call): the repeat did not get through")
          return
        }
        #expect(account.state == .active)
        call += 1
      }
    }
  }

  @Test("repeats after a timeout register the account that was reserved first")
  func repeated() async throws {
    let network = ScriptedNetwork(
      Script(
        checkEmail: [.init(.accept)], register: [.init(.fault(.timeout)), .init(.fault(.offline)), .init(.accept)]))
    let store = MemoryStore()
    let subject = registrar(store.accounts, network: network)
    #expect(await subject.register(entry()) == .obstructed(.network(.timeout), isPending: true))
    let reserved = try await store.find(EmailKey("name@example.com"))?.account
    #expect(await subject.register(entry("name@example.com", "another phrase")) == .taken)
    #expect(await subject.register(entry()) == .obstructed(.network(.offline), isPending: true))
    guard case .registered(let account) = await subject.register(entry()) else {
      Issue.record("not registered")
      return
    }
    #expect(account.id == reserved?.id)
  }

  @Test(
    "a repeat during the first attempt gets the same outcome, and the upstream is asked once",
    arguments: [NetworkFailure.offline, .timeout])
  func joined(_ failure: NetworkFailure) async throws {
    let network = StagedNetwork()
    await network.hold()
    let store = MemoryStore()
    let subject = registrar(store.accounts, network: network)
    async let first = subject.register(entry())
    await network.reached()
    let reserved = try #require(await store.find(EmailKey("name@example.com"))?.account.id)
    async let second = subject.register(entry())
    while subject.attempts.joiners(of: reserved) == 0 { await Task.yield() }
    // a caller with another password does not wait, and gets its answer meanwhile
    #expect(await subject.register(entry("name@example.com", "another phrase")) == .taken)
    await network.release(.fails(failure))
    let outcome = RegistrationOutcome.obstructed(.network(failure), isPending: failure.mayHaveActed)
    #expect(await first == outcome)
    #expect(await second == outcome)
    #expect(await network.requests.count == 1)
    // If it was certainly not processed, the address is free. Otherwise it remains reserved, and no caller waits for it.
    #expect(try await store.find(EmailKey("name@example.com"))?.account.id == (failure.mayHaveActed ? reserved : nil))
    #expect(subject.attempts.joiners(of: reserved) == 0)
  }

  @Test("a fault during an availability check is never reported as an answer")
  func availability() async throws {
    #expect(
      await registrar(FaultyStore(MemoryStore(), failing: 1).accounts).checkAvailability("a@example.com", for: .daemon)
        == .obstructed(.store(.full)))
    #expect(
      await registrar(MemoryStore().accounts, network: FailingNetwork(.offline)).checkAvailability(
        "a@example.com", for: .daemon)
        == .obstructed(.network(.offline))
    )
    guard case .obstructed(.invalid) = await registrar(MemoryStore().accounts).checkAvailability(nil, for: .daemon)
    else {
      Issue.record("a missing address was checked")
      return
    }
    let store = MemoryStore()
    for state in [Account.State.active, .pending, .disabled] {
      _ = try await store.insert(Fixtures.account("\(state)@example.com", state: state))
      #expect(await registrar(store.accounts).checkAvailability("\(state)@EXAMPLE.com", for: .daemon) == .unavailable)
    }
    #expect(await registrar(store.accounts).checkAvailability("free@example.com", for: .daemon) == .available)
  }

  @Test("sign-in renews an outdated hash in the store")
  func renewal() async throws {
    let store = MemoryStore()
    _ = await registrar(store.accounts).register(entry())
    let plain = registrar(store.accounts, hasher: PlainHasher(generation: 1))
    let outcome = await plain.signIn(
      email: "NAME@example.com", password: Fixtures.password("a fine phrase"), by: Requester(uid: 1000, pid: 1))
    guard case .signedIn(let account) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(account.email.typed == "Name@example.com")
    #expect(try await store.find(account.id)?.passwordHash.phc == "plain1:a fine phrase")
    #expect(
      await plain.signIn(
        email: "name@example.com", password: Fixtures.password("A fine phrase"), by: Requester(uid: 1000, pid: 1))
        == .refused(.rejected))
    #expect(
      await plain.signIn(email: "name", password: Fixtures.password("a fine phrase"), by: Requester(uid: 1000, pid: 1))
        == .refused(.rejected))
  }
}
