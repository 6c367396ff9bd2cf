import AddressNormalization
import PasswordHashing
import TestDoubles
import Testing

@testable import Registration

/// Two callers delete or approve one account at the same time. If a caller waits for itself, the time limit cancels its
/// task.
@Suite("One account, two callers", .timeLimit(.minutes(10)))
struct EndedTwiceTests {
  private let user = ClaimDesk.user(7)

  /// A desk whose store lets other tasks run before it deletes, releases or approves.
  private func desk(_ terms: VerificationTerms = VerificationTerms()) -> ClaimDesk {
    ClaimDesk(
      terms,
      before: { (operation) async throws(StoreFailure) in
        guard [.delete, .release, .approve].contains(operation) else { return }
        for _ in 0..<500 { await Task.yield() }
      })
  }

  private func administrator(_ desk: ClaimDesk, _ store: (any StoreUnderTest)? = nil) -> Administrator {
    Administrator(
      store: desk.registrar.store.accounts, hasher: PlainHasher(), hashes: PasswordHashFormat(), time: FixedTime(),
      forgive: { _ in }, registrar: Reloadable(desk.registrar))
  }

  private func twice<Outcome: Sendable>(_ body: @escaping @Sendable () async -> Outcome) async -> [Outcome] {
    await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<2 { group.addTask { await body() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test("of two calls of owner.delete, one deletes the account and the other is rejected")
  func owners() async throws {
    let desk = desk()
    _ = await desk.register("owner@example.com")
    let outcomes = await twice {
      await desk.registrar.deleteAccount("owner@example.com", Fixtures.password("a fine phrase"), by: user)
    }
    #expect(outcomes.contains(.deleted) && outcomes.contains(.refused(.rejected)), "\(outcomes)")
  }

  @Test("of two calls of account.delete, one deletes the account and the other returns not found")
  func administrators() async throws {
    let desk = desk()
    _ = await desk.register("owner@example.com")
    let administrator = administrator(desk)
    let outcomes = await twice { await administrator.delete(.email("owner@example.com"), by: user) }
    #expect(outcomes.contains(.deleted) && outcomes.contains(.notFound), "\(outcomes)")
  }

  @Test("two calls of account.approve both return the account, which is approved once")
  func approved() async throws {
    let desk = desk()
    let waiting = Fixtures.account("owner@example.com", state: .waiting)
    _ = try await desk.store.insert(waiting, request: nil, Stamp(desk.now))
    let administrator = administrator(desk)
    let outcomes = await twice { await administrator.approve(.id(waiting.account.id), by: user) }
    let account = try #require(await desk.store.find(waiting.account.id)?.account)
    #expect(account.state == .active)
    #expect(outcomes == [.account(account), .account(account)])
    let entries = try await desk.store.audit(of: account.id, limit: 9).map(\.change)
    #expect(entries.count { $0 == .approved } == 1, "\(entries)")
  }

  @Test("of two calls of outbox.discard, one discards the registration and the other returns not found")
  func discarded() async throws {
    let desk = desk()
    let pending = Fixtures.account("owner@example.com", state: .pending)
    _ = try await desk.store.insert(pending, request: nil, Stamp(desk.now))
    let never = Duration.seconds(1_000_000)
    let outbox = Outbox(
      desk.registrar, breaker: nil, pendings: OutboxInbox(), settings: .init(firstPause: never, maximumPause: never))
    let outcomes = await twice { await outbox.discard(pending.account.id, by: user) { true } }
    #expect(outcomes.contains(.done) && outcomes.contains(.notFound), "\(outcomes)")
  }

  @Test("owner.export succeeds during sign-outs, because the password is still correct")
  func exported() async throws {
    let store = MemoryStore()
    let desk = ClaimDesk(
      VerificationTerms(), store: store,
      before: { (operation) async throws(StoreFailure) in
        guard operation == .auditOf, let account = try await store.find(EmailKey("owner@example.com"))?.account else {
          return
        }
        let later = account.updatedAt.advanced(by: .seconds(1))
        _ = try await store.signOut(account.id, having: nil, epoch: .random(), Stamp(later))
      })
    _ = await desk.register("owner@example.com")
    let outcome = await desk.registrar.exportAccount("owner@example.com", Fixtures.password("a fine phrase"), by: user)
    guard case .exported = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }
}
