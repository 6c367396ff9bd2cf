import Glibc
import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

extension Faults {
  @Suite("PostgreSQL servers without connections or disk space")
  struct ExhaustionTests {
    @Test("a server without a free connection is unavailable until it has one again")
    func connections() async throws {
      try await withDatabase { database in
        let store = try await opened(PostgreSQLStore.Settings(database))
        let administrator = database.administrator
        try await PostgreSQL.onItsThread {
          try administrator.query("ALTER ROLE \(database.role) CONNECTION LIMIT 0")
          try administrator.query(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = '\(database.role)'")
        }
        let account = Fixtures.account()
        let refused = await failure { () async throws(StoreFailure) in _ = try await store.insert(account) }
        guard case .unavailable(let detail) = refused else {
          Issue.record("\(String(describing: refused))")
          return
        }
        #expect(detail.contains("too many connections"), "\(detail)")
        try await PostgreSQL.onItsThread {
          _ = try administrator.query("ALTER ROLE \(database.role) CONNECTION LIMIT -1")
        }
        let answer = try await eventually { () async throws(StoreFailure) in try await store.insert(account) }
        #expect(answer == .inserted)
        await store.close()
      }
    }

    /// Mounts 16 MiB beside the cluster. Only the server sees the mount, which ends together with it.
    private static let smallDisk = [
      "unshare", "--mount", "sh", "-c",
      """
      mkdir -p ../small && mount -t tmpfs -o size=16m,mode=755 tmpfs ../small && mkdir ../small/space &&
      chown postgres ../small/space && exec "$@"
      """, "sh",
    ]

    @Test(
      "with a full disk changes fail as full, look-ups work, and changes succeed again when there is room",
      .needsRoot)
    func disk() async throws {
      let server = try await PostgreSQL.onItsThread { try PostgreSQLServer(startedBy: Self.smallDisk) }
      let database = try await PostgreSQL.onItsThread {
        let database = try server.makeDatabase("regd")
        try server.query("CREATE TABLESPACE small LOCATION '\(server.directory)/small/space'")
        try server.query("GRANT CREATE ON TABLESPACE small TO regd; ALTER ROLE regd SET default_tablespace = small")
        return database
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      let first = Fixtures.account("first@example.com")
      #expect(try await store.insert(first) == .inserted)
      try await PostgreSQL.onItsThread {
        try database.query("CREATE TABLE filler (text text)")
        // until no room is left
        let full = #expect(throws: PostgreSQLServer.Failure.self) {
          for _ in 0..<100_000 {
            try database.query("INSERT INTO filler SELECT repeat('x', 1900) FROM generate_series(1, 400)")
          }
        }
        #expect(full?.description.contains("53100") == true)
      }
      // the existing pages have room for some rows
      var refused: (account: StoredAccount, failure: StoreFailure)?
      for number in 0..<1000 where refused == nil {
        let account = Fixtures.account("a\(number)@example.com")
        let failure = await failure { () async throws(StoreFailure) in _ = try await store.insert(account) }
        if let failure { refused = (account, failure) }
      }
      let last = try #require(refused)
      #expect(last.failure == .full)
      #expect(try await store.find(last.account.account.id) == nil)
      #expect(try await store.find(first.account.id) == first)
      try await PostgreSQL.onItsThread { _ = try database.query("DROP TABLE filler") }
      #expect(try await store.insert(last.account) == .inserted)
      await store.close()
    }
  }
}
