import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "From version 12 to groups, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct GroupMigrationTests {
  private static let twelfth: Schema = {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(12))
    return schema
  }()

  private static let id = "0193c1d6-0000-7000-8000-00000000000"
  private static let time = "'2026-11-21T10:57:00Z'"
  private static let end = "'2036-11-21T10:57:00Z'"

  /// Rows in each table that gets a column, and in a table that refers to accounts. One entry still waits for its
  /// number.
  private static let rows = """
    INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at) VALUES
      ('\(id)1', 'Ann@example.com', 'ann@example.com', 'x', 'active', \(time), \(time)),
      ('\(id)2', 'bob@example.com', 'bob@example.com', 'y', 'disabled', \(time), \(time));
    INSERT INTO request VALUES (7, 'r', '\(id)1', 'x');
    INSERT INTO claim (id, kind, state, email, email_key, account_id, password_hash, uid, digits, generation,
        code_until, attempts, resend_at, created_at, expires_at)
      VALUES ('00112233445566778899aabbccddeeff', 'registration', 'open', 'c@example.com', 'c@example.com', '\(id)8',
        'x', 7, 6, 1, \(end), 0, \(time), \(time), \(end));
    INSERT INTO invitation (id, digest, uses, created_at, expires_at, uid, mailed)
      VALUES ('\(id)5', '\(String(repeating: "5a", count: 32))', 3, \(time), \(end), 0, 0);
    INSERT INTO audit (number, at, change, account_id, uid, pid, regd)
      VALUES (1, \(time), 'account.registered', '\(id)1', 7, 2, 'old');
    INSERT INTO audit_address VALUES (1, 'Ann@example.com', NULL);
    INSERT INTO entry_without_number (turn, place, at, change, account_id, email, uid, pid, regd)
      VALUES (nextval('unnumbered_turn'), 1, \(time), 'account.disabled', '\(id)2', 'bob@example.com', 0, 2, 'old');
    UPDATE numbering SET last = 1
    """

  private static let tables = ["account", "request", "claim", "invitation", "audit", "audit_address"]

  /// All rows of a table, without the columns of version 13.
  private static func content(_ table: String) -> String {
    """
    SELECT jsonb_agg(row ORDER BY row) FROM (
      SELECT to_jsonb(\(table)) - ARRAY['group_names', 'group_change', 'display_name', 'leaf', 'hashes', 'salt', 'commitment'] AS row FROM \(table)) AS rows
    """
  }

  private static func connect(_ database: PostgreSQLDatabase) throws -> Connection {
    try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
  }

  @Test("the migration keeps each row, nothing that was there has a group or a name, and an older regd is refused")
  func kept() async throws {
    try await withDatabase { database in
      let (before, after) = try await PostgreSQL.onItsThread {
        let old = try Self.connect(database)
        _ = try Self.twelfth.migrate(old) { _ in }
        try database.query(Self.rows)
        let before = try Self.tables.map { try database.query(Self.content($0)) }
        let plan = try PostgreSQLSchemaMigration.plan(database.url)
        #expect((plan.from, plan.to) == (12, Schema().version))
        _ = try PostgreSQLSchemaMigration.perform(database.url)
        let refused = #expect(throws: ServerFailure.self) { _ = try Self.twelfth.state(old) }
        #expect(refused?.detail.contains("upgrade this regd") == true)
        return (before, try Self.tables.map { try database.query(Self.content($0)) })
      }
      #expect(before == after)
      #expect(before.allSatisfy { $0.count > 2 })
      let store = try await opened(PostgreSQLStore.Settings(database))
      let accounts = try await store.list(after: nil, limit: 9).map(\.account)
      #expect(accounts.map(\.state) == [.active, .disabled])
      #expect(accounts.allSatisfy { $0.groups.isEmpty && $0.displayName == nil })
      #expect(try await store.claims(after: nil, limit: 9, at: Fixtures.time).map(\.displayName) == [nil])
      #expect(try await store.invitations(after: nil, limit: 9, at: Fixtures.time).map(\.invitation.groups) == [.none])
      let entries = try await store.audit(after: 0, limit: 9)
      #expect(entries.map(\.change) == [.registered, .disabled] && entries.allSatisfy { $0.groups == nil })
      #expect(try await store.groups(after: nil, limit: 9, counting: .max).elements == [])
      await store.close()
    }
  }

  @Test("after the migration, a deletion of an account by regd or another program also deletes its memberships")
  func memberships() async throws {
    try await withDatabase { database in
      try await PostgreSQL.onItsThread {
        _ = try Self.twelfth.migrate(try Self.connect(database)) { _ in }
        try database.query(Self.rows)
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      let accounts = try await store.list(after: nil, limit: 9).map(\.account)
      let (staff, editors) = (try #require(GroupName("staff")), try #require(GroupName("editors")))
      for account in accounts {
        let answer = try await store.changeGroups(
          of: account.id, adding: [staff, editors], removing: [], ClaimCase.stamp())
        guard case .account(let changed) = answer else {
          Issue.record("\(answer)")
          continue
        }
        #expect(changed.groups.names == [editors, staff])
      }
      let (ann, bob) = (accounts[0].id, accounts[1].id)
      @Sendable func members() throws -> [String] {
        try database.query("SELECT group_name || ' ' || account_id FROM account_group ORDER BY group_name, account_id")
          .split(separator: "\n").map(String.init)
      }
      let all = try await PostgreSQL.onItsThread { try members() }
      #expect(all == ["editors \(ann)", "editors \(bob)", "staff \(ann)", "staff \(bob)"])
      #expect(try await store.members(of: staff, after: nil, limit: 9).map(\.account.id) == [ann, bob])
      #expect(try await store.delete(ann, having: nil, ClaimCase.stamp()) == .deleted)
      let others = try await PostgreSQL.onItsThread { try members() }
      #expect(others == ["editors \(bob)", "staff \(bob)"])
      #expect(try await store.groups(after: nil, limit: 9, counting: .max).elements.map(\.members) == [1, 1])
      let rest = try await PostgreSQL.onItsThread {
        try database.query("DELETE FROM account WHERE id = '\(bob)'")
        return try members()
      }
      #expect(rest == [])
      #expect(try await store.groups(after: nil, limit: 9, counting: .max).elements == [])
      await store.close()
    }
  }
}
