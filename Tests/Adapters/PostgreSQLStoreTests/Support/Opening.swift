import RegdProcesses
import Registration
import TestDoubles
import TestKit

@testable import PostgreSQLStore

/// All tests run at once on few cores, so a server's answer may be late. The tests do not depend on that.
let patience = Duration.seconds(300)

extension PostgreSQLStore.Settings {
  /// With the smallest number of sessions that a store can have.
  init(_ database: PostgreSQLDatabase) {
    self.init(url: database.url)
    connections = 4
    (connectLimit, answerLimit) = (patience, patience)
    // the tests' time is earlier than this, whatever the machine's clock shows
    serverTime = Fixtures.time.advanced(by: .seconds(1_000_000_000))
  }
}

/// Opens a store outside the thread pool that all tests share.
func opened(
  _ settings: PostgreSQLStore.Settings, schema: Schema = Schema(), as instance: String = "regd",
  lease: Duration = .seconds(35), damaged: @escaping DamageObserver = { _ in },
  observer: @escaping AuditObserver = { _ in }
) async throws -> PostgreSQLStore {
  try await PostgreSQL.onItsThread {
    try PostgreSQLStore(
      settings, schema: schema, claimant: Claimant(instance, lease: lease), damaged: damaged, observer: observer)
  }
}

/// Calls `body` with a store on a separate database, and closes the store.
func withStore(_ body: (PostgreSQLStore) async throws -> Void) async throws {
  try await withDatabase { database in
    let store = try await opened(PostgreSQLStore.Settings(database))
    do {
      try await body(store)
    } catch {
      await store.close()
      throw error
    }
    await store.close()
  }
}
