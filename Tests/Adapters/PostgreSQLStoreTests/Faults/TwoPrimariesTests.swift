import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

extension Faults {
  @Suite("PostgreSQL servers that no standby follows")
  struct TwoPrimariesTests {
    private static func expectUnfollowed(_ body: () async throws(StoreFailure) -> Void) async {
      let refused = await failure(body)
      #expect(refused?.isUnavailable == true, "\(String(describing: refused))")
      #expect("\(String(describing: refused))".contains("no standby follows the server"))
    }

    private static func disconnected(_ primary: PostgreSQLServer) throws {
      try primary.wait(until: "SELECT count(*) FROM pg_stat_replication", is: "0")
    }

    @Test("a replicated store does not open, change or read while no standby follows, and continues when one does")
    func alone() async throws {
      let (primary, standby, database) = try await FailoverTests.pair()
      var settings = PostgreSQLStore.Settings(database)
      settings.isReplicated = true
      let store = try await opened(settings)
      let account = Fixtures.account("a@example.com")
      _ = try await store.insert(account)
      #expect(try await store.find(account.account.id) == account)
      #expect(try await store.list(after: nil, limit: 9).count == 1)
      try await PostgreSQL.onItsThread {
        standby.stop()
        try Self.disconnected(primary)
      }
      // each has a session that was opened while the standby followed
      await Self.expectUnfollowed { () async throws(StoreFailure) in _ = try await store.find(account.account.id) }
      await Self.expectUnfollowed { () async throws(StoreFailure) in _ = try await store.list(after: nil, limit: 9) }
      await Self.expectUnfollowed { () async throws(StoreFailure) in
        _ = try await store.insert(Fixtures.account("b@example.com"))
      }
      await Self.expectUnfollowed { () async throws(StoreFailure) in try await store.check() }
      await Self.expectUnfollowed { [settings] () async throws(StoreFailure) in _ = try await openedAsStore(settings) }
      try await PostgreSQL.onItsThread { try standby.start() }
      let found = try await eventually { () async throws(StoreFailure) in try await store.find(account.account.id) }
      #expect(found == account)
      await store.close()
    }

    @Test("of two primaries, each regd uses the one that a standby follows, and reads all acknowledged changes")
    func two() async throws {
      let (old, promoted, database) = try await FailoverTests.pair()
      var settings = PostgreSQLStore.Settings(database)
      settings.isReplicated = true
      settings.url = database.url(port: old.port).replacing(
        "127.0.0.1:\(old.port)", with: "127.0.0.1:\(old.port),127.0.0.1:\(promoted.port)")
      let writer = try await opened(settings, as: "writer")
      let reader = try await opened(settings, as: "reader")
      _ = try await writer.insert(Fixtures.account("a@example.com"))
      // a session with the old primary, which remains open
      #expect(try await reader.find(EmailKey("b@example.com")) == nil)
      let standby = try await PostgreSQL.onItsThread {
        try promoted.promote()
        return try PostgreSQLServer(standbyOf: promoted, name: "third", isSynchronous: true)
      }
      let account = Fixtures.account("b@example.com")
      try await eventually { () async throws(StoreFailure) in _ = try await writer.insert(account) }
      let found = try await eventually { () async throws(StoreFailure) in
        try await reader.find(EmailKey("b@example.com"))
      }
      #expect(found == account)
      // the old primary still runs, and has no such account
      let rows = try await PostgreSQL.onItsThread {
        try old.database(like: database).query("SELECT count(*) FROM account")
      }
      #expect(rows == "1")
      await writer.close()
      await reader.close()
      withExtendedLifetime(standby) {}
    }
  }
}
