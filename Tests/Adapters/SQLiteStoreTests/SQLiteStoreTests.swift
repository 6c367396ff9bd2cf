import CSQLite
import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite store", .timeLimit(.minutes(10)))
struct SQLiteStoreTests {
  @Test("SQLiteStore keeps the store's promises", arguments: StoreConformance.rules)
  func conforms(_ rule: StoreConformance.Rule) async throws {
    try await withDatabase { path in try await rule.check(try SQLiteStore(path: path).accounts) }
  }

  @Test(
    "SQLiteStore keeps the store's promises when several regd processes have it open",
    arguments: StoreConformance.sharing)
  func conforms(_ rule: ConformanceRule<SharedStore>) async throws {
    try await withDatabase { path in
      try await rule.check(SharedStore { try SQLiteStore(path: path, claimant: Claimant($0, lease: $1)).accounts })
    }
  }

  @Test("SQLiteStore keeps the store's promises when rows are damaged", arguments: StoreConformance.damage)
  func conforms(_ rule: ConformanceRule<DamageableStore>) async throws {
    try await withDatabase { path in
      let told = DamageTold()
      try await rule.check(
        DamageableStore(
          store: try SQLiteStore(path: path, damaged: { told.note($0) }).accounts, told: told,
          damageAccount: { id in
            // by hand, as with sqlite3(1)
            let editor = try Connection(path: path, busyMilliseconds: 1000)
            try editor.run("UPDATE account SET updated_at = 'yesterday' WHERE id = ?1", [id.description])
          },
          damageEntry: { number in
            let editor = try Connection(path: path, busyMilliseconds: 1000)
            try editor.execute(
              "DROP TRIGGER IF EXISTS audit_is_not_changed; UPDATE audit SET at = '' WHERE number = \(number)")
          }))
    }
  }

  @Test("SQLiteStore keeps accounts when it is closed and opened again")
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

  @Test("two stores on one file see the same accounts")
  func shared() async throws {
    try await withDatabase { path in
      let (one, other) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
      let account = Fixtures.account()
      #expect(try await one.insert(account) == .inserted)
      #expect(try await other.insert(Fixtures.account()) == .taken(account))
    }
  }

  @Test("a database that cannot be opened is an error")
  func unopenable() async throws {
    #expect(throws: StoreFailure.self) { try SQLiteStore(path: "/nonexistent/regd.db") }
    try await withDatabase { path in
      try TextFile.write("this is no database, and long enough to be looked at as one", to: path)
      #expect(throws: StoreFailure.self) { try SQLiteStore(path: path) }
    }
  }

  @Test("the store refuses the databases of another program and of a newer regd, and leaves them unchanged")
  func foreign() async throws {
    for (sql, says) in [
      ("PRAGMA user_version = 7; CREATE TABLE t (x)", "another program"), ("CREATE TABLE t (x)", "another program"),
      ("PRAGMA application_id = 5", "another program"),
      ("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 99", "newer"),
    ] {
      try await withDatabase { path in
        try Connection(path: path, busyMilliseconds: 0).execute(sql)
        let before = TextFile.read(path)
        do {
          _ = try SQLiteStore(path: path)
          Issue.record("opened: \(sql)")
        } catch {
          #expect("\(error)".contains(says))
        }
        #expect(TextFile.read(path) == before)
      }
    }
  }

  @Test("a change fails and has no effect if another program does not release its lock in time")
  func locked() async throws {
    try await withDatabase { path in
      let store = try SQLiteStore(path: path, busyMilliseconds: 1)
      let other = try Connection(path: path, busyMilliseconds: 0)
      try other.execute("BEGIN IMMEDIATE")
      let account = Fixtures.account()
      do {
        _ = try await store.insert(account)
        Issue.record("inserted under a lock")
      } catch {
        #expect("\(error)".contains("locked by another program"))
      }
      // neither a reader nor a process that opens an up-to-date database waits for the lock
      let slow = try SQLiteStore(path: path, busyMilliseconds: 3_600_000)
      #expect(try await slow.find(account.account.email.key) == nil)
      try await slow.check()
      try other.execute("ROLLBACK")
      #expect(try await store.find(account.account.id) == nil)
      #expect(try await store.insert(account) == .inserted)
    }
  }

  @Test("a read-only store can be read, and refuses every change")
  func configuredReadOnly() async throws {
    try await withDatabase { path in
      let before = try SQLiteStore(path: path)
      let account = Fixtures.account()
      _ = try await before.insert(account, request: nil, Stamp(Fixtures.time))
      await before.close()
      let store = try SQLiteStore(path: path, isReadOnly: true)
      await #expect(throws: StoreFailure.readOnly) {
        try await store.insert(Fixtures.account("b@example.com"), request: nil, Stamp(Fixtures.time))
      }
      await #expect(throws: StoreFailure.readOnly) { try await store.delete(account.account.id, Stamp(Fixtures.time)) }
      #expect(try await store.find(account.account.id) == account)
      #expect(try await store.list(after: nil, limit: 9) == [account])
    }
  }

  @Test("a store with a maximum size fails as full when it is reached, and keeps its accounts")
  func maximum() async throws {
    try await withDatabase { path in
      let store = try SQLiteStore(path: path, maximumBytes: 1)
      var kept: [StoredAccount] = []
      await #expect(throws: StoreFailure.full) {
        for number in 0..<10_000 {
          let account = Fixtures.account("name\(number)@example.com")
          _ = try await store.insert(account, request: nil, Stamp(Fixtures.time))
          kept.append(account)
        }
      }
      #expect(try await store.list(after: nil, limit: 10_000).count == kept.count)
      #expect(try await store.audit(after: 0, limit: 10_000).count == kept.count)
    }
  }

  @Test("a full database fails as full, keeps its accounts, and makes no change by half")
  func full() async throws {
    try await withDatabase { path in
      let connection = try SQLiteStore.open(path, 0)
      try connection.execute("PRAGMA max_page_count = 8")
      let store = try SQLiteStore(writer: connection, reader: SQLiteStore.open(path, 0))
      var inserted: [StoredAccount] = []
      var failure: StoreFailure?
      while failure == nil, inserted.count < 1000 {
        let account = Fixtures.account("n\(inserted.count)@example.com", hash: String(repeating: "h", count: 500))
        do throws(StoreFailure) {
          _ = try await store.insert(account)
          inserted.append(account)
        } catch {
          failure = error
          #expect(try await store.find(account.account.id) == nil)
        }
      }
      #expect(failure == .full)
      #expect(!inserted.isEmpty)
      for account in inserted { #expect(try await store.find(account.account.id) == account) }
    }
  }

  @Test("a database that cannot be written fails as read-only, and can still be read")
  func readOnly() async throws {
    try await withDatabase { path in
      let account = Fixtures.account()
      _ = try await SQLiteStore(path: path).insert(account)
      let connection = try SQLiteStore.open(path, 0)
      try connection.execute("PRAGMA query_only = ON")
      let store = try SQLiteStore(writer: connection, reader: SQLiteStore.open(path, 0))
      await #expect(throws: StoreFailure.readOnly) { try await store.insert(Fixtures.account("b@example.com")) }
      await #expect(throws: StoreFailure.readOnly) { try await store.release(account.account.id, seen: Fixtures.time) }
      #expect(try await store.find(account.account.id) == account)
    }
  }

  @Test("SQLite's error codes map to store failures")
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

  @Test("four stores that open a new database at once can all use it")
  func openedTwice() async throws {
    // A busy disk can delay a commit for long, which is not tested here.
    for _ in 0..<10 {
      try await withDatabase { path in
        try await withThrowingTaskGroup { group in
          for number in 0..<4 {
            group.addTask {
              let store = try SQLiteStore(path: path, busyMilliseconds: 600_000)
              _ = try await store.insert(Fixtures.account("n\(number)@example.com"))
            }
          }
          try await group.waitForAll()
        }
        let store = try SQLiteStore(path: path, busyMilliseconds: 600_000)
        for number in 0..<4 { #expect(try await store.find(EmailKey("n\(number)@example.com")) != nil) }
      }
    }
  }

  private func withDatabase(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryDirectory { try await body("\($0)/regd.db") }
  }
}
