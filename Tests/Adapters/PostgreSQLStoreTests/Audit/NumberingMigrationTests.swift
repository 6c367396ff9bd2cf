import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "From numbers behind one row to concurrent commits, in PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct NumberingMigrationTests {
  private static let third: Schema = {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(3))
    return schema
  }()

  /// The statements with which a regd of version 3 registers an account.
  private static func statements(_ number: Int) -> [Statement] {
    let id = Statement.Parameter.text("0193c1d6-0000-7000-8000-00000000000\(number)")
    return [
      Statement("BEGIN"),
      Statement(
        """
        INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at, confirmed_at)
        VALUES ($1, $2, $2, 'x', 'active', now(), now(), NULL) ON CONFLICT (email_key) DO NOTHING
        """, [id, .text("old\(number)@example.com")]),
      Statement(
        "UPDATE installation SET last_audit = last_audit + $1::bigint WHERE oldest <= 3 RETURNING last_audit", ["1"]),
      Statement(
        """
        WITH entry AS (
          INSERT INTO audit (number, at, change, account_id, uid, pid, origin, regd)
          SELECT last_audit - $1::bigint, now(), 'account.registered', $2::uuid, 7, 8, NULL, 'old'
          FROM installation RETURNING number)
        INSERT INTO audit_address (number, email) SELECT number, $3 FROM entry
        """, ["0", id, .text("old\(number)@example.com")]),
    ]
  }

  private static func connect(_ database: PostgreSQLDatabase) throws -> Connection {
    try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
  }

  @Test("the migration waits for an older regd's change in progress; later changes fail with a request to upgrade")
  func refused() async throws {
    try await withDatabase { database in
      let waiting = """
        SELECT count(*) FROM pg_stat_activity WHERE usename = '\(database.role)' AND wait_event_type = 'Lock'
        """
      let old = try await PostgreSQL.onItsThread {
        let old = try Self.connect(database)
        _ = try Self.third.migrate(old) { _ in }
        _ = try old.run(Self.statements(1))
        return Held(old)
      }
      async let opening = opened(PostgreSQLStore.Settings(database))
      try await PostgreSQL.onItsThread {
        while try database.administrator.query(waiting) != "1" {}
        _ = try old.connection.run("COMMIT")
      }
      let store = try await opening
      #expect(try await store.audit(after: 0, limit: 9).map(\.email) == ["old1@example.com"])
      try await PostgreSQL.onItsThread {
        for statement in [Self.statements(2)[2], Statement("UPDATE installation SET last_audit = last_audit")] {
          let refused = #expect(throws: ServerFailure.self) { _ = try old.connection.answer(statement) }
          #expect(refused?.detail.contains("upgrade this regd") == true)
        }
        // its lock before it guesses a code: it finds no row and stops
        let lock = "SELECT 1 FROM installation WHERE oldest <= 3 FOR UPDATE"
        let found = try old.connection.run(lock)
        #expect(found.isEmpty)
        // and its statement about itself, every two seconds and at startup
        let refused = #expect(throws: ServerFailure.self) { _ = try Self.third.state(old.connection) }
        #expect(refused?.detail.contains("upgrade this regd") == true)
      }
      #expect(try await store.insert(Fixtures.account("new@example.com")) == .inserted)
      #expect(try await store.audit(after: 0, limit: 9).map(\.number) == [1, 2])
      await store.close()
    }
  }
}
