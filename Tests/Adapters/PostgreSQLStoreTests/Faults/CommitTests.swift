import Registration
import StoreConformance
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL commits without an answer",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct CommitTests {
  @Test("PostgreSQLStore keeps the store's promises when a commit has no answer", arguments: StoreConformance.commits)
  func conforms(_ rule: ConformanceRule<FailingStore>) async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let told = Told()
      let store = try await opened(proxied.settings, observer: { told.note($0) })
      try await rule.check(
        FailingStore(
          store: store.accounts, observed: { told.entries },
          fail: { fault, times in
            let left = FaultsLeft(times)
            proxied.proxy.decide { message in
              guard message.commits, left.take() else { return .forward }
              return fault == .write ? .cutBefore : .cutAfter
            }
          }, heal: { proxied.proxy.heal() }, killedThen: { try await proxied.another().accounts },
          killedNow: { try await proxied.another().accounts }))
      await store.close()
    }
  }

  @Test("PostgreSQLStore keeps the store's promises wherever the connection is cut", arguments: StoreConformance.cuts)
  func conforms(_ rule: ConformanceRule<StoreConformance.WithCuttableStore>) async throws {
    try await withDatabase { database in
      let tables = try await EmptiedTables(database)
      try await rule.check { body in
        let proxied = try ProxiedDatabase(database)
        let told = Told()
        let store = try await opened(proxied.settings, observer: { told.note($0) })
        let cuts = Cuts(proxied.proxy)
        try await body(
          CuttableStore(
            store: store.accounts, observed: { told.entries }, cut: { cuts.cut(before: $0) }, heal: { cuts.heal() },
            another: { tables.store.accounts }))
        await store.close()
        try await tables.empty()
      }
      await tables.store.close()
    }
  }

  @Test("the store waits for a commit that reaches the server late, and does not make the change twice")
  func late() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let told = Told()
      let store = try await opened(proxied.settings, observer: { told.note($0) })
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      let account = Fixtures.account()
      let first = await failure { () async throws(StoreFailure) in _ = try await store.insert(account) }
      #expect(first?.isUnknown == true)
      // the old transaction is open and has the key, so any other call waits for its end
      async let again = store.insert(account)
      await proxied.proxy.releaseHeld()
      #expect(try await again == .taken(account))
      #expect(try await store.find(account.account.id) == account)
      #expect(try await store.audit(after: 0, limit: 9).count == 1)
      #expect(told.entries.count == 1)
      await store.close()
    }
  }

  @Test("while the old transaction is open, a look-up of its account fails as unknown")
  func inDoubt() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      var settings = proxied.settings
      // do not wait long for an answer that will not come
      settings.answerLimit = .seconds(5)
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings)
      }
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.commits && left.take() ? .hold : .forward }
      let account = Fixtures.account()
      let first = await failure { () async throws(StoreFailure) in _ = try await store.insert(account) }
      #expect(first?.isUnknown == true)
      let look = await failure { () async throws(StoreFailure) in _ = try await store.find(account.account.id) }
      #expect(look?.isUnknown == true, "\(String(describing: look))")
      await proxied.proxy.releaseHeld()
      let found = try await eventually { () async throws(StoreFailure) in
        try await store.find(account.account.id)
      }
      #expect(found == account)
      await store.close()
    }
  }
}

/// Cuts the connection once, before a message that the server acts on.
private final class Cuts: Sendable {
  private let proxy: PostgreSQLProxy
  /// The number of messages still to come, including the one that is cut.
  private let left = Mutex(0)

  init(_ proxy: PostgreSQLProxy) { self.proxy = proxy }

  func cut(before message: Int) {
    left.withLock { $0 = message }
    proxy.decide { [self] sent in
      // The messages before an Execute only prepare it. The server has done nothing yet.
      guard sent.kind == "E" || sent.kind == "S" else { return .forward }
      return left.withLock { left in
        left -= 1
        return left == 0 ? .cutBefore : .forward
      }
    }
  }

  func heal() -> Bool {
    proxy.heal()
    return left.withLock { $0 <= 0 }
  }
}
