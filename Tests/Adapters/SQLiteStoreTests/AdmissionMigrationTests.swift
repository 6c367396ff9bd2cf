import Linux
import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: a database from before invitations", .timeLimit(.minutes(10)))
struct AdmissionMigrationTests {
  /// The last version without invitations.
  private static let before = 9
  private static let accounts = 300

  /// A database of that version with rows in every table. The audit has used numbers for which it has no entries.
  private func make(_ path: String) throws {
    let old = try Connection(path: path, busyMilliseconds: 0)
    try old.execute("PRAGMA journal_mode = WAL; BEGIN")
    for migration in Schema.migrations.prefix(Self.before) where migration != Schema.rewriting {
      try old.execute(migration)
    }
    try Installation.make(old)
    try old.execute(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(Self.accounts))
      INSERT INTO account SELECT printf('0199aaaa-0000-7000-8000-%012d', n), 'N' || n, 'n' || (n * 7919 % 1009), 'hash ' || n,
        CASE n % 3 WHEN 0 THEN 'active' WHEN 1 THEN 'pending' ELSE 'disabled' END, '2026-01-01T00:00:00.000000Z',
        '2026-01-02T00:00:00.000000Z', CASE n % 2 WHEN 0 THEN '2026-01-03T00:00:00.000000Z' END FROM number;
      INSERT INTO request SELECT 7, 'r' || id, id, password_hash FROM account;
      INSERT INTO delivery SELECT id, 'regd', '2026-01-01T00:00:00.000Z', 3, 'timeout', '2026-01-04T00:00:00.000000Z'
        FROM account WHERE state = 'pending';
      INSERT INTO released (uid, id, account_id, email, email_key, password_hash, released_at)
        SELECT 7, 'x' || id, id, email, email_key, 'x', '2026-01-01T00:00:00.000000Z' FROM account LIMIT 9;
      INSERT INTO audit (at, change, account_id, uid, pid, origin, regd)
        SELECT created_at, 'account.registered', id, 7, 8, 'an origin', 'regd' FROM account ORDER BY email_key;
      INSERT INTO audit_address SELECT number, 'N', NULL FROM audit;
      INSERT INTO claim SELECT printf('%032d', rowid), 'registration', 'open', 'c' || rowid, 'c' || rowid,
        '0199bbbb-0000-7000-8000-000000000000', 'hash', 7, 'an origin', 'c' || rowid, 'fr', 6, 1, 't', 0, 't', 't', '3000', 1
        FROM audit LIMIT 20;
      INSERT INTO mail SELECT '0199cccc-0000-7000-8000-' || substr(id, 21), 'registrationCode', 'waiting', email, email_key, id,
        account_id, 'fr', 7, NULL, 't', 0, NULL, NULL, NULL, NULL, 1, 0 FROM claim;
      INSERT INTO mail_ask (address, share, part, at) VALUES (1, 2, 0, 't');
      INSERT INTO wrong_code (address, at) VALUES (1, 't');
      UPDATE sqlite_sequence SET seq = seq + 5 WHERE name = 'audit';
      PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Self.before); COMMIT
      """)
  }

  private static let tables = [
    "account", "request", "delivery", "released", "audit", "audit_address", "claim", "mail", "mail_ask", "wrong_code",
    "installation",
  ]

  /// The rows of every table, with the columns of the earlier version.
  private static func rows(_ path: String, _ columns: [[String]]) throws -> [[String]] {
    let connection = try Connection(path: path, busyMilliseconds: 1000)
    return try zip(tables, columns).map { table, columns in
      let texts = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
      return try connection.query("SELECT \(texts) FROM \(table) ORDER BY 1") { (row) throws(SQLiteFailure) in
        row.text(0)
      }
    }
  }

  private static func columns(_ path: String) throws -> [[String]] {
    let connection = try Connection(path: path, busyMilliseconds: 1000)
    return try tables.map { table in
      try connection.query("SELECT name FROM pragma_table_info('\(table)')") { (row) throws(SQLiteFailure) in
        row.text(0)
      }
    }
  }

  private func check(_ path: String, _ columns: [[String]], _ rows: [[String]], _ what: String) async throws {
    let store = try SQLiteStore(path: path)
    #expect(try Self.rows(path, columns) == rows, "\(what)")
    let connection = try Connection(path: path, busyMilliseconds: 1000)
    func texts(_ sql: String) throws -> [String] {
      try connection.query(sql) { (row) throws(SQLiteFailure) in row.text(0) }
    }
    #expect(try texts("PRAGMA foreign_key_check") == [], "\(what)")
    #expect(try texts("PRAGMA integrity_check") == ["ok"], "\(what)")
    #expect(try texts("SELECT name FROM sqlite_schema WHERE name LIKE '%\\_new%' ESCAPE '\\'") == [], "\(what)")
    #expect(try connection.integer("PRAGMA user_version") == Schema.migrations.count, "\(what)")
    let waiting = Fixtures.account("waiting@example.com", state: .waiting)
    #expect(try await store.insert(waiting) == .inserted, "\(what)")
    #expect(try await store.list(.waiting, after: nil, limit: 9) == [waiting], "\(what)")
    // a number is never used twice
    #expect(try await store.audit(after: Self.accounts, limit: 9).map(\.number) == [Self.accounts + 6], "\(what)")
    for sql in ["UPDATE audit SET terms = 'x'", "DELETE FROM audit"] {
      #expect(throws: SQLiteFailure.self, "\(what)") { try connection.execute(sql) }
    }
    // requests and deliveries are still deleted together with their account
    let gone = "0199aaaa-0000-7000-8000-000000000001"
    try connection.execute("PRAGMA foreign_keys = ON; DELETE FROM account WHERE id = '\(gone)'")
    for table in ["request", "delivery"] {
      #expect(try texts("SELECT account_id FROM \(table) WHERE account_id = '\(gone)'") == [], "\(what)")
    }
  }

  @Test("the migration loses no row")
  func migrated() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try make(path)
      let columns = try Self.columns(path)
      let rows = try Self.rows(path, columns)
      #expect(rows.allSatisfy { !$0.isEmpty })
      let said = Mutex<[String]>([])
      await (try SQLiteStore(path: path, doing: { what in said.withLock { $0.append(what) } })).close()
      #expect(said.withLock { $0.first } == "migrating its schema from version 9 to \(Schema.migrations.count)")
      try await check(path, columns, rows, "whole")
    }
  }

  @Test("if a start is killed at any write or sync, the next start completes the migration")
  func killed() async throws {
    var call = 1
    while true {
      nonisolated(unsafe) var isThrough = false
      try await withTemporaryDirectory { directory in
        let (path, killed) = ("\(directory)/regd.db", "\(directory)/killed.db")
        try make(path)
        let columns = try Self.columns(path)
        let rows = try Self.rows(path, columns)
        let calls = FailingCalls(path, copyingTo: killed, at: call)
        let store = try? SQLiteStore(path: path, vfs: FailingDisk.name)
        calls.end()
        await store?.close()
        guard FileSystem.exists(killed) else {
          isThrough = true
          return
        }
        try await check(killed, columns, rows, "killed at call \(call)")
      }
      guard !isThrough else { break }
      call += max(1, call / 4)
    }
    #expect(call > 20, "it has more calls than that")
  }

  @Test("a move in progress misses no change that comes after the migration")
  func moving() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try make(path)
      do {
        let old = try Connection(path: path, busyMilliseconds: 1000)
        // the tables of the earlier version, with a trigger on the one table that the migration recreates
        try old.execute(
          """
          CREATE TABLE move (id TEXT NOT NULL, begun_at TEXT NOT NULL) STRICT;
          CREATE TABLE move_change (
            position INTEGER PRIMARY KEY AUTOINCREMENT, strand TEXT NOT NULL, key TEXT NOT NULL) STRICT;
          CREATE TRIGGER move_account_insert AFTER INSERT ON account BEGIN
            INSERT INTO move_change (strand, key) VALUES ('accounts', new.id); END
          """)
      }
      let store = try SQLiteStore(path: path)
      let account = Fixtures.account()
      #expect(try await store.insert(account) == .inserted)
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      let changed = try connection.query("SELECT key FROM move_change") { (row) throws(SQLiteFailure) in row.text(0) }
      #expect(changed == [account.account.id.description])
    }
  }
}
