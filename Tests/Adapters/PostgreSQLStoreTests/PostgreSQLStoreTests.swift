import AddressNormalization
import RegdProcesses
import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite("PostgreSQL store", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct PostgreSQLStoreTests {
  @Test("PostgreSQLStore keeps the store's promises", arguments: StoreConformance.rules)
  func conforms(_ rule: StoreConformance.Rule) async throws {
    try await withStore { try await rule.check($0.accounts) }
  }

  @Test("PostgreSQLStore keeps the store's promises when rows are damaged", arguments: StoreConformance.damage)
  func conforms(_ rule: ConformanceRule<DamageableStore>) async throws {
    try await withDatabase { database in
      let told = DamageTold()
      let store = try await opened(PostgreSQLStore.Settings(database), damaged: { told.note($0) })
      try await rule.check(
        DamageableStore(
          store: store.accounts, told: told,
          damageAccount: { id in
            try await PostgreSQL.onItsThread {
              _ = try database.query("UPDATE account SET updated_at = 'infinity' WHERE id = '\(id)'")
            }
          },
          damageEntry: { number in
            try await PostgreSQL.onItsThread {
              _ = try database.query("UPDATE audit SET change = '' WHERE number = \(number)")
            }
          }))
      await store.close()
    }
  }

  @Test("PostgreSQLStore keeps the store's promises to several regd processes", arguments: StoreConformance.sharing)
  func conforms(_ rule: ConformanceRule<SharedStore>) async throws {
    try await withDatabase { database in
      let stores = Mutex<[PostgreSQLStore]>([])
      try await rule.check(
        SharedStore { instance, lease in
          let store = try await opened(PostgreSQLStore.Settings(database), as: instance, lease: lease)
          stores.withLock { $0.append(store) }
          return store.accounts
        })
      for store in stores.withLock({ $0 }) { await store.close() }
    }
  }

  @Test(
    "PostgreSQL treats two addresses as equal exactly when their keys are equal",
    arguments: StoreConformance.addresses(EmailRules(normalizer: UnicodeNormalizer())))
  func addresses(_ rule: StoreConformance.Rule) async throws {
    try await withStore { try await rule.check($0.accounts) }
  }

  @Test("PostgreSQLStore keeps accounts when it is closed and opened again")
  func reopened() async throws {
    try await withDatabase { database in
      let account = Fixtures.account("Jürgen@example.com", state: .pending)
      let first = try await opened(PostgreSQLStore.Settings(database))
      _ = try await first.insert(account)
      await first.close()
      await #expect(throws: StoreFailure.unavailable(detail: "the database is closed")) {
        try await first.find(account.account.id)
      }
      let second = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await second.find(account.account.id) == account)
      await second.close()
    }
  }

  @Test("two stores on one database see the same accounts and share one sequence of audit numbers")
  func shared() async throws {
    try await withDatabase { database in
      let one = try await opened(PostgreSQLStore.Settings(database), as: "one")
      let other = try await opened(PostgreSQLStore.Settings(database), as: "other")
      let account = Fixtures.account()
      #expect(try await one.insert(account) == .inserted)
      #expect(try await other.insert(Fixtures.account()) == .taken(account))
      _ = try await other.delete(account.account.id, Stamp(Fixtures.time))
      #expect(try await one.audit(after: 0, limit: 9).map(\.number) == [1, 2])
      await one.close()
      await other.close()
    }
  }

  @Test("an origin may contain any byte and is read back unchanged")
  func origins() async throws {
    try await withStore { store in
      for text in ["a\0b", "\\x41", "ü", "'; DROP TABLE audit; --"] {
        let origin = try #require(Origin(text))
        _ = try await store.insert(
          Fixtures.account("\(text.utf8.count)-\(text.hashValue)@example.com"), request: nil,
          Stamp(Fixtures.time, by: Requester(uid: .max, pid: 7, origin: origin)))
        #expect(try await store.audit(after: 0, limit: 9).last?.by == Requester(uid: .max, pid: 7, origin: origin))
      }
    }
  }

  @Test("a database that cannot be opened is an error that does not contain the password")
  func unopenable() async throws {
    try await withDatabase { database in
      for url in ["postgresql://u:geheim@127.0.0.1:1/x", "postgresql://u:geheim@/x?host=/nonexistent", "http://geheim"]
      {
        do {
          _ = try await opened(PostgreSQLStore.Settings(url: url))
          Issue.record("opened: \(url)")
        } catch {
          #expect(!"\(error)".contains("geheim"), "\(error)")
          if case StoreFailure.unavailable = error { continue }
          Issue.record("\(error)")
        }
      }
      try await PostgreSQL.onItsThread { _ = try database.query("CREATE TABLE account (x integer)") }
      do {
        _ = try await opened(PostgreSQLStore.Settings(database))
        Issue.record("opened another program's database")
      } catch {
        #expect("\(error)".contains("another program"))
      }
    }
  }

  @Test("a store that requires replication does not open on a server without synchronous standbys")
  func notReplicated() async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.isReplicated = true
      do {
        _ = try await opened(settings)
        Issue.record("opened")
      } catch {
        #expect("\(error)".contains("synchronous_standby_names is empty"), "\(error)")
      }
    }
  }
}
