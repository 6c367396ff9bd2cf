import RegdProcesses
import Registration
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "The key of stamps, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct StampKeyTests {
  /// As a dump has it: the table's rows are written anew, with the same values.
  private static let restore = """
    CREATE TEMPORARY TABLE dumped AS SELECT * FROM stamp_key; TRUNCATE stamp_key;
    INSERT INTO stamp_key SELECT * FROM dumped; DROP TABLE dumped
    """

  private static func keys(_ database: PostgreSQLDatabase) async throws -> StoreKeys {
    let store = try await opened(PostgreSQLStore.Settings(database))
    await store.close()
    return StoreKeys(codes: store.codeKey, stamps: store.stampKey)
  }

  @Test(
    "a restart and whatever rewrites tables keep the key; a dump that is restored brings another, as often as it is")
  func restored() async throws {
    try await withDatabase { database in
      var keys = [try await Self.keys(database)]
      for keeping in [
        "SELECT 1", "VACUUM FREEZE stamp_key", "VACUUM FULL stamp_key", "CLUSTER stamp_key USING stamp_key_pkey",
      ] {
        try await PostgreSQL.onItsThread { _ = try database.query(keeping) }
        let after = try await Self.keys(database)
        #expect(after == keys[0], "\(keeping)")
      }
      let dump = try await PostgreSQL.onItsThread { try database.query("SELECT key, made_by, made_in FROM stamp_key") }
      for number in 1...2 {
        try await PostgreSQL.onItsThread { _ = try database.query(Self.restore) }
        #expect(
          try await PostgreSQL.onItsThread { try database.query("SELECT key, made_by, made_in FROM stamp_key") } == dump
            || number > 1)
        keys.append(try await Self.keys(database))
      }
      #expect(Set(keys.map(\.stamps)).count == 3)
      #expect(Set(keys.map(\.codes)).count == 1)
      // what an operator does after a base back-up
      try await PostgreSQL.onItsThread { _ = try database.query("UPDATE stamp_key SET key = key") }
      keys.append(try await Self.keys(database))
      #expect(Set(keys.map(\.stamps)).count == 4)
    }
  }

  @Test("of many regd that start at once on a restored database one makes the key")
  func atOnce() async throws {
    try await withDatabase { database in
      let before = try await Self.keys(database)
      try await PostgreSQL.onItsThread { _ = try database.query(Self.restore) }
      let keys = try await withThrowingTaskGroup(of: StoreKeys.self) { group in
        for _ in 0..<6 { group.addTask { try await Self.keys(database) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(keys.map(\.stamps)).count == 1)
      #expect(keys[0].stamps != before.stamps)
    }
  }

  @Test("a regd below which the database is restored does not go on with a key that others do not have")
  func below() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await store.check()
      try await PostgreSQL.onItsThread { _ = try database.query(Self.restore) }
      let failure = await failure { () async throws(StoreFailure) in try await store.check() }
      #expect("\(String(describing: failure))".contains("another database has taken the place"))
      await store.close()
    }
  }
}
