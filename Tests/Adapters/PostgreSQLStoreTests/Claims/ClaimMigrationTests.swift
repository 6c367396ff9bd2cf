import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "From version 1 to claims, in PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct ClaimMigrationTests {
  private static let first: Schema = {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(1))
    return schema
  }()

  private static let id = "0193c1d6-0000-7000-8000-00000000000"

  /// An existing account, a deleted account, and an account that was deleted and restored.
  private static let rows =
    """
    INSERT INTO account VALUES ('\(id)1', 'Stays@example.com', 'stays@example.com', 'x', 'active', now(), now(), NULL);
    INSERT INTO audit (number, at, change, account_id, email) VALUES
      (1, '2026-01-01Z', 'account.registered', '\(id)1', 'Stays@example.com'),
      (2, '2026-01-02Z', 'account.registered', '\(id)2', 'Gone@example.com'),
      (3, '2026-01-03Z', 'account.deleted', '\(id)2', 'Gone@example.com'),
      (4, '2026-01-04Z', 'account.reserved', '\(id)3', 'Back@example.com'),
      (5, '2026-01-05Z', 'account.released', '\(id)3', 'Back@example.com'),
      (6, '2026-01-06Z', 'account.imported', '\(id)3', 'Back@example.com');
    INSERT INTO installation (version, oldest, id, last_audit, guess_key)
      VALUES (1, 1, '\(id)9', 6, '\\x0102030405060708090a0b0c0d0e0f10')
    """

  @Test("a migration moves addresses out of the audit and its file, with the time since when no account has them")
  func addresses() async throws {
    try await withDatabase { database in
      let administrator = database.administrator
      let (before, plan) = try await PostgreSQL.onItsThread {
        for statement in Self.first.steps[0].statements { try database.query(statement) }
        try database.query(Self.rows)
        let before = try Self.file(of: "audit", database, administrator)
        let plan = try PostgreSQLSchemaMigration.plan(database.url)
        return (before, plan)
      }
      #expect(before.contains("Gone@example.com"))
      #expect((plan.from, plan.to) == (1, Schema().version))
      #expect(plan.statements.contains { $0.contains("DROP COLUMN email") })
      let done = try await PostgreSQL.onItsThread { try PostgreSQLSchemaMigration.perform(database.url) }
      #expect(done.statements == plan.statements)
      let (ended, after) = try await PostgreSQL.onItsThread {
        let ended = try database.query(
          "SELECT number, email, (ended_at AT TIME ZONE 'UTC')::date FROM audit_address ORDER BY number")
        return (ended, try Self.file(of: "audit", database, administrator))
      }
      #expect(
        ended.split(separator: "\n") == [
          "1|Stays@example.com|", "2|Gone@example.com|2026-01-03", "3|Gone@example.com|2026-01-03",
          "4|Back@example.com|2026-01-05", "5|Back@example.com|2026-01-05", "6|Back@example.com|",
        ])
      #expect(!after.contains("example.com"))
      let store = try await opened(PostgreSQLStore.Settings(database))
      let emails = try await store.audit(after: 0, limit: 9).map(\.email)
      #expect(emails == ["Stays@", "Gone@", "Gone@", "Back@", "Back@", "Back@"].map { "\($0)example.com" })
      let again = try await opened(PostgreSQLStore.Settings(database))
      #expect(store.codeKey == again.codeKey)
      #expect(store.codeKey.bytes.count == 32)
      await store.close()
      await again.close()
    }
  }

  @Test(
    "a regd that knows only version 1 fails with a request to upgrade, because it would store addresses in the audit")
  func older() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      await store.close()
      do {
        _ = try await PostgreSQL.onItsThread { try PostgreSQLSchemaMigration.plan(database.url, Self.first) }
        Issue.record("it goes on")
      } catch {
        #expect(
          "\(error)".contains("the schema is version \(Schema().version), and asks for a regd that knows 13"),
          "\(error)"
        )
      }
    }
  }

  @Test("the store does not open with an invalid code key, and its error names the key")
  func key() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      await store.close()
      try await PostgreSQL.onItsThread { _ = try database.query("UPDATE installation SET code_key = '\\x01'") }
      do {
        _ = try await opened(PostgreSQLStore.Settings(database))
        Issue.record("opened")
      } catch {
        #expect("\(error)".contains("the code_key of the table installation does not have 32 bytes"), "\(error)")
      }
    }
  }

  /// The content of a table's file, as text.
  private static func file(
    of table: String, _ database: PostgreSQLDatabase, _ administrator: PostgreSQLDatabase
  ) throws -> String {
    try administrator.query("CHECKPOINT")
    return try administrator.query(
      """
      SELECT encode(pg_read_binary_file(pg_relation_filepath('\(database.role).\(table)')), 'escape')
      """)
  }
}
