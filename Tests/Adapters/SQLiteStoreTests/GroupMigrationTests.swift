import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: a database from before groups", .timeLimit(.minutes(10)))
struct GroupMigrationTests {
  /// The last version without groups.
  private static let before = 20
  private static let id = "0193c1d6-0000-7000-8000-00000000000"
  private static let time = "'\(Fixtures.time.rfc3339)'"
  private static let end = "'2036-11-21T10:57:00.000000Z'"

  /// Rows in each table that gets a column, and in a table that refers to accounts.
  private static let rows = """
    INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at, epoch, proven) VALUES
      ('\(id)1', 'Ann@example.com', 'ann@example.com', 'x', 'active', \(time), \(time), NULL, 1),
      ('\(id)2', 'bob@example.com', 'bob@example.com', 'y', 'disabled', \(time), \(time), NULL, NULL);
    INSERT INTO request VALUES (7, 'r', '\(id)1', 'x');
    INSERT INTO claim (id, kind, state, email, email_key, account_id, password_hash, uid, digits, generation,
        code_until, attempts, resend_at, created_at, expires_at)
      VALUES ('00112233445566778899aabbccddeeff', 'registration', 'open', 'c@example.com', 'c@example.com', '\(id)8',
        'x', 7, 6, 1, \(end), 0, \(time), \(time), \(end));
    INSERT INTO invitation (id, digest, uses, created_at, expires_at, uid, mailed)
      VALUES ('\(id)5', '\(String(repeating: "5a", count: 32))', 3, \(time), \(end), 0, 0);
    INSERT INTO audit (at, change, account_id, uid, pid, regd) VALUES
      (\(time), 'account.registered', '\(id)1', 7, 2, 'old'),
      (\(time), 'account.imported', '\(id)2', NULL, NULL, 'old');
    INSERT INTO audit_address VALUES (1, 'Ann@example.com', NULL), (2, 'bob@example.com', NULL);
    PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(before)
    """

  private static func make(_ path: String) throws {
    let old = try Connection(path: path, busyMilliseconds: 0)
    for migration in Schema.migrations.prefix(before) where migration != Schema.rewriting {
      try old.execute(migration)
    }
    try Installation.make(old)
    try old.execute(rows)
  }

  private static func texts(_ path: String, _ sql: String) throws -> [String] {
    try Connection(path: path, busyMilliseconds: 1000).query(sql) { (row) throws(SQLiteFailure) in row.text(0) }
  }

  /// For each table, a query for its rows with the columns that it has now.
  private static func queries(_ path: String) throws -> [String] {
    let tables = try texts(
      path,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'installation'")
    return try tables.map { table in
      let columns = try texts(path, "SELECT name FROM pragma_table_info('\(table)')")
      return "SELECT \(columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")) FROM \(table) ORDER BY 1"
    }
  }

  @Test("the migration keeps each row, and gives none of them a group or a name")
  func kept() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try Self.make(path)
      let queries = try Self.queries(path)
      let rows = try queries.map { try Self.texts(path, $0) }
      #expect(rows.count { !$0.isEmpty } == 6)
      let said = Mutex<[String]>([])
      let store = try SQLiteStore(path: path, doing: { what in said.withLock { $0.append(what) } })
      let latest = Schema.migrations.count
      #expect(said.withLock { $0.first } == "migrating its schema from version \(Self.before) to \(latest)")
      #expect(try queries.map { try Self.texts(path, $0) } == rows)
      let accounts = try await store.list(after: nil, limit: 9).map(\.account)
      #expect(accounts.map(\.state) == [.active, .disabled])
      #expect(accounts.allSatisfy { $0.groups.isEmpty && $0.displayName == nil })
      #expect(try await store.claims(after: nil, limit: 9, at: Fixtures.time).map(\.displayName) == [nil])
      #expect(try await store.invitations(after: nil, limit: 9, at: Fixtures.time).map(\.invitation.groups) == [.none])
      let entries = try await store.audit(after: 0, limit: 9)
      #expect(entries.map(\.change) == [.registered, .imported] && entries.allSatisfy { $0.groups == nil })
      #expect(try await store.groups(after: nil, limit: 9, counting: .max).elements == [])
    }
  }

  @Test("after the migration, a deletion of an account by regd or another program also deletes its memberships")
  func memberships() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try Self.make(path)
      let store = try SQLiteStore(path: path)
      let accounts = try await store.list(after: nil, limit: 9).map(\.account)
      let (staff, editors) = (try #require(GroupName("staff")), try #require(GroupName("editors")))
      for account in accounts {
        let answer = try await store.changeGroups(
          of: account.id, adding: [staff, editors], removing: [], ClaimScene.stamp(1))
        guard case .account(let changed) = answer else {
          Issue.record("\(answer)")
          continue
        }
        #expect(changed.groups.names == [editors, staff])
      }
      let members = "SELECT group_name || ' ' || account_id FROM account_group ORDER BY 1"
      let (ann, bob) = (accounts[0].id, accounts[1].id)
      #expect(
        try Self.texts(path, members) == ["editors \(ann)", "editors \(bob)", "staff \(ann)", "staff \(bob)"])
      #expect(try await store.members(of: staff, after: nil, limit: 9).map(\.account.id) == [ann, bob])
      #expect(try await store.delete(ann, having: nil, ClaimScene.stamp(2)) == .deleted)
      #expect(try Self.texts(path, members) == ["editors \(bob)", "staff \(bob)"])
      #expect(try await store.groups(after: nil, limit: 9, counting: .max).elements.map(\.members) == [1, 1])
      let other = try Connection(path: path, busyMilliseconds: 1000)
      try other.execute("PRAGMA foreign_keys = ON; DELETE FROM account WHERE id = '\(bob)'")
      #expect(try Self.texts(path, members) == [])
      #expect(try await store.groups(after: nil, limit: 9, counting: .max).elements == [])
    }
  }
}
