import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "The stamp key, in PostgreSQL", .leavesNothing, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct StampKeyTests {
  /// Like restoring a dump: the rows of the table are written again with the same values.
  private static let restore = """
    CREATE TEMPORARY TABLE dumped AS SELECT key, made_by, made_in, made_for FROM stamp_key; TRUNCATE stamp_key;
    INSERT INTO stamp_key (key, made_by, made_in, made_for) SELECT * FROM dumped; DROP TABLE dumped
    """

  private static func keys(_ database: PostgreSQLDatabase) async throws -> StoreKeys {
    let store = try await opened(PostgreSQLStore.Settings(database))
    await store.close()
    return store.keys
  }

  @discardableResult
  private static func query(_ database: PostgreSQLDatabase, _ statements: String) async throws -> String {
    try await PostgreSQL.onItsThread { try database.query(statements) }
  }

  @Test("a restart or a rewrite of the table keeps the key, even under a running regd")
  func rewritten() async throws {
    try await withDatabase { database in
      let keys = try await Self.keys(database)
      let store = try await opened(PostgreSQLStore.Settings(database))
      // the file of the table, and the transaction that wrote the row from the server's point of view
      let place = "SELECT pg_relation_filenode('stamp_key'), (SELECT xmin FROM stamp_key)"
      for (keeping, rewrites) in [
        ("SELECT 1", false), ("VACUUM FREEZE stamp_key", false), ("VACUUM FULL stamp_key", true),
        ("CLUSTER stamp_key USING stamp_key_pkey", true), ("ALTER TABLE stamp_key SET UNLOGGED", true),
        ("ALTER TABLE stamp_key SET LOGGED", true),
        ("ALTER TABLE stamp_key ADD COLUMN another uuid DEFAULT gen_random_uuid()", true),
        ("ALTER TABLE stamp_key DROP COLUMN another", false), ("REINDEX TABLE stamp_key", false),
      ] {
        let before = try await Self.query(database, place)
        try await Self.query(database, keeping)
        let after = try await Self.query(database, place)
        #expect((before != after) == rewrites, "\(keeping): \(before), \(after)")
        try await store.check()
        #expect(try await Self.keys(database) == keys, "\(keeping)")
      }
      await store.close()
    }
  }

  @Test("each restored dump gets a new key, and so does the operator's command")
  func restored() async throws {
    try await withDatabase { database in
      var keys = [try await Self.keys(database)]
      let read = "SELECT key, made_by, made_in, made_for FROM stamp_key"
      let dump = try await Self.query(database, read)
      for number in 1...2 {
        try await Self.query(database, Self.restore)
        let restored = try await Self.query(database, read)
        #expect(restored == dump || number > 1)
        keys.append(try await Self.keys(database))
      }
      // the operator's command after a base backup
      try await Self.query(database, "UPDATE stamp_key SET key = key")
      keys.append(try await Self.keys(database))
      #expect(Set(keys.map(\.stamps)).count == 4)
      #expect(Set(keys.map(\.codes)).count == 1)
      #expect(try await Self.keys(database) == keys[3], "once")
    }
  }

  @Test("restoring a file of pg_dump creates a new key, in the same tables and in another database")
  func dumped() async throws {
    let server = try await PostgreSQL.onItsThread { try PostgreSQLServer() }
    let database = try await PostgreSQL.onItsThread { try server.makeWholeDatabase("accounts") }
    var keys = [try await Self.keys(database)]
    try await withTemporaryDirectory { directory in
      let (all, row) = ("\(directory)/all.sql", "\(directory)/row.sql")
      try await PostgreSQL.onItsThread {
        try database.dump(to: all)
        // as a superuser can, with all triggers off
        try database.administrator.dump(to: row, ["--data-only", "--table=stamp_key", "--disable-triggers"])
        try database.query("TRUNCATE stamp_key")
        try database.administrator.restore(row)
      }
      keys.append(try await Self.keys(database))
      try await PostgreSQL.onItsThread {
        try server.query("DROP DATABASE accounts")
        try server.query("CREATE DATABASE accounts OWNER accounts")
        try database.administrator.restore(all)
      }
      keys.append(try await Self.keys(database))
    }
    #expect(Set(keys.map(\.stamps)).count == 3)
    #expect(Set(keys.map(\.codes)).count == 1)
  }

  @Test(
    "a copy by CREATE DATABASE gets a new key, even under the name of the first database",
    arguments: ["WAL_LOG", "FILE_COPY"])
  func template(_ strategy: String) async throws {
    let server = try await PostgreSQL.onItsThread { try PostgreSQLServer() }
    let database = try await PostgreSQL.onItsThread { try server.makeWholeDatabase("accounts") }
    let first = try await Self.keys(database)
    let swap = [
      "CREATE DATABASE kept TEMPLATE accounts OWNER accounts STRATEGY \(strategy)",
      "ALTER DATABASE accounts RENAME TO aside", "ALTER DATABASE kept RENAME TO accounts",
    ]
    try await PostgreSQL.onItsThread { for statement in swap { try server.query(statement) } }
    let copy = try await Self.keys(database)
    #expect(copy.stamps != first.stamps)
    #expect(copy.codes == first.codes)
    #expect(try await Self.keys(database) == copy, "once")
    let back = ["ALTER DATABASE accounts RENAME TO kept", "ALTER DATABASE aside RENAME TO accounts"]
    try await PostgreSQL.onItsThread { for statement in back { try server.query(statement) } }
    #expect(try await Self.keys(database) == first, "the first database keeps its own, under any name")
  }

  @Test("a database of version 8 keeps its key unless it was restored")
  func migrated() async throws {
    var eighth = Schema()
    eighth.steps = Array(Schema.shipped.prefix(8))
    for isRestored in [false, true] {
      try await withDatabase { database in
        try await PostgreSQL.onItsThread { [eighth] in
          let old = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
          _ = try eighth.migrate(old) { _ in }
        }
        let writer = isRestored ? "'3'::xid" : "pg_current_xact_id()::xid"
        try await Self.query(
          database,
          """
          INSERT INTO stamp_key (key, made_by, made_in)
          VALUES (decode(repeat('ab', 32), 'hex'), \(writer), 'stamp_key'::regclass::oid)
          """)
        let keys = try await Self.keys(database)
        #expect((keys.stamps.bytes == Array(repeating: 0xab, count: 32)) == !isRestored)
        // the query of a running regd of version 8
        let asked = try await Self.query(
          database, "SELECT count(*) FROM stamp_key WHERE made_by = xmin AND made_in = tableoid")
        #expect(asked == "1")
      }
    }
  }

  @Test("of six regd that start at once on a restored database, one creates the key and all use it")
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

  @Test("a running regd stops using its key if its database is restored")
  func below() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await store.check()
      try await PostgreSQL.onItsThread { _ = try database.query(Self.restore) }
      let failure = await failure { () async throws(StoreFailure) in try await store.check() }
      #expect("\(String(describing: failure))".contains("the opened database was replaced"))
      await store.close()
    }
  }
}
