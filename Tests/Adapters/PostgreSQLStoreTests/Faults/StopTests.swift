import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

extension Faults {
  @Suite("PostgreSQL servers that stop")
  struct StopTests {
    @Test("a stopped server is unavailable, and is used again when it is back")
    func stopped() async throws {
      let (server, database) = try await Self.server()
      let store = try await opened(PostgreSQLStore.Settings(database))
      let first = Fixtures.account("first@example.com")
      #expect(try await store.insert(first) == .inserted)
      try await PostgreSQL.onItsThread { server.stop(.fast) }
      let second = Fixtures.account("second@example.com")
      let refused = await failure { () async throws(StoreFailure) in _ = try await store.insert(second) }
      #expect(refused?.isUnavailable == true, "\(String(describing: refused))")
      let unseen = await failure { () async throws(StoreFailure) in _ = try await store.find(first.account.id) }
      #expect(unseen?.isUnavailable == true, "\(String(describing: unseen))")
      let unchecked = await failure { () async throws(StoreFailure) in try await store.check() }
      #expect(unchecked?.isUnavailable == true, "\(String(describing: unchecked))")
      try await PostgreSQL.onItsThread { try server.start() }
      try await eventually { () async throws(StoreFailure) in try await store.check() }
      #expect(try await store.find(first.account.id) == first)
      #expect(try await store.find(second.account.id) == nil)
      #expect(try await store.insert(second) == .inserted)
      await store.close()
    }

    @Test("the store replaces sessions that the server has ended, and no call fails")
    func restartedBetween() async throws {
      let (server, database) = try await Self.server()
      let store = try await opened(PostgreSQLStore.Settings(database))
      let first = Fixtures.account("first@example.com")
      #expect(try await store.insert(first) == .inserted)
      try await PostgreSQL.onItsThread { try server.restart(.fast) }
      #expect(try await store.insert(Fixtures.account("second@example.com")) == .inserted)
      try await PostgreSQL.onItsThread { try server.restart(.immediate) }
      #expect(try await store.find(first.account.id) == first)
      await store.close()
    }

    @Test(
      "a server that is killed under load loses no acknowledged registration, and makes none twice",
      arguments: Rounds.seeds(1))
    func killed(_ seed: Int) async throws {
      let (server, database) = try await Self.server()
      let store = try await opened(PostgreSQLStore.Settings(database))
      let load = RegistrationLoad([store], accounts: 200)
      try await load.run(whenAcknowledged: 23 + 37 * seed % 170) {
        try await PostgreSQL.onItsThread {
          server.kill()
          try server.start()
        }
      }
      try await load.check(store)
      await store.close()
    }

    @Test(
      "if a server is killed while two daemons prove claims, each address has one account, and each claim one mail",
      arguments: Rounds.seeds(1))
    func killedBetweenClaims(_ seed: Int) async throws {
      let (server, database) = try await Self.server()
      let one = try await opened(PostgreSQLStore.Settings(database))
      let other = try await opened(PostgreSQLStore.Settings(database), as: "other")
      let load = ClaimLoad([one, other], addresses: 90)
      try await load.run(whenAcknowledged: 13 + 17 * seed % 70) {
        try await PostgreSQL.onItsThread {
          server.kill()
          try server.start()
        }
      }
      try await load.check(one)
      try await load.check(other)
      await one.close()
      await other.close()
    }

    private static func server() async throws -> (PostgreSQLServer, PostgreSQLDatabase) {
      try await PostgreSQL.onItsThread {
        let server = try PostgreSQLServer()
        return (server, try server.makeDatabase("regd"))
      }
    }
  }
}
