import RegdProcesses
import Registration
import StoreModels
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

extension Faults {
  @Suite("PostgreSQL failover")
  struct FailoverTests {
    @Test("a standby that is promoted under load has every acknowledged registration once", arguments: Rounds.seeds(1))
    func promoted(_ seed: Int) async throws {
      let (primary, standby, database) = try await Self.pair()
      var settings = PostgreSQLStore.Settings(database)
      settings.url = database.url(port: primary.port).replacing(
        "127.0.0.1:\(primary.port)", with: "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)")
      settings.connections = 8
      var stores: [PostgreSQLStore] = []
      for number in 0..<4 { stores.append(try await opened(settings, as: "regd\(number)")) }
      // each address is requested at all stores
      let load = RegistrationLoad(stores, accounts: 150)
      try await load.run(whenAcknowledged: 13 + 37 * seed % 130) {
        try await PostgreSQL.onItsThread {
          primary.kill()
          try standby.promote()
        }
      }
      for store in stores {
        try await load.check(store)
        await store.close()
      }
    }

    @Test("the store does not open a standby for writing")
    func standbyOnly() async throws {
      let (primary, standby, database) = try await Self.pair()
      let url = standby.database(like: database).networkURL
      let refused = await failure { () async throws(StoreFailure) in
        _ = try await openedAsStore(PostgreSQLStore.Settings(url: url))
      }
      #expect(refused?.isUnavailable == true, "\(String(describing: refused))")
      withExtendedLifetime(primary) {}
    }

    @Test(
      "a commit whose wait for the standby is ended is not acknowledged, and is settled when no standby is missing",
      arguments: ["pg_cancel_backend", "pg_terminate_backend"])
    func unreplicated(_ function: String) async throws {
      let (server, database) = try await PostgreSQL.onItsThread {
        let server = try PostgreSQLServer()
        return (server, try server.makeDatabase("regd"))
      }
      let told = Told()
      let store = try await opened(PostgreSQLStore.Settings(database), observer: { told.note($0) })
      // a standby that does not exist, so that each commit waits for it
      try await PostgreSQL.onItsThread { try server.configure(["synchronous_standby_names": "absent"]) }
      let account = Fixtures.account()
      async let outcome = failure { () async throws(StoreFailure) in _ = try await store.insert(account) }
      try await PostgreSQL.onItsThread {
        try server.wait(until: "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", is: "1")
        try server.query("SELECT \(function)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      }
      let failure = await outcome
      #expect(failure?.isUnknown == true, "\(String(describing: failure))")
      #expect(told.entries.isEmpty)
      try await PostgreSQL.onItsThread { try server.configure(["synchronous_standby_names": ""]) }
      let found = try await eventually { () async throws(StoreFailure) in try await store.find(account.account.id) }
      #expect(found == account)
      #expect(told.entries.count == 1)
      #expect(try await store.insert(account) == .taken(account))
      await store.close()
    }

    static func pair() async throws -> (PostgreSQLServer, PostgreSQLServer, PostgreSQLDatabase) {
      try await PostgreSQL.onItsThread {
        let primary = try PostgreSQLServer()
        let database = try primary.makeDatabase("regd")
        return (primary, try PostgreSQLServer(standbyOf: primary, isSynchronous: true), database)
      }
    }
  }
}
