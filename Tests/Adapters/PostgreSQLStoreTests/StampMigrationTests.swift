import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "From version 5 to stamps, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct StampMigrationTests {
  private static let fifth: Schema = {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(5))
    return schema
  }()

  private static let id = "0193c1d6-0000-7000-8000-00000000000"
  private static let time = "'2026-11-21T10:57:00Z'"

  /// Two accounts, a claim, and an entry that still waits for its number.
  private static let rows = """
    INSERT INTO account VALUES
      ('\(id)1', 'Active@example.com', 'active@example.com', 'x', 'active', \(time), \(time), \(time), '2', \(time)),
      ('\(id)2', 'disabled@example.com', 'disabled@example.com', 'y', 'disabled', \(time), \(time), NULL, NULL, NULL);
    INSERT INTO claim (id, kind, state, email, email_key, account_id, password_hash, uid, digits, generation,
        code_until, attempts, resend_at, created_at, expires_at)
      VALUES ('00112233445566778899aabbccddeeff', 'changeOfEmail', 'open', 'c@example.com', 'c@example.com', '\(id)1', 'x',
        1, 6, 1, \(time), 2, \(time), \(time), '2036-11-21T10:57:00Z');
    INSERT INTO audit (number, at, change, account_id, uid, pid, regd)
      VALUES (1, \(time), 'account.registered', '\(id)1', 1, 2, 'old');
    INSERT INTO audit_address VALUES (1, 'Active@example.com', NULL);
    INSERT INTO unnumbered_entry (turn, place, at, change, account_id, email, uid, pid, regd)
      VALUES (nextval('unnumbered_turn'), 1, \(time), 'account.disabled', '\(id)2', 'disabled@example.com', 0, 2, 'old');
    UPDATE numbering SET last = 1
    """

  private static let tables = ["account", "claim", "audit", "audit_address"]

  /// All rows of a table, without the columns of later versions.
  private static func content(_ table: String) -> String {
    "SELECT jsonb_agg(row ORDER BY row) FROM (SELECT to_jsonb(\(table)) - '{epoch,door,invitation_id,concealed,proven,registrant_uid,registrant_origin,registrant_language,group_names,group_change,display_name,leaf,hashes,salt,commitment}'::text[] AS row FROM \(table)) AS rows"
  }

  private static func connect(_ database: PostgreSQLDatabase) throws -> Connection {
    try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
  }

  @Test("the migration loses nothing, numbers a waiting entry and gives accounts the epoch of earlier accounts")
  func kept() async throws {
    try await withDatabase { database in
      let (before, after) = try await PostgreSQL.onItsThread {
        _ = try Self.fifth.migrate(try Self.connect(database)) { _ in }
        try database.query(Self.rows)
        let before = try Self.tables.map { try database.query(Self.content($0)) }
        let plan = try PostgreSQLSchemaMigration.plan(database.url)
        #expect((plan.from, plan.to) == (5, Schema().version))
        _ = try PostgreSQLSchemaMigration.perform(database.url)
        return (before, try Self.tables.map { try database.query(Self.content($0)) })
      }
      #expect(before == after)
      #expect(before.allSatisfy { $0.count > 2 })
      let store = try await opened(PostgreSQLStore.Settings(database))
      let accounts = try await store.list(after: nil, limit: 9)
      #expect(accounts.map(\.account.state) == [.active, .disabled])
      #expect(accounts.allSatisfy { $0.account.epoch == SessionEpoch(stored: nil) })
      #expect(try await store.claims(after: nil, limit: 9, at: Fixtures.time).map(\.epoch.text) == [nil])
      #expect(try await store.audit(after: 0, limit: 9).map(\.change) == [.registered, .disabled])
      let signedOut = try await store.signOut(
        accounts[0].account.id, having: nil, epoch: .random(), Stamp(Fixtures.time))
      #expect(signedOut?.epoch.text?.count == 32)
      await store.close()
    }
  }

  @Test("later changes of an older regd fail with a request to upgrade")
  func refused() async throws {
    try await withDatabase { database in
      let old = try await PostgreSQL.onItsThread {
        let old = try Self.connect(database)
        _ = try Self.fifth.migrate(old) { _ in }
        return Held(old)
      }
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await PostgreSQL.onItsThread {
        // the statements that come with each of its changes, after the fence, which stops it
        let found = try old.connection.run("SELECT nextval('unnumbered_turn') FROM installation WHERE oldest <= 5")
        #expect(found.isEmpty)
        let reads = [
          "SELECT 1 FROM unnumbered_entry WHERE xid >= (SELECT mark FROM numbering) LIMIT 1",
          """
          SELECT 1 FROM (SELECT 0::bigint AS turn, number, at, change, account_id, uid, origin FROM audit UNION ALL
            SELECT turn, place, at, change, account_id, uid, origin FROM unnumbered_entry WHERE change IS NOT NULL) AS audit
          WHERE account_id = '\(Self.id)2'
          """, "SELECT turn FROM unnumbered_entry WHERE turn = ANY ('{1}'::bigint[])",
        ]
        for read in reads {
          let refused = #expect(throws: ServerFailure.self) { try old.connection.run(read) }
          #expect(refused?.detail.contains("upgrade this regd") == true)
        }
        let writing = "INSERT INTO unnumbered_entry (turn, place, at) VALUES (2, 1, now())"
        #expect(throws: ServerFailure.self) { try old.connection.run(writing) }
        // and its statement about itself, every two seconds and at startup
        let refused = #expect(throws: ServerFailure.self) { _ = try Self.fifth.state(old.connection) }
        #expect(refused?.detail.contains("upgrade this regd") == true)
      }
      #expect(try await store.insert(Fixtures.account("new@example.com")) == .inserted)
      await store.close()
    }
  }
}
