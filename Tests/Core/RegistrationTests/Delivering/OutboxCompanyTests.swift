import AddressNormalization
import TestDoubles
import Testing

@testable import Registration

/// The outbox with other activity: callers repeat their registrations meanwhile, and other processes use the same
/// store.
@Suite("The outbox with concurrent callers and processes")
struct OutboxCompanyTests {
  private static let entry = RegistrationEntry(
    email: "a@example.com", password: Fixtures.password("a fine phrase"),
    passwordConfirmation: Fixtures.password("a fine phrase"))

  private func registrar(
    _ store: any StoreUnderTest, _ network: any NetworkService, defers: Bool = false
  ) -> Registrar {
    let normalizer = UnicodeNormalizer()
    return Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: PlainHasher(), network: network, time: FixedTime(), signIns: nil,
      defersWhenUnreachable: defers)
  }

  @Test(
    "a caller that repeats a registration during its delivery gets the delivery's outcome", arguments: [false, true])
  func joins(_ defers: Bool) async throws {
    for failure in [nil, NetworkFailure.timeout, .offline, .rejected] {
      let store = MemoryStore()
      let pending = Fixtures.account("a@example.com", state: .pending, hash: "plain:a fine phrase")
      _ = try await store.insert(pending, request: nil, Stamp(Fixtures.time))
      let network = StagedNetwork()
      await network.hold()
      let registrar = registrar(store.accounts, network, defers: defers)
      let outbox = Outbox(registrar, breaker: nil, pendings: OutboxInbox())
      async let round = outbox.round()
      await network.reached()
      async let repeated = registrar.register(Self.entry)
      while registrar.attempts.joiners(of: pending.account.id) == 0 { await Task.yield() }
      await network.release(failure.map { .fails($0) })
      let outcome = await repeated
      _ = await round
      #expect(await network.requests.count == 1)
      switch (failure, outcome) {
      case (nil, .registered(let account)): #expect(account.id == pending.account.id)
      case (let failure?, .obstructed(.network(failure), isPending: true)):
        #expect(!defers || !failure.isWorthRepeating)
      case (let failure?, .deferred(let account, failure)):
        #expect(defers && failure.isWorthRepeating)
        #expect(account.id == pending.account.id)
      default: Issue.record("\(String(describing: failure)): \(outcome)")
      }
      #expect(!registrar.isInFlight(pending.account.id), "no caller is left waiting")
    }
  }

  @Test("a registration that is being delivered can be neither discarded nor tried a second time")
  func inFlight() async throws {
    let store = MemoryStore()
    let pending = Fixtures.account("a@example.com", state: .pending)
    _ = try await store.insert(pending, request: nil, Stamp(Fixtures.time))
    let network = StagedNetwork()
    await network.hold()
    let outbox = Outbox(registrar(store.accounts, network), breaker: nil, pendings: OutboxInbox())
    async let round = outbox.round()
    await network.reached()
    #expect(await outbox.discard(pending.account.id, by: nil, mayCommit: { true }) == .inFlight)
    _ = await outbox.round(at: .now + .seconds(1_000_000))
    #expect(await network.requests.count == 1)
    await network.release()
    _ = await round
    #expect(try await store.find(pending.account.id)?.account.state == .active)
  }

  @Test("an account that is lost while the upstream registers it is restored, because the upstream's answer counts")
  func restored() async throws {
    let store = MemoryStore()
    let pending = Fixtures.account("a@example.com", state: .pending)
    _ = try await store.insert(pending, request: nil, Stamp(Fixtures.time))
    // another process takes back its reservation while the upstream registers it
    let network = StagedNetwork { _ in
      _ = try? await store.delete(pending.account.id, having: nil, Stamp(Fixtures.time))
      return .answers
    }
    let outbox = Outbox(registrar(store.accounts, network), breaker: nil, pendings: OutboxInbox())
    _ = await outbox.round()
    #expect(try await store.find(EmailKey("a@example.com"))?.account.id == pending.account.id)
    #expect(try await store.find(EmailKey("a@example.com"))?.account.state == .active)
  }

  @Test("a process cannot release its reservation after the outbox has asked the upstream for it")
  func marked() async throws {
    let store = MemoryStore()
    let pending = Fixtures.account("a@example.com", state: .pending)
    _ = try await store.insert(pending, request: nil, Stamp(Fixtures.time))
    let network = StagedNetwork()
    await network.hold()
    let outbox = Outbox(registrar(store.accounts, network), breaker: nil, pendings: OutboxInbox())
    async let round = outbox.round()
    await network.reached()
    // another process, whose own request was certainly not processed
    #expect(
      try await store.release(pending.account.id, seen: Fixtures.time, remembered: false, Stamp(Fixtures.time)) == false
    )
    await network.release()
    _ = await round
    #expect(try await store.find(pending.account.id)?.account.state == .active)
  }

  @Test("if the store fails at any call of a delivery, no account is half registered, and the next delivery completes")
  func faults() async throws {
    var call = 1
    while true {
      let store = MemoryStore()
      let pending = Fixtures.account("a@example.com", state: .pending)
      _ = try await store.insert(pending, request: nil, Stamp(Fixtures.time))
      let upstream = StagedNetwork()
      let faulty = FaultyStore(store, failing: call, with: .unavailable(detail: "test"))
      let outbox = Outbox(registrar(faulty.accounts, upstream), breaker: nil, pendings: OutboxInbox())
      _ = await outbox.round()
      let first = try await store.find(pending.account.id)?.account.state
      let isThere = await upstream.holders[EmailKey("a@example.com")] != nil
      #expect(first == .pending || isThere, "call \(call)")
      _ = await outbox.round(at: .now + .seconds(1_000_000))
      #expect(try await store.find(pending.account.id)?.account.state == .active, "call \(call)")
      #expect(await upstream.holders == [EmailKey("a@example.com"): pending.account.id], "call \(call)")
      if first == .active, call > 4 { break }
      call += 1
    }
    #expect(call > 4, "the calls were counted")
  }

  @Test("a mass of registrations from one origin delays another origin's registration by only one of them")
  func origins() async throws {
    let store = MemoryStore()
    for number in 0..<40 {
      let time = Timestamp(microseconds: Fixtures.time.microseconds + Int64(number) * 1000)
      let by = Requester(uid: 7, pid: 1, origin: Origin(number < 39 ? "many" : "few"))
      let account = Fixtures.account("n\(number)@example.com", state: .pending, time: time)
      _ = try await store.insert(account, request: nil, Stamp(time, by: by))
    }
    let network = StagedNetwork()
    await network.hold()
    let outbox = Outbox(registrar(store.accounts, network), breaker: nil, pendings: OutboxInbox())
    async let round = outbox.round()
    await network.reached(Outbox.width)
    #expect(await network.addresses.contains("n39@example.com"))
    await network.open()
    _ = await round
    #expect(try await store.pendingCount() == 0)
  }
}
