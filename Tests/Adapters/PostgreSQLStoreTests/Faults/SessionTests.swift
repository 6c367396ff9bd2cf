import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL sessions", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"),
  .timeLimit(.minutes(10)))
struct SessionTests {
  private func sessions(_ database: PostgreSQLDatabase) -> String {
    "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(database.role)'"
  }

  /// Uses sessions of each kind.
  private func useAll(_ store: PostgreSQLStore, _ email: String) async throws {
    _ = try await store.insert(Fixtures.account(email))
    _ = try await store.find(EmailKey(email))
    _ = try await store.list(after: nil, limit: 9)
  }

  @Test("a regd closes its idle sessions, and another regd gets the connections")
  func givenBack() async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.idleLimit = .zero
      let one = try await opened(settings)
      let other = try await opened(settings, as: "other")
      try await useAll(one, "a@example.com")
      let (administrator, count) = (database.administrator, sessions(database))
      try await PostgreSQL.onItsThread {
        #expect(try administrator.query(count) == "3")
        try administrator.query("ALTER ROLE \(database.role) CONNECTION LIMIT 3")
      }
      let refused = await failure { () async throws(StoreFailure) in
        _ = try await other.insert(Fixtures.account("b@example.com"))
      }
      guard case .unavailable(let detail) = refused else {
        Issue.record("\(String(describing: refused))")
        return
      }
      #expect(detail.contains("too many connections"), "\(detail)")
      try await one.check()
      try await PostgreSQL.onItsThread {
        while try administrator.query(count) != "0" {}
      }
      try await eventually { () async throws(StoreFailure) in
        _ = try await other.insert(Fixtures.account("b@example.com"))
      }
      await one.close()
      await other.close()
    }
  }

  @Test("a session that the server rejects takes the place of other sessions of the same regd, and all work succeeds")
  func crowded() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await useAll(store, "a@example.com")
      let administrator = database.administrator
      try await PostgreSQL.onItsThread {
        _ = try administrator.query("ALTER ROLE \(database.role) CONNECTION LIMIT 1")
      }
      // the sessions for lists and for look-ups are in use again after the changes
      #expect(try await store.insert(Fixtures.account("b@example.com")) == .inserted)
      #expect(try await store.list(after: nil, limit: 9).count == 2)
      await store.close()
    }
  }

  @Test("thirteen connections serve four regd, whatever each requests at the same time")
  func thirteen() async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.connections = 8
      var stores: [PostgreSQLStore] = []
      for number in 0..<4 { stores.append(try await opened(settings, as: "regd\(number)")) }
      let administrator = database.administrator
      try await PostgreSQL.onItsThread {
        _ = try administrator.query("ALTER ROLE \(database.role) CONNECTION LIMIT 13")
      }
      try await withThrowingTaskGroup { group in
        for (number, store) in stores.enumerated() {
          for caller in 0..<8 {
            group.addTask {
              for round in 0..<5 {
                let account = Fixtures.account("\(number)-\(caller)-\(round)@example.com")
                // calls without a session are repeated, and regd checks its sessions now and then
                try await eventually { () async throws(StoreFailure) in _ = try await store.insert(account) }
                let found = try await eventually { () async throws(StoreFailure) in
                  try await store.find(account.account.id)
                }
                #expect(found == account)
                _ = try await eventually { () async throws(StoreFailure) in try await store.list(after: nil, limit: 9) }
                try await eventually { () async throws(StoreFailure) in try await store.check() }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      // the others may have all thirteen sessions, and release none while they get no calls
      for store in stores.dropFirst() { await store.close() }
      let entries = try await eventually { () async throws(StoreFailure) in
        try await stores[0].audit(after: 0, limit: 999)
      }
      #expect(entries.count == 4 * 8 * 5)
      await stores[0].close()
    }
  }

  @Test("the store stops using a session with a server that another server has replaced")
  func failover() async throws {
    try await withDatabase { database in
      let (first, second) = (try ProxiedDatabase(database), try ProxiedDatabase(database))
      var settings = first.settings
      settings.url = settings.url.replacing(
        "127.0.0.1:\(first.proxy.port)", with: "127.0.0.1:\(first.proxy.port),127.0.0.1:\(second.proxy.port)")
      (settings.answerLimit, settings.connectLimit) = (.seconds(5), .seconds(10))
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings)
      }
      try await eventually { () async throws(StoreFailure) in _ = try await store.list(after: nil, limit: 9) }
      let account = Fixtures.account()
      try await eventually { () async throws(StoreFailure) in _ = try await store.insert(account) }
      await first.proxy.swallow()
      let found = try await eventually { () async throws(StoreFailure) in
        try await store.find(account.account.email.key)
      }
      #expect(found == account)
      try await eventually { () async throws(StoreFailure) in
        _ = try await store.insert(Fixtures.account("b@example.com"))
      }
      // the first server would never answer
      #expect(try await store.list(after: nil, limit: 9).count == 2)
      await store.close()
    }
  }

  @Test("a database that was dropped and created again accepts no change, and no new session reads it")
  func replaced() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let account = Fixtures.account()
      #expect(try await store.insert(account) == .inserted)
      let administrator = database.administrator
      try await PostgreSQL.onItsThread {
        let tables = try database.query(
          "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = current_schema()")
        _ = try database.query("DROP TABLE \(tables) CASCADE")
      }
      let other = try await opened(PostgreSQLStore.Settings(database))
      func refusal(_ body: () async throws(StoreFailure) -> Void) async -> String {
        String(describing: await failure(body))
      }
      let words = "the opened database was replaced by another one"
      for number in 1...2 {
        let inserted = await refusal { () async throws(StoreFailure) in
          _ = try await store.insert(Fixtures.account("n\(number)@example.com"))
        }
        #expect(inserted.contains(words), "\(inserted)")
        let guessed = await refusal { () async throws(StoreFailure) in
          _ = try await store.guess(ClaimID(), ClaimCase.wrong, ClaimCase.stamp())
        }
        #expect(guessed.contains(words), "\(guessed)")
        try await PostgreSQL.onItsThread {
          _ = try administrator.query(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = '\(database.role)'")
        }
      }
      let found = await refusal { () async throws(StoreFailure) in _ = try await store.find(account.account.id) }
      #expect(found.contains(words), "\(found)")
      let left = try await eventually { () async throws(StoreFailure) in try await other.list(after: nil, limit: 9) }
      #expect(left == [])
      await store.close()
      await other.close()
    }
  }
}
