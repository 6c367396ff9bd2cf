import AddressNormalization
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// An upstream that is still processing the first request answers its repeat with 409. Such a 409 does not show that
/// another account has the address.
@Suite("regd does not accept every 409")
struct DisbeliefTests {
  private static let key = EmailKey("name@example.com")

  private let store = MemoryStore()
  private let upstream: StagedNetwork
  private let clock = StagedClock()

  private init(_ conduct: [StagedNetwork.Conduct]) { upstream = StagedNetwork(conduct) }

  init() { self.init([]) }

  /// A process. Another process knows nothing of the first.
  private func registrar(
    defers: Bool = false, over network: (any NetworkService)? = nil, in store: (any StoreUnderTest)? = nil
  ) -> Registrar {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    return Registrar(
      rules: rules, store: (store ?? self.store).accounts, hasher: PlainHasher(), network: network ?? upstream,
      time: FixedTime(),
      signIns: nil,
      defersWhenUnreachable: defers, leftPending: OutboxInbox(),
      reservations: Reservations(disbelief: .seconds(900), now: { [clock] in clock.now }))
  }

  private func register(
    _ registrar: Registrar, _ password: String = "a fine phrase", as id: String? = nil,
    email: String = "name@example.com"
  ) async -> RegistrationOutcome {
    let typed = { Fixtures.password(password) }
    return await registrar.register(
      RegistrationEntry(email: email, password: typed(), passwordConfirmation: typed()),
      request: id.flatMap { RequestKey(uid: 1, id: $0) }, by: Requester(uid: 1, pid: 1))
  }

  /// Another account has the address upstream, or the upstream claims so.
  private func isHeld() async { await upstream.give(Self.key, to: AccountID(at: Fixtures.time)) }

  private var state: Account.State? { get async throws(StoreFailure) { try await store.find(Self.key)?.account.state } }

  @Test("regd accepts a 409 to the first request at once")
  func first() async throws {
    await isHeld()
    #expect(await register(registrar()) == .taken)
    #expect(try await state == nil)
  }

  @Test(
    "for 900 s after a request that may still be in progress, no 409 and no repeat removes the account",
    arguments: [NetworkFailure.timeout, .emptyResponse, .malformedResponse, .failed], [false, true])
  func open(_ failure: NetworkFailure, _ defers: Bool) async throws {
    let subject = DisbeliefTests([.fails(failure)])
    let registrar = subject.registrar(defers: defers)
    _ = await subject.register(registrar, as: "r")
    await subject.isHeld()
    let outbox = Outbox(registrar, breaker: nil, pendings: OutboxInbox())
    for round in 1...20 {
      subject.clock.pass(.seconds(45))
      let repeated = await subject.register(registrar, as: "r")
      let pending = try #require(await subject.store.find(Self.key)?.account)
      #expect(repeated == (defers ? .deferred(pending, .failed) : .obstructed(.network(.failed), isPending: true)))
      _ = await outbox.round(at: .now + .seconds(100_000 * round))
      #expect(try await subject.state == .pending, "round \(round)")
    }
    subject.clock.pass(.seconds(1))
    #expect(await subject.register(registrar, as: "r") == .taken)
    #expect(try await subject.state == nil)
  }

  @Test("the outbox also accepts a 409 after the grace period, and a new doubtful answer restarts the period")
  func delivered() async throws {
    let subject = DisbeliefTests([.fails(.timeout)])
    let registrar = subject.registrar()
    _ = await subject.register(registrar)
    subject.clock.pass(.seconds(890))
    await subject.upstream.conducts([.fails(.failed)])
    #expect(await subject.register(registrar) == .obstructed(.network(.failed), isPending: true))
    await subject.isHeld()
    let outbox = Outbox(registrar, breaker: nil, pendings: OutboxInbox())
    subject.clock.pass(.seconds(890))
    _ = await outbox.round(at: .now + .seconds(1000))
    #expect(try await subject.state == .pending)
    subject.clock.pass(.seconds(11))
    _ = await outbox.round(at: .now + .seconds(100_000))
    #expect(try await subject.state == nil)
  }

  @Test("the grace period is measured at the request, because a machine may sleep before it reads the answer")
  func asleep() async throws {
    let subject = DisbeliefTests([.fails(.timeout)])
    let registrar = subject.registrar(over: SleptThrough(upstream: subject.upstream, clock: subject.clock))
    _ = await subject.register(registrar)
    await subject.isHeld()
    #expect(await subject.register(registrar) == .obstructed(.network(.failed), isPending: true))
    #expect(try await subject.state == .pending)
    #expect(await subject.register(registrar) == .taken)
  }

  @Test("a reservation that is not added again keeps its mark, and a new one that was not added is forgotten")
  func notAdded() {
    let reservations = Reservations()
    let (id, other, later) = (
      AccountID(at: Fixtures.time), AccountID(at: Fixtures.time), Fixtures.time.advanced(by: .seconds(1))
    )
    reservations.marked(id, at: Fixtures.time, isNew: true)
    for id in [id, other] {
      reservations.adding(id, at: later)
      reservations.met(id)
      #expect(reservations.believesTaken(id))
      reservations.notAdded(id, at: later)
    }
    #expect(reservations.isMarked(id, Fixtures.time) && reservations.believesTaken(id))
    #expect(!reservations.isMarked(other, later) && !reservations.believesTaken(other))
  }

  @Test("a 409 to the first request counts, even if the outbox reads the account before the registration continues")
  func readAtOnce() async throws {
    await isHeld()
    let outbox = Mutex<Outbox?>(nil)
    let hook = ReadAtOnce { () async throws(StoreFailure) in try await outbox.withLock { $0 }?.look() }
    let store = Accounts(store).with(hook)
    let registrar = registrar(in: store)
    outbox.withLock { $0 = Outbox(registrar, breaker: nil, pendings: OutboxInbox()) }
    #expect(await register(registrar) == .taken)
    #expect(try await state == nil)
  }

  @Test("the grace period also applies to a registration that was deferred because the upstream was unreachable")
  func deferred() async throws {
    let subject = DisbeliefTests([.fails(.offline)])
    let registrar = subject.registrar(defers: true)
    guard case .deferred = await subject.register(registrar) else {
      Issue.record("not put off")
      return
    }
    await subject.isHeld()
    let outbox = Outbox(registrar, breaker: nil, pendings: OutboxInbox())
    for round in 1...4 { _ = await outbox.round(at: .now + .seconds(100_000 * round)) }
    #expect(try await subject.state == .pending)
    subject.clock.pass(.seconds(901))
    _ = await outbox.round(at: .now + .seconds(1_000_000))
    #expect(try await subject.state == nil)
  }

  @Test("another process, or a restarted one, starts its own grace period when it first sees the reservation")
  func restarted() async throws {
    let subject = DisbeliefTests([.fails(.timeout)])
    _ = await subject.register(subject.registrar())
    subject.clock.pass(.seconds(100_000))
    await subject.isHeld()
    let next = subject.registrar()
    #expect(await subject.register(next) == .obstructed(.network(.failed), isPending: true))
    subject.clock.pass(.seconds(900))
    #expect(await subject.register(next) == .obstructed(.network(.failed), isPending: true))
    subject.clock.pass(.seconds(1))
    #expect(await subject.register(next) == .taken)
  }

  // MARK: The key

  @Test("repeats with one requestId have the same key, also after a release; another registration has another key")
  func key() async throws {
    let subject = DisbeliefTests([
      .fails(.unavailable(retryAfterSeconds: nil)), .fails(.throttled(retryAfterSeconds: 1)), .fails(.rejected),
      .fails(.unavailable(retryAfterSeconds: nil)), .answers,
    ])
    // each registrar acts as after a restart
    for (password, email) in [
      ("a fine phrase", "name@example.com"), ("a fine phrase", "NAME@example.com"),
      ("another phrase", "name@example.com"),
      ("a fine phrase", "other@example.com"), ("a fine phrase", "name@example.com"),
    ] { _ = await subject.register(subject.registrar(), password, as: "r", email: email) }
    let asked = await subject.upstream.registrations
    #expect(asked.count == 5)
    #expect(asked[0] == asked[1], "the same in every field")
    #expect(asked[0] == asked[4])
    #expect(Set(asked.map(\.id)).count == 3)
    #expect(try await subject.store.find(Self.key)?.account.id == asked[0].id)
  }

  @Test("each request without a requestId has its own key, and so does each repeat of a request that was never sent")
  func keys() async throws {
    let subject = DisbeliefTests([
      .fails(.unavailable(retryAfterSeconds: nil)), .fails(.offline), .fails(.offline), .answers,
    ])
    _ = await subject.register(subject.registrar())
    for _ in 0..<3 { _ = await subject.register(subject.registrar(), as: "r") }
    #expect(Set(await subject.upstream.registrations.map(\.id)).count == 4)
  }

  @Test("simultaneous repeats of a released request create one account and return the same answer")
  func twice() async throws {
    let subject = DisbeliefTests([.fails(.unavailable(retryAfterSeconds: nil))])
    _ = await subject.register(subject.registrar(), as: "r")
    let registrar = subject.registrar()
    let outcomes = await withTaskGroup(of: RegistrationOutcome.self) { group in
      for _ in 0..<20 { group.addTask { await subject.register(registrar, as: "r") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let account = try #require(await subject.store.find(Self.key)?.account)
    #expect(outcomes.allSatisfy { $0 == .registered(account) })
    #expect(Set(await subject.upstream.registrations.map(\.id)).count == 1)
  }
}

/// Calls `then` after each insertion, before the caller gets the answer.
private struct ReadAtOnce: StoreHook {
  let then: @Sendable () async throws(StoreFailure) -> Void

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let value = try await proceed()
    if call.operation == .insert { try await then() }
    return value
  }
}

/// An upstream whose answers are read an hour after the upstream sent them.
private struct SleptThrough: NetworkService {
  let upstream: StagedNetwork
  let clock: StagedClock

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await upstream.isAvailable(email, for: share)
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    let answer = try await upstream.register(registration, for: share)
    clock.pass(.seconds(3600))
    return answer
  }

  func signIn(
    _ email: EmailAddress, _ password: Password, for share: Share
  ) async throws(NetworkFailure) -> UpstreamSession {
    try await upstream.signIn(email, password, for: share)
  }
}
