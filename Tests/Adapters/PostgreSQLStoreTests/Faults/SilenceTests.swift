import RegdProcesses
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL: what a silent server means for other callers",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct SilenceTests {
  /// A store behind a proxy, with a session of each kind.
  private func withProxied(
    answers: Duration, _ body: (ProxiedDatabase, PostgreSQLStore) async throws -> Void
  ) async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      var settings = proxied.settings
      (settings.answerLimit, settings.connectLimit) = (answers, .seconds(2))
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings)
      }
      try await eventually { () async throws(StoreFailure) in
        _ = try await store.insert(Fixtures.account("first@example.com"))
        _ = try await store.find(EmailKey("first@example.com"))
      }
      try await body(proxied, store)
      await store.close()
    }
  }

  @Test("one statement without an answer does not shut the store for others")
  func one() async throws {
    try await withProxied(answers: .seconds(2)) { proxied, store in
      let left = FaultsLeft(1)
      proxied.proxy.decide { $0.statement.contains("WHERE email_key = $1") && left.take() ? .swallow : .forward }
      let look = await failure { () async throws(StoreFailure) in
        _ = try await store.find(EmailKey("first@example.com"))
      }
      #expect(look?.isUnavailable == true, "\(String(describing: look))")
      // the session for changes is another one, and is asked at once
      #expect(store.connector.reachability.failure == nil)
      let other = await failure { () async throws(StoreFailure) in
        _ = try await store.insert(Fixtures.account("second@example.com"))
      }
      #expect(other == nil, "\(String(describing: other))")
    }
  }

  @Test("a silent server shuts the store without a further caller's deadline")
  func asked() async throws {
    try await withProxied(answers: .seconds(2)) { proxied, store in
      await proxied.proxy.swallow()
      let look = await failure { () async throws(StoreFailure) in
        _ = try await store.find(EmailKey("first@example.com"))
      }
      #expect(look?.isUnavailable == true, "\(String(describing: look))")
      while store.connector.reachability.failure == nil { try await letOthersWork() }
      await proxied.proxy.pass()
      let found = try await eventually { () async throws(StoreFailure) in
        try await store.find(EmailKey("first@example.com"))
      }
      #expect(found?.account.email.typed == "first@example.com")
      #expect(store.connector.reachability.failure == nil)
    }
  }

  @Test("a wait for an answer ends when regd has found that the server is silent")
  func ended() async throws {
    try await withProxied(answers: .seconds(10)) { proxied, store in
      let isSwallowed = Atomic(false)
      proxied.proxy.decide { message in
        guard message.statement.contains("WHERE email_key = $1") else { return .forward }
        isSwallowed.store(true, ordering: .relaxed)
        return .swallow
      }
      async let look = failure { () async throws(StoreFailure) in
        _ = try await store.find(EmailKey("first@example.com"))
      }
      while !isSwallowed.load(ordering: .relaxed) { try await letOthersWork() }
      store.connector.reachability.doubt(.deadline(.milliseconds(1234)))
      let outcome = await look
      guard case .unavailable(let detail) = outcome else {
        Issue.record("\(String(describing: outcome))")
        return
      }
      #expect(detail.contains("1.234"), "\(detail)")
    }
  }

  @Test("a connect without an answer does not count as a full server, and no other session is closed for it")
  func kept() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      var settings = proxied.settings
      settings.connectLimit = .seconds(1)
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings)
      }
      try await eventually { () async throws(StoreFailure) in _ = try await store.find(EmailKey("x@example.com")) }
      let pids = "SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE usename = '\(database.role)'"
      let before = try await PostgreSQL.onItsThread { try database.administrator.query(pids) }
      #expect(!before.isEmpty)
      await proxied.proxy.swallow()
      let refused = await failure { () async throws(StoreFailure) in _ = try await store.insert(Fixtures.account()) }
      #expect(refused?.isUnavailable == true, "\(String(describing: refused))")
      #expect(!store.connector.reachability.isShut)
      await proxied.proxy.pass()
      // the session for look-ups is still the same
      try await eventually { () async throws(StoreFailure) in _ = try await store.find(EmailKey("x@example.com")) }
      let after = try await PostgreSQL.onItsThread { try database.administrator.query(pids) }
      #expect(Set(after.split(separator: ",")).isSuperset(of: before.split(separator: ",")), "\(before) \(after)")
      await store.close()
    }
  }
}
