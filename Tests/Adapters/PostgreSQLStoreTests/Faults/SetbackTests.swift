import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

extension Faults {
  @Suite("A PostgreSQL database that goes back to an earlier state")
  struct SetbackTests {
    private static func whileStopped(
      _ server: PostgreSQLServer, _ body: @escaping @Sendable () throws -> Void
    ) async throws {
      try await PostgreSQL.onItsThread {
        server.stop()
        try body()
        try server.start()
      }
    }

    private typealias Point = StoreSetback.Point

    /// Checks the store until it has met this earlier state.
    private static func meet(_ offered: Point, after seen: Point, at store: PostgreSQLStore) async throws {
      while store.setback != StoreSetback(offered: offered, seen: seen) {
        _ = await failure { () async throws(StoreFailure) in try await store.check() }
        try await letOthersWork()
      }
    }

    /// Checks that nothing is changed or read.
    private static func expectRefusals(_ store: PostgreSQLStore) async {
      let refusals = [
        await failure { () async throws(StoreFailure) in
          _ = try await store.insert(Fixtures.account("refused@example.com"))
        },
        await failure { () async throws(StoreFailure) in _ = try await store.find(EmailKey("a@example.com")) },
        await failure { () async throws(StoreFailure) in _ = try await store.list(after: nil, limit: 9) },
      ]
      for refusal in refusals {
        #expect(refusal?.isUnavailable == true, "\(String(describing: refusal))")
        #expect("\(String(describing: refusal))".contains("has gone back to an earlier state"))
      }
    }

    private static func add(_ name: String, to store: PostgreSQLStore) async throws {
      try await eventually { () async throws(StoreFailure) in
        _ = try await store.insert(Fixtures.account("\(name)@example.com"))
      }
    }

    @Test("a restored snapshot is neither changed nor read, even with new entries, until it is accepted")
    func restored() async throws {
      let (server, database) = try await PostgreSQL.onItsThread {
        let server = try PostgreSQLServer()
        return (server, try server.makeDatabase("regd"))
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await Self.add("a", to: store)
      #expect(store.accept() == nil)
      try await Self.whileStopped(server) { try server.takeSnapshot() }
      try await Self.add("b", to: store)
      try await Self.whileStopped(server) { try server.goBack() }
      let seen = Point(timeline: 1, entry: 2)
      try await Self.meet(Point(timeline: 1, entry: 1), after: seen, at: store)
      await Self.expectRefusals(store)
      // A regd that starts has seen nothing. The numbers that it gives are used for the second time.
      let other = try await opened(PostgreSQLStore.Settings(database), as: "other")
      for name in ["c", "d"] { try await Self.add(name, to: other) }
      try await other.check()
      #expect(other.setback == nil)
      await other.close()
      try await Self.meet(Point(timeline: 1, entry: 3), after: seen, at: store)
      await Self.expectRefusals(store)
      let earlier = store.connector.past.comparison
      #expect(store.accept() == StoreSetback(offered: Point(timeline: 1, entry: 3), seen: seen))
      try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        // the question was asked before the database was accepted, so the answer proves nothing
        #expect(try store.connector.past.check(connection.answer(earlier.statement), earlier) == 1)
      }
      try await eventually { () async throws(StoreFailure) in try await store.check() }
      #expect(store.setback == nil)
      #expect(store.accept() == nil)
      #expect(try await store.find(EmailKey("b@example.com")) == nil)
      try await Self.add("e", to: store)
      await store.close()
    }

    @Test("an old primary that returns after a promotion is not used, and the store continues with the promoted server")
    func oldPrimary() async throws {
      let (primary, standby, database) = try await FailoverTests.pair()
      var settings = PostgreSQLStore.Settings(database)
      settings.url = database.url(port: primary.port).replacing(
        "127.0.0.1:\(primary.port)", with: "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)")
      let store = try await opened(settings)
      try await Self.add("a", to: store)
      try await PostgreSQL.onItsThread {
        primary.kill()
        try standby.promote()
      }
      try await eventually { () async throws(StoreFailure) in try await store.check() }
      // both servers are primaries now: the one with the higher timeline is used
      try await PostgreSQL.onItsThread { try primary.start() }
      try await eventually { () async throws(StoreFailure) in _ = try await store.list(after: nil, limit: 9) }
      #expect(store.setback == nil)
      try await PostgreSQL.onItsThread { standby.stop() }
      try await Self.meet(Point(timeline: 1, entry: 1), after: Point(timeline: 2, entry: 1), at: store)
      await Self.expectRefusals(store)
      try await PostgreSQL.onItsThread { try standby.start() }
      try await Self.add("b", to: store)
      #expect(store.setback == nil)
      await store.close()
    }

    @Test("a regd that has seen only what others changed also notices that the database has gone back")
    func idle() async throws {
      let (server, database) = try await PostgreSQL.onItsThread {
        let server = try PostgreSQLServer()
        return (server, try server.makeDatabase("regd"))
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      let other = try await opened(PostgreSQLStore.Settings(database), as: "other")
      try await store.check()
      try await Self.whileStopped(server) { try server.takeSnapshot() }
      try await Self.add("a", to: other)
      try await eventually { () async throws(StoreFailure) in try await store.check() }
      try await Self.whileStopped(server) { try server.goBack() }
      try await Self.meet(Point(timeline: 1, entry: 0), after: Point(timeline: 1, entry: 1), at: store)
      await store.close()
      await other.close()
    }

    @Test("entries that were removed from the audit are no sign of an earlier state")
    func removed() async throws {
      try await withDatabase { database in
        let store = try await opened(PostgreSQLStore.Settings(database))
        try await Self.add("a", to: store)
        try await PostgreSQL.onItsThread { _ = try database.query("DELETE FROM audit_address; DELETE FROM audit") }
        try await store.check()
        // another session
        #expect(try await store.list(after: nil, limit: 9).count == 1)
        #expect(store.setback == nil)
        await store.close()
      }
    }
  }
}
