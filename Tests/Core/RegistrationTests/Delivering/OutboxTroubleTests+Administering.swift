import TestDoubles
import Testing

@testable import Registration

/// Actions of administrators while registrations wait.
extension OutboxTroubleTests {
  @Test("waiting registrations are delivered at once to a new upstream, but not after a reload with the same upstream")
  func otherUpstream() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    _ = try await pending(3, in: store)
    let outbox = Outbox(
      registrar(store.accounts, failing(.unavailable(retryAfterSeconds: 3000), first: 3), pendings), breaker: nil,
      pendings: pendings)
    let now = ContinuousClock.now
    _ = await outbox.round(at: now)
    #expect(outbox.waiting == 3)
    let good = StagedNetwork { _ in .answers }
    let terms = Outbox.Terms(registrar: registrar(store.accounts, good, pendings), breaker: nil, settings: .init())
    outbox.adopt(terms, isOtherUpstream: false, at: now)
    _ = await outbox.round(at: now)
    #expect(outbox.waiting == 3)
    outbox.adopt(terms, isOtherUpstream: true, at: now)
    _ = await outbox.round(at: now)
    #expect(outbox.waiting == 0)
  }

  @Test("the outbox finds accounts that an administrator imports as pending")
  func imported() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let upstream = StagedNetwork()
    let registrar = registrar(store.accounts, upstream, pendings)
    let outbox = Outbox(registrar, breaker: nil, pendings: pendings)
    _ = await outbox.round()
    let administrator = Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(),
      forgive: { _ in },
      registrar: Reloadable(registrar), pendings: pendings)
    let hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    let record = ImportRecord(email: "a@example.com", passwordHash: hash, state: "pending", createdAt: nil, id: nil)
    #expect(try await administrator.importing([.success(record)], by: nil) == [nil])
    _ = await outbox.round()
    #expect(try await store.find(EmailKey("a@example.com"))?.account.state == .active)
  }

  @Test(
    "an account that an administrator creates as disabled ends up disabled, whatever the upstream answers first",
    arguments: [nil, NetworkFailure.timeout, .offline])
  func madeDisabled(_ first: NetworkFailure?) async throws {
    let (store, pendings) = (MemoryStore(), OutboxInbox())
    let upstream = StagedNetwork([first.map { .fails($0) } ?? .answers])
    let registrar = registrar(store.accounts, upstream, pendings, defers: true)
    let administrator = Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(), forgive: { _ in },
      registrar: Reloadable(registrar), pendings: pendings)
    let password = { Fixtures.password("a fine phrase") }
    _ = await administrator.create(
      AccountDraft(
        email: "a@example.com", password: password(), passwordConfirmation: password(), isDisabled: true), by: nil)
    let account = try #require(await store.find(EmailKey("a@example.com"))?.account)
    #expect(account.state == (first == nil ? .disabled : .pending))
    let outbox = Outbox(registrar, breaker: nil, pendings: pendings)
    _ = await outbox.round(at: .now + .seconds(100_000))
    #expect(try await store.find(account.id)?.account.state == .disabled)
    #expect(
      try await store.audit(after: 0, limit: 9).map(\.change).filter { $0 != .resumed }
        == [.reserved, .activated, .disabled])
    let enabled = await administrator.setEnabled(.id(account.id), true, by: nil)
    guard case .account(let active) = enabled else {
      Issue.record("\(enabled)")
      return
    }
    #expect(active.state == .active)
  }

  @Test("a registration that is deleted or discarded while it waits is not sent upstream and does not come back")
  func deleted() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    // each of them has been tried once, and carries this process's fencing token
    let upstream = failing(.failed, first: 6)
    let ids = try await pending(6, in: store)
    let registrar = registrar(store.accounts, upstream, pendings)
    let outbox = Outbox(registrar, breaker: nil, pendings: pendings)
    _ = await outbox.round()
    await upstream.conducts(.answers)
    await upstream.hold()
    async let round = outbox.round(at: .now + .seconds(100_000))
    await upstream.reached(Outbox.width)
    let administrator = Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(),
      forgive: { _ in },
      registrar: Reloadable(registrar))
    #expect(await administrator.delete(.id(ids[0]), by: nil) == .pending, "the upstream is being asked for it")
    #expect(await administrator.delete(.id(ids[4]), by: nil) == .deleted)
    #expect(await outbox.discard(ids[5], by: nil, mayCommit: { true }) == .done)
    await upstream.open()
    _ = await round
    #expect(await upstream.registrations.dropFirst(6).map(\.id).sorted() == ids[..<4].sorted())
    #expect(try await store.list(after: nil, limit: 9).map(\.account.id) == Array(ids[..<4]))
    #expect(try await store.pendingCount() == 0)
  }

  @Test("a registration that an administrator retries does not wait for registrations that hang")
  func wanted() async throws {
    let store = MemoryStore()
    let pendings = OutboxInbox()
    let ids = try await pending(20, in: store)
    let upstream = StagedNetwork()
    await upstream.hold()
    let outbox = Outbox(registrar(store.accounts, upstream, pendings), breaker: nil, pendings: pendings)
    async let round = outbox.round { .now }
    await upstream.reached(Outbox.width)
    #expect(await outbox.retry(ids[19]) == .done)
    await upstream.open()
    _ = await round
    #expect(await upstream.registrations.count == 20)
    // one more was chosen before, and they run concurrently
    #expect(await upstream.registrations.prefix(2 * Outbox.width + 1).contains { $0.id == ids[19] })
  }
}
