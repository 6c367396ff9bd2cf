import AddressNormalization
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// Many waiting registrations, and an upstream or a store that fails.
@Suite("The outbox with a failing upstream or store")
struct OutboxTroubleTests {
  func registrar(
    _ store: any StoreUnderTest, _ network: any NetworkService, _ pendings: OutboxInbox, defers: Bool = false
  ) -> Registrar {
    let normalizer = UnicodeNormalizer()
    return Registrar(
      rules: RegistrationRules(
        email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
      store: store.accounts, hasher: PlainHasher(), network: network, time: FixedTime(), signIns: nil,
      defersWhenUnreachable: defers, leftPending: pendings)
  }

  private func entry(_ email: String) -> RegistrationEntry {
    RegistrationEntry(
      email: email, password: Fixtures.password("a fine phrase"),
      passwordConfirmation: Fixtures.password("a fine phrase"))
  }

  /// Fails for the first registrations that `pending` makes, and registers all others.
  func failing(_ failure: NetworkFailure, first count: Int) -> StagedNetwork {
    let bad = Set((0..<count).map { "n\($0)@example.com" })
    return StagedNetwork { bad.contains($0.email.typed) ? .fails(failure) : .answers }
  }

  func pending(_ count: Int, in store: MemoryStore) async throws -> [AccountID] {
    var ids: [AccountID] = []
    for number in 0..<count {
      let time = Timestamp(microseconds: Fixtures.time.microseconds + Int64(number) * 1000)
      let account = Fixtures.account("n\(number)@example.com", state: .pending, time: time)
      _ = try await store.insert(account, request: nil, Stamp(time))
      ids.append(account.account.id)
    }
    return ids
  }

  @Test(
    "a few accounts for which the upstream always fails do not keep other accounts from it",
    arguments: [NetworkFailure.failed, .timeout])
  func poison(_ failure: NetworkFailure) async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = failing(failure, first: 8)
    let breaker = BreakingNetwork(
      upstream, .init(failures: 5, firstPause: .zero, maximumPause: .zero))
    let registrar = registrar(store.accounts, breaker, pendings)
    let outbox = Outbox(registrar, breaker: breaker, pendings: pendings)
    _ = try await pending(8, in: store)
    var now = ContinuousClock.now
    for number in 0..<30 {
      now += .seconds(1000)
      _ = await outbox.round(at: now)
      let outcome = await registrar.register(entry("good\(number)@example.com"))
      guard case .registered = outcome else {
        Issue.record("round \(number): \(outcome)")
        return
      }
    }
    #expect(breaker.state.isClosed)
    #expect(try await store.pendingCount() == 8)
  }

  @Test(
    "without any caller, a few registrations that always fail do not delay the registrations after them",
    arguments: [NetworkFailure.failed, .timeout, .unavailable(retryAfterSeconds: nil)])
  func behind(_ failure: NetworkFailure) async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = failing(failure, first: 8)
    let breaker = BreakingNetwork(upstream, .init(failures: 5))
    let outbox = Outbox(registrar(store.accounts, breaker, pendings), breaker: breaker, pendings: pendings)
    _ = try await pending(28, in: store)
    _ = await outbox.round()
    #expect(try await store.pendingCount() == 8)
    #expect(outbox.waiting == 8)
    #expect(breaker.state.isClosed)
  }

  @Test("when every registration fails, the outbox tries a few and the rest wait")
  func brake() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = failing(.failed, first: 200)
    let outbox = Outbox(registrar(store.accounts, upstream, pendings), breaker: nil, pendings: pendings)
    _ = try await pending(200, in: store)
    // the clock is stopped: on a busy machine a round may last longer than the pause, and would then continue after it
    let start = ContinuousClock.now
    _ = await outbox.round { start }
    let first = await upstream.requests.count
    #expect((16...24).contains(first), "\(first)")
    _ = await outbox.round { start + .seconds(5) }
    #expect(await upstream.requests.count <= first + 24)
    await upstream.conducts(.answers)
    _ = await outbox.round { start + .seconds(20) }
    #expect(try await store.pendingCount() == 0, "the first success makes all registrations due")
  }

  @Test("a registration that becomes pending while the outbox reads or lists the store is not forgotten")
  func noted() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = StagedNetwork { $0.email.typed == "late@example.com" ? .fails(.failed) : .answers }
    let registrar = registrar(store.accounts, upstream, pendings)
    let before = try await pending(3, in: store)
    let slow = store.accounts.preparing { (_) async throws(StoreFailure) in
      // while it reads, a caller leaves a registration pending
      guard try await store.find(EmailKey("late@example.com")) == nil else { return }
      _ = await registrar.register(self.entry("late@example.com"))
    }
    let outbox = Outbox(
      self.registrar(slow, upstream, pendings), breaker: nil, pendings: pendings,
      settings: .init(firstPause: .seconds(1), maximumPause: .seconds(10_000)))
    _ = await outbox.round()
    _ = try await outbox.list(after: nil, limit: 9)
    await upstream.conducts(.answers)
    _ = await outbox.round(at: .now + .seconds(5))
    #expect(try await store.pendingCount() == 0)
    #expect(before.count == 3)
  }

  @Test("registrations that were not tried before the upstream went down are tried when it is back")
  func interrupted() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = StagedNetwork()
    let breaker = BreakingNetwork(upstream, .init(failures: 3, firstPause: .zero, maximumPause: .zero))
    let outbox = Outbox(registrar(store.accounts, breaker, pendings), breaker: breaker, pendings: pendings)
    _ = try await pending(20, in: store)
    await upstream.conducts(.fails(.offline))
    _ = await outbox.round()
    #expect(!breaker.state.isClosed)
    let asked = await upstream.requests.count
    #expect((3..<8).contains(asked), "\(asked)")
    await upstream.conducts(.answers)
    // long before the outbox would read the whole store again
    _ = await outbox.round(at: .now + .seconds(200))
    #expect(breaker.state.isClosed, "one request has tried the upstream")
    _ = await outbox.round(at: .now + .seconds(201))
    #expect(try await store.pendingCount() == 0)
    #expect(outbox.waiting == 0)
  }

  @Test("when the upstream is back no registration waits for the end of its pause")
  func back() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = StagedNetwork()
    let breaker = BreakingNetwork(
      upstream, .init(failures: 3, firstPause: .seconds(10_000), maximumPause: .seconds(10_000)))
    let registrar = registrar(store.accounts, breaker, pendings)
    let outbox = Outbox(
      registrar, breaker: breaker, pendings: pendings,
      settings: .init(firstPause: .seconds(10_000), maximumPause: .seconds(10_000)))
    _ = try await pending(3, in: store)
    await upstream.conducts(.fails(.offline))
    _ = await outbox.round()
    #expect(!breaker.state.isClosed)
    await upstream.conducts(.answers)
    _ = await outbox.round()
    #expect(try await store.pendingCount() == 3)
    // another caller finds out, before the outbox looks
    breaker.probeNow()
    guard case .registered = await registrar.register(entry("new@example.com")) else {
      Issue.record("the upstream is back, and was not asked")
      return
    }
    #expect(breaker.state.isClosed)
    _ = await outbox.round()
    #expect(try await store.pendingCount() == 0)
  }

  @Test("if the upstream asks for a pause for one registration only, the others do not wait")
  func throttledOne() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let outbox = Outbox(
      registrar(store.accounts, failing(.throttled(retryAfterSeconds: 60), first: 1), pendings), breaker: nil,
      pendings: pendings)
    _ = try await pending(200, in: store)
    let start = ContinuousClock.now
    for minutes in 0..<3 {
      _ = await outbox.round { start + .seconds(61 * minutes) }
      #expect(try await store.pendingCount() == 1)
    }
  }

  @Test("if the upstream asks for a pause for several registrations in a row, all registrations wait")
  func throttled() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = failing(.throttled(retryAfterSeconds: 60), first: 2 * Outbox.width)
    let outbox = Outbox(registrar(store.accounts, upstream, pendings), breaker: nil, pendings: pendings)
    _ = try await pending(200, in: store)
    // the clock is stopped: on a busy machine a round may last longer than the pause
    let start = ContinuousClock.now
    let pause = await outbox.round { start }
    // a few requests are in progress when the first answer comes
    let asked = await upstream.requests.count
    #expect(asked <= 4 * Outbox.width)
    #expect(pause > .seconds(50))
    _ = await outbox.round { start + .seconds(30) }
    #expect(await upstream.requests.count == asked)
    await upstream.conducts(.answers)
    _ = await outbox.round { start + .seconds(61) }
    #expect(try await store.pendingCount() == 0)
  }

  @Test("the outbox pauses before it reads an unreadable store again")
  func unreadable() async throws {
    let store = MemoryStore()
    _ = try await pending(3, in: store)
    let pendings = OutboxInbox()
    let faulty = FaultyStore(store, failing: 1, with: .unavailable(detail: "test"))
    let upstream = StagedNetwork()
    let outbox = Outbox(registrar(faulty.accounts, upstream, pendings), breaker: nil, pendings: pendings)
    #expect(await outbox.round() > .seconds(1))
    #expect(await upstream.requests.isEmpty)
    _ = await outbox.round(at: .now + .seconds(10))
    #expect(try await store.pendingCount() == 0)
  }

  private final class Readings: Sendable {
    let all = Mutex<[StoreFailure?]>([])
  }

  @Test("each reading of the store is reported, with its failure if it fails")
  func readings() async throws {
    let pendings = OutboxInbox()
    let faulty = FaultyStore(MemoryStore(), failing: 1, with: .readOnly)
    let readings = Readings()
    let outbox = Outbox(
      registrar(faulty.accounts, StagedNetwork(), pendings), breaker: nil, pendings: pendings,
      readings: { failure in readings.all.withLock { $0.append(failure) } })
    await #expect(throws: StoreFailure.readOnly) { try await outbox.look() }
    try await outbox.look()
    let told = readings.all.withLock { $0 }
    #expect(told == [StoreFailure.readOnly, nil])
  }
}
