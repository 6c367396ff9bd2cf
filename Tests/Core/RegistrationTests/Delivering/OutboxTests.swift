import AddressNormalization
import Registration
import Synchronization
import TestDoubles
import Testing

@Suite("The outbox")
struct OutboxTests {
  /// An outbox over a memory store, and its reports.
  final class Subject: Sendable {
    let store = MemoryStore()
    let upstream: StagedNetwork
    let breaker: BreakingNetwork
    let pendings = OutboxInbox()
    let registrar: Registrar
    let outbox: Outbox
    private let reports: Reports

    final class Reports: Sendable {
      private let all = Mutex<[Outbox.Report]>([])
      func add(_ report: Outbox.Report) { all.withLock { $0.append(report) } }
      var list: [Outbox.Report] { all.withLock { $0 } }
    }

    init(_ conduct: [StagedNetwork.Conduct] = [], failures: Int = 100, defers: Bool = false) {
      upstream = StagedNetwork(conduct)
      breaker = BreakingNetwork(
        upstream, .init(failures: failures, firstPause: .seconds(1000), maximumPause: .seconds(1000)))
      let normalizer = UnicodeNormalizer()
      registrar = Registrar(
        rules: RegistrationRules(
          email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer)),
        store: store.accounts, hasher: PlainHasher(), network: breaker, time: FixedTime(), signIns: nil,
        defersWhenUnreachable: defers, leftPending: pendings)
      let reports = Reports()
      self.reports = reports
      outbox = Outbox(
        registrar, breaker: breaker, pendings: pendings,
        settings: .init(firstPause: .seconds(100), maximumPause: .seconds(1000)), observer: reports.add)
    }

    var told: [Outbox.Report] { reports.list }

    func register(_ email: String) async -> RegistrationOutcome {
      await registrar.register(
        RegistrationEntry(
          email: email, password: Fixtures.password("a fine phrase"),
          passwordConfirmation: Fixtures.password("a fine phrase")))
    }

    /// A time at which every failed delivery is due.
    static var later: ContinuousClock.Instant { .now + .seconds(10_000_000) }

    func waiting() async throws -> [Outbox.Waiting] { try await outbox.list(after: nil, limit: 100).elements }
  }

  @Test("an account that is not pending is neither retried nor discarded")
  func notThere() async throws {
    let subject = Subject()
    let active = Fixtures.account("a@example.com")
    _ = try await subject.store.insert(active, request: nil, Stamp(Fixtures.time))
    for id in [active.account.id, AccountID(at: Fixtures.time)] {
      #expect(await subject.outbox.retry(id) == .notFound)
      #expect(await subject.outbox.discard(id, by: nil, mayCommit: { true }) == .notFound)
    }
    #expect(try await subject.store.find(active.account.id) == active)
    #expect(try await subject.waiting().isEmpty)
  }

  @Test("a registration that was left pending is delivered with its original id and hash")
  func delivered() async throws {
    let subject = Subject([.fails(.timeout)])
    #expect(await subject.register("a@example.com") == .obstructed(.network(.timeout), isPending: true))
    let pending = try #require(await subject.store.find(EmailKey("a@example.com"))?.account)
    #expect(try await subject.waiting().map(\.account) == [pending])
    _ = await subject.outbox.round()
    #expect(await subject.upstream.registrations.count == 1, "the upstream was asked just now")
    _ = await subject.outbox.round(at: Subject.later)
    let account = try #require(await subject.store.find(pending.id)?.account)
    #expect(account.state == .active)
    #expect(subject.told == [.delivered(account, attempts: 2)])
    let asked = await subject.upstream.registrations
    #expect(asked.count == 2)
    #expect(asked[0] == asked[1])
    #expect(subject.outbox.waiting == 0)
    #expect(try await subject.waiting().isEmpty)
    _ = await subject.outbox.round(at: .now + .seconds(100_000))
    #expect(await subject.upstream.registrations.count == 2, "after the delivery the upstream is not asked again")
  }

  @Test(
    "a registration that the upstream refuses or cannot process stays in the list",
    arguments: [NetworkFailure.rejected, .untrusted, .failed])
  func stays(_ failure: NetworkFailure) async throws {
    let subject = Subject([.fails(.timeout), .fails(failure), .fails(failure), .answers])
    _ = await subject.register("a@example.com")
    #expect(try await subject.waiting().first?.failure == .timeout)
    _ = await subject.outbox.round(at: .now + .seconds(101))
    let waiting = try #require(try await subject.waiting().first)
    #expect(waiting.attempts == 2)
    #expect(waiting.failure == failure)
    #expect(waiting.next > Fixtures.time)
    // not before its time
    _ = await subject.outbox.round()
    #expect(await subject.upstream.registrations.count == 2)
    // and then with a longer pause
    let later = ContinuousClock.now + .seconds(302)
    _ = await subject.outbox.round(at: later)
    #expect(await subject.upstream.registrations.count == 3)
    #expect(try await subject.waiting().first?.attempts == 3)
    #expect(subject.outbox.waiting == 1)
    _ = await subject.outbox.round(at: later + .seconds(100_000))
    #expect(try await subject.store.find(EmailKey("a@example.com"))?.account.state == .active)
    let pauses = subject.told.compactMap { report -> Duration? in
      if case .delayed(_, _, _, let next) = report { next } else { nil }
    }
    try #require(pauses.count == 2)
    #expect(pauses[0] > .seconds(99) && pauses[1] > .seconds(199), "at least half of the doubled pause")
  }

  @Test("a process's own reservation needs no fencing token, so neither outages nor repeats add audit entries")
  func markedOnce() async throws {
    let subject = Subject([.fails(.timeout)] + Array(repeating: .fails(.failed), count: 25))
    _ = await subject.register("a@example.com")
    for round in 1...5 { _ = await subject.outbox.round(at: .now + .seconds(10_000 * round)) }
    for _ in 0..<20 { _ = await subject.register("a@example.com") }
    #expect(await subject.upstream.registrations.count == 26)
    #expect(try await subject.store.audit(after: 0, limit: 99).map(\.change) == [.reserved])
  }

  @Test("an administrator's retry does not wait for the next scheduled attempt")
  func retry() async throws {
    let subject = Subject([.fails(.timeout), .fails(.timeout)])
    for name in ["a", "b"] { _ = await subject.register("\(name)@example.com") }
    let ids = try await subject.waiting().map(\.account.id)
    try #require(ids.count == 2)
    #expect(await subject.outbox.retry(ids[1]) == .done)
    _ = await subject.outbox.round()
    #expect(try await subject.waiting().map(\.account.id) == [ids[0]])
    #expect(await subject.outbox.retry(nil) == .done)
    _ = await subject.outbox.round()
    #expect(try await subject.waiting().isEmpty)
  }

  @Test("a discarded registration is gone, and its address is free")
  func discard() async throws {
    let subject = Subject([.fails(.timeout)])
    _ = await subject.register("a@example.com")
    let id = try #require(try await subject.waiting().first?.account.id)
    #expect(await subject.outbox.discard(id, by: nil, mayCommit: { false }) == .obstructed(.cancelled))
    #expect(try await subject.store.find(id) != nil)
    #expect(await subject.outbox.discard(id, by: Requester(uid: 7, pid: 8), mayCommit: { true }) == .done)
    #expect(try await subject.store.find(id) == nil)
    let last = try #require(await subject.store.audit(after: 0, limit: 9).last)
    #expect(last.change == .released)
    #expect(last.by == Requester(uid: 7, pid: 8))
    _ = await subject.outbox.round()
    #expect(await subject.upstream.registrations.count == 1)
  }

  @Test("while the upstream is down, one delivery is tried and the others wait; afterwards all are delivered")
  func breaker() async throws {
    let subject = Subject(Array(repeating: .fails(.timeout), count: 3), failures: 4)
    for name in ["a", "b", "c"] { _ = await subject.register("\(name)@example.com") }
    await subject.upstream.conducts(Array(repeating: .fails(.offline), count: 9))
    _ = await subject.outbox.round(at: Subject.later)
    #expect(subject.breaker.state.isClosed, "three connections failed; the timeouts may be due to these requests")
    _ = await subject.outbox.round(at: Subject.later + .seconds(2000))
    #expect(!subject.breaker.state.isClosed)
    let asked = await subject.upstream.registrations.count
    let pause = await subject.outbox.round(at: .now + .seconds(500))
    #expect(await subject.upstream.registrations.count == asked, "regd knows that the upstream is down")
    #expect(pause > .seconds(400))
    #expect(try await subject.waiting().allSatisfy { $0.next > Fixtures.time.advanced(by: .seconds(400)) })
    await subject.upstream.conducts([])
    #expect(await subject.outbox.retry(nil) == .done)
    _ = await subject.outbox.round()
    for _ in 0..<3 where try await subject.store.pendingCount() > 0 {
      _ = await subject.outbox.round(at: .now + .seconds(100_000))
    }
    #expect(try await subject.store.pendingCount() == 0)
    #expect(subject.breaker.state == .closed(failures: 0))
    let delivered = subject.told.compactMap { report -> String? in
      if case .delivered(let account, _) = report { account.email.typed } else { nil }
    }
    #expect(delivered.sorted() == ["a@example.com", "b@example.com", "c@example.com"])
  }

  @Test(
    "in deferred mode, a registration is pending if the upstream cannot be asked, and fails if it refuses",
    arguments: [
      NetworkFailure.offline, .unavailable(retryAfterSeconds: 3), .throttled(retryAfterSeconds: nil), .timeout,
      .emptyResponse, .malformedResponse, .failed,
    ])
  func deferred(_ failure: NetworkFailure) async throws {
    let subject = Subject([.fails(.rejected), .fails(.untrusted), .fails(failure)], defers: true)
    #expect(await subject.register("a@example.com") == .obstructed(.network(.rejected)))
    #expect(await subject.register("a@example.com") == .obstructed(.network(.untrusted)))
    #expect(try await subject.store.find(EmailKey("a@example.com")) == nil)
    guard case .deferred(let account, _) = await subject.register("a@example.com") else {
      Issue.record("it was not deferred")
      return
    }
    #expect(account.state == .pending)
    _ = await subject.outbox.round(at: Subject.later)
    #expect(try await subject.store.find(account.id)?.account.state == .active)
    #expect(await subject.upstream.holders == [EmailKey("a@example.com"): account.id])
  }

  @Test("the outbox wakes when a registration is left pending, and ends with its task")
  func wakes() async throws {
    let subject = Subject([.fails(.timeout)])
    let running = Mutex(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await subject.outbox.run() }
      _ = await subject.register("a@example.com")
      let id = try #require(await subject.store.find(EmailKey("a@example.com"))?.account.id)
      #expect(await subject.outbox.retry(id) == .done)
      while try await subject.store.find(EmailKey("a@example.com"))?.account.state != .active { await Task.yield() }
      running.withLock { $0 = true }
      group.cancelAll()
    }
    #expect(running.withLock { $0 })
    #expect(await subject.upstream.registrations.count == 2)
  }
}
