import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("A connection to SQLite", .timeLimit(.minutes(10)))
struct ConnectionTests {
  @Test("a transaction that fails half-way changes nothing")
  func rollback() async throws {
    try await withTemporaryDirectory { directory in
      let connection = try Connection(path: "\(directory)/regd.db", busyMilliseconds: 0)
      try connection.execute("CREATE TABLE t (x UNIQUE)")
      #expect(throws: SQLiteFailure.self) {
        try connection.transaction { () throws(SQLiteFailure) in
          try connection.execute("INSERT INTO t VALUES (1)")
          try connection.execute("INSERT INTO t VALUES (1)")
          return ((), true)
        }
      }
      let count = try connection.query("SELECT count(*) FROM t") { (row) throws(SQLiteFailure) in row.integer(0) }
      #expect(count == [0])
    }
  }

  @Test("a larger page cache ends with the transaction that needed it, even if the transaction fails")
  func pages() async throws {
    try await withTemporaryDirectory { directory in
      let connection = try SQLiteStore.open("\(directory)/regd.db", 0)
      func room() throws(SQLiteFailure) -> [Int] {
        [try connection.integer("PRAGMA cache_size"), try connection.integer("PRAGMA wal_autocheckpoint")]
      }
      let usual = try room()
      #expect(usual[1] == 1000)
      for fails in [true, false] {
        do throws(SQLiteFailure) {
          try connection.transaction { () throws(SQLiteFailure) in
            try connection.withPages(5000) { () throws(SQLiteFailure) in
              #expect(try room() == [5000, 5000])
              if fails { try connection.execute("INSERT INTO nothing VALUES (1)") }
            }
            return ((), true)
          }
          #expect(!fails)
        } catch {
          #expect(fails, "\(error)")
        }
        #expect(try room() == [usual[0], 5000])
        try connection.transaction { () throws(SQLiteFailure) in ((), true) }
        #expect(try room() == usual)
      }
    }
  }

  @Test("temporary content stays in memory for readers and writers, except while the whole file is rewritten")
  func temporary() async throws {
    try await withTemporaryDirectory { directory in
      let (path, inMemory, inFiles) = ("\(directory)/regd.db", 2, 1)
      do {
        let old = try Connection(path: path, busyMilliseconds: 0)
        for migration in Schema.migrations.prefix(5) { try old.execute(migration) }
        try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 5")
      }
      // rewrites the file
      let writer = try SQLiteStore.open(path, 0)
      #expect(try writer.integer("PRAGMA user_version") == Schema.migrations.count)
      let others = [
        try SQLiteStore.another(path, 0, nil), try Connection(path: path, busyMilliseconds: 0, isReadOnly: true),
      ]
      for connection in [writer] + others { #expect(try connection.integer("PRAGMA temp_store") == inMemory) }
      for fails in [false, true] {
        do throws(SQLiteFailure) {
          try writer.withTemporaryFiles { () throws(SQLiteFailure) in
            let store = try writer.integer("PRAGMA temp_store")
            #expect(store == inFiles)
            try writer.execute(fails ? "VACUUM missing" : "VACUUM")
          }
          #expect(!fails)
        } catch {
          #expect(fails, "\(error)")
        }
        #expect(try writer.integer("PRAGMA temp_store") == inMemory)
      }
    }
  }

  @Test("the store syncs every commit, in WAL mode")
  func durability() async throws {
    try await withTemporaryDirectory { directory in
      let connection = try SQLiteStore.open("\(directory)/regd.db", 0)
      let mode = try connection.query("PRAGMA journal_mode") { (row) throws(SQLiteFailure) in row.text(0) }
      let synchronous = try connection.query("PRAGMA synchronous") { (row) throws(SQLiteFailure) in row.integer(0) }
      #expect(mode == ["wal"])
      #expect(synchronous == [2])  // FULL
    }
  }
}
