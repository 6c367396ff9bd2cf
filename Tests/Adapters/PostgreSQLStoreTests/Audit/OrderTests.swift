import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "The cost of numbering, in PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct OrderTests {
  /// Counts how often the server visits an entry, through an aggregate that replaces `min`.
  private static let counting = """
    CREATE SEQUENCE steps;
    CREATE FUNCTION step(timestamptz, timestamptz) RETURNS timestamptz LANGUAGE sql AS $$
      SELECT CASE WHEN nextval('steps') > 0 THEN least($1, $2) END $$;
    CREATE AGGREGATE min(timestamptz) (SFUNC = step, STYPE = timestamptz);
    """

  @Test("numbering visits each waiting entry of one account only a few times, however many there are")
  func linear() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      await store.close()
      let (count, id) = (400, "0193c1d6-0000-7000-8000-000000000001")
      let steps = try await PostgreSQL.onItsThread {
        try database.query(
          """
          INSERT INTO entry_without_number (turn, place, at, change, account_id, email)
            SELECT nextval('unnumbered_turn'), 1, now() + number * interval '1 second',
              CASE WHEN number % 4 > 0 THEN 'account.rehashed' END, '\(id)', CASE WHEN number % 4 > 0 THEN 'a@example.com' END
            FROM generate_series(1, \(count)) AS number;
          \(Self.counting)
          SET search_path = \(database.role), pg_catalog;
          BEGIN;
          \(AuditSequencer.moving(with: nil));
          COMMIT;
          """)
        return Int(try database.query("SELECT last_value FROM steps")) ?? 0
      }
      #expect(steps >= count / 4)
      #expect(steps <= 4 * count)
      // each address ends with the first end after its entry
      let ends = try await PostgreSQL.onItsThread {
        try database.query(
          """
          SELECT count(*), bool_and(ended_at = at + interval '1 second' * (4 - position % 4))
          FROM (SELECT audit_address.ended_at, audit.at,
              extract(epoch FROM audit.at - (SELECT min(at) FROM audit))::integer + 1 AS position
            FROM audit JOIN audit_address ON audit_address.number = audit.number) AS entries
          """)
      }
      #expect(ends == "\(3 * count / 4)|t")
    }
  }
}
