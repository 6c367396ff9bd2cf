import CSQLite
import Matrix
import Registration
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite store")
struct SQLiteStoreTests {
  @Test("keeps the store's promises", arguments: StoreConformance.rules)
  func conforms(_ rule: StoreConformance.Rule) async throws {
    try await withDatabase { path in try await rule.check(try SQLiteStore(path: path)) }
  }

  @Test("keeps them after being closed and opened again")
  func reopened() async throws {
    try await withDatabase { path in
      let account = Fixtures.account("Jürgen@example.com", state: .pending)
      let first = try SQLiteStore(path: path)
      _ = try await first.insert(account)
      await first.close()
      await #expect(throws: StoreFailure.unavailable(detail: "the database is closed")) {
        try await first.find(account.account.id)
      }
      let second = try SQLiteStore(path: path)
      #expect(try await second.find(account.account.id) == account)
    }
  }

  @Test("two stores on one file see one truth")
  func shared() async throws {
    try await withDatabase { path in
      let (one, other) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
      let account = Fixtures.account()
      #expect(try await one.insert(account) == .inserted)
      #expect(try await other.insert(Fixtures.account()) == .taken(account))
    }
  }

  @Test("what cannot be opened is said, not made up")
  func unopenable() async throws {
    #expect(throws: StoreFailure.self) { try SQLiteStore(path: "/nonexistent/regd.db") }
    try await withDatabase { path in
      try TextFile.write("this is no database, and long enough to be looked at as one", to: path)
      #expect(throws: StoreFailure.self) { try SQLiteStore(path: path) }
    }
  }

  @Test("the database of another program, and of a newer regd, are left alone")
  func foreign() async throws {
    for (sql, says) in [
      ("PRAGMA user_version = 7; CREATE TABLE t (x)", "another program"),
      ("PRAGMA application_id = 5", "another program"),
      ("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 99", "newer"),
    ] {
      try await withDatabase { path in
        try Connection(path: path, busyMilliseconds: 0).execute(sql)
        do {
          _ = try SQLiteStore(path: path)
          Issue.record("opened: \(sql)")
        } catch {
          #expect("\(error)".contains(says))
        }
      }
    }
  }

  @Test("a lock of another program's is waited for, and then is a failure; nothing was changed")
  func locked() async throws {
    try await withDatabase { path in
      let store = try SQLiteStore(path: path, busyMilliseconds: 1)
      let other = try Connection(path: path, busyMilliseconds: 0)
      try other.execute("BEGIN EXCLUSIVE")
      let account = Fixtures.account()
      do {
        _ = try await store.insert(account)
        Issue.record("inserted under a lock")
      } catch {
        #expect("\(error)".contains("locked by another program"))
      }
      try other.execute("ROLLBACK")
      #expect(try await store.find(account.account.id) == nil)
      #expect(try await store.insert(account) == .inserted)
    }
  }

  @Test("a full database is full, and takes again what fits")
  func full() async throws {
    try await withDatabase { path in
      let connection = try Connection(path: path, busyMilliseconds: 0)
      try connection.execute("PRAGMA max_page_count = 2; CREATE TABLE t (x)")
      do throws(SQLiteFailure) {
        try connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
        Issue.record("it had room")
      } catch {
        #expect(error.storeFailure == .full)
      }
      try connection.execute("INSERT INTO t VALUES (1)")
    }
  }

  @Test("SQLite's codes become ours")
  func codes() {
    for (code, failure) in [
      (SQLITE_FULL, StoreFailure.full), (SQLITE_READONLY, .readOnly), (SQLITE_READONLY | 5 << 8, .readOnly),
    ] {
      #expect(SQLiteFailure(code: code, message: "m").storeFailure == failure)
    }
    for code in [
      SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_NOMEM,
      SQLITE_BUSY | 1 << 8,
    ] {
      guard case .unavailable = SQLiteFailure(code: code, message: "m").storeFailure else {
        Issue.record("code \(code)")
        continue
      }
    }
  }

  @Test("a transaction that fails half-way leaves nothing")
  func rollback() async throws {
    try await withDatabase { path in
      let connection = try Connection(path: path, busyMilliseconds: 0)
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

  @Test("every commit is synced, in WAL")
  func durability() async throws {
    try await withDatabase { path in
      _ = try SQLiteStore(path: path)
      let connection = try Connection(path: path, busyMilliseconds: 0)
      let mode = try connection.query("PRAGMA journal_mode") { (row) throws(SQLiteFailure) in row.text(0) }
      #expect(mode == ["wal"])
    }
  }

  private func withDatabase(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryDirectory { try await body("\($0)/regd.db") }
  }
}
