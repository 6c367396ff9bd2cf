import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "From version 8 to registrants, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct RegistrantMigrationTests {
  private static let eighth: Schema = {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(8))
    return schema
  }()

  private static let id = "0193c1d6-0000-7000-8000-00000000000"
  private static let time = "'2026-11-21T10:57:00Z'"

  /// Three waiting accounts, of which one waits again after an approval and one is not in the audit, and an active
  /// account. One entry still waits for its number.
  private static let rows = """
    INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at)
      SELECT ('\(id)' || n)::uuid, 'n' || n, 'n' || n, 'x', CASE n WHEN 4 THEN 'active' ELSE 'waiting' END, \(time), \(time)
      FROM generate_series(1, 4) AS n;
    INSERT INTO audit (number, at, change, account_id, uid, pid, origin, regd) VALUES
      (1, \(time), 'account.waiting', '\(id)1', 7, 2, '\\xc3b6', 'old'),
      (2, \(time), 'account.approved', '\(id)1', 0, 2, NULL, 'old'),
      (3, '2026-11-21T10:58:00Z', 'account.waiting', '\(id)1', NULL, NULL, NULL, 'old'),
      (4, \(time), 'account.waiting', '\(id)4', 7, 2, NULL, 'old');
    INSERT INTO entry_without_number (turn, place, at, change, account_id, email, uid, pid, regd)
      VALUES (nextval('unnumbered_turn'), 1, \(time), 'account.waiting', '\(id)2', 'n2', 8, 2, 'old');
    UPDATE numbering SET last = 4
    """

  @Test("after the migration, waiting accounts have the registrant that the audit names, without a language")
  func registrants() async throws {
    try await withDatabase { database in
      try await PostgreSQL.onItsThread {
        let old = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        _ = try Self.eighth.migrate(old) { _ in }
        try database.query(Self.rows)
        _ = try PostgreSQLSchemaMigration.perform(database.url)
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      #expect(
        try await store.list(after: nil, limit: 9).map(\.registrant) == [
          Registrant(uid: 7, origin: Origin("ö")), Registrant(uid: 8), nil, nil,
        ])
      await store.close()
    }
  }
}
