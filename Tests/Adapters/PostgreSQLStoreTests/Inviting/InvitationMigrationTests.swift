import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "From version 4 to invitations, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct InvitationMigrationTests {
  private static let fourth: Schema = {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(4))
    return schema
  }()

  private static let id = "0193c1d6-0000-7000-8000-00000000000"
  private static let time = "'2026-11-21T10:57:00Z'"

  /// The rows of a regd of version 4: an account in each state, with related rows.
  private static let rows = """
    INSERT INTO account VALUES
      ('\(id)1', 'Active@example.com', 'active@example.com', 'x', 'active', \(time), \(time), \(time)),
      ('\(id)2', 'pending@example.com', 'pending@example.com', 'y', 'pending', \(time), \(time), NULL),
      ('\(id)3', 'disabled@example.com', 'disabled@example.com', 'z', 'disabled', \(time), \(time), NULL);
    INSERT INTO request VALUES (1, 'r', '\(id)2', 'y');
    INSERT INTO delivery VALUES ('\(id)2', NULL, NULL, 3, 'unavailable', \(time));
    INSERT INTO released (uid, id, account_id, email, email_key, password_hash, released_at)
      VALUES (1, 'old', '\(id)7', 'old@example.com', 'old@example.com', 'x', \(time));
    INSERT INTO claim (id, kind, state, email, email_key, account_id, password_hash, uid, request_id, digits, generation,
        code_until, attempts, resend_at, created_at, expires_at)
      VALUES ('00112233445566778899aabbccddeeff', 'registration', 'open', 'c@example.com', 'c@example.com', '\(id)8', 'x',
        1, 'q', 6, 1, \(time), 2, \(time), \(time), '2036-11-21T10:57:00Z');
    INSERT INTO mail (id, kind, state, email, email_key, claim_id, uid, created_at, attempts)
      VALUES ('\(id)9', 'registrationCode', 'waiting', 'c@example.com', 'c@example.com', '00112233445566778899aabbccddeeff',
        1, \(time), 0);
    INSERT INTO mail_ask (address, share, part, at) VALUES (1, 2, 0, \(time));
    INSERT INTO wrong_code (address, at) VALUES (1, \(time));
    INSERT INTO audit (number, at, change, account_id, uid, pid, regd) VALUES
      (1, \(time), 'account.registered', '\(id)1', 1, 2, 'old'), (2, \(time), 'account.reserved', '\(id)2', 1, 2, 'old'),
      (3, \(time), 'account.imported', '\(id)3', NULL, NULL, 'old');
    INSERT INTO audit_address VALUES
      (1, 'Active@example.com', NULL), (2, 'pending@example.com', NULL), (3, 'disabled@example.com', NULL);
    INSERT INTO unnumbered (turn, place, at, change, account_id, email, uid, pid, regd)
      VALUES (nextval('unnumbered_turn'), 1, \(time), 'account.disabled', '\(id)3', 'disabled@example.com', 0, 2, 'old');
    UPDATE numbering SET last = 3
    """

  private static let tables = [
    "account", "request", "delivery", "released", "claim", "mail", "mail_ask", "wrong_code", "audit", "audit_address",
  ]

  /// All rows of a table, without the columns of later versions.
  private static func content(_ table: String) -> String {
    """
    SELECT jsonb_agg(row ORDER BY row) FROM (
      SELECT to_jsonb(\(table)) - ARRAY['terms_version', 'terms_at', 'invitation_id', 'terms', 'epoch', 'door', 'concealed',
        'proven', 'registrant_uid', 'registrant_origin', 'registrant_language', 'group_names', 'group_change', 'display_name',
        'leaf', 'hashes', 'salt', 'commitment'] AS row
      FROM \(table)) AS rows
    """
  }

  private static func connect(_ database: PostgreSQLDatabase) throws -> Connection {
    try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
  }

  @Test("the migration loses nothing and keeps all states, and accounts may wait for approval afterwards")
  func kept() async throws {
    try await withDatabase { database in
      let (before, after) = try await PostgreSQL.onItsThread {
        _ = try Self.fourth.migrate(try Self.connect(database)) { _ in }
        try database.query(Self.rows)
        let before = try Self.tables.map { try database.query(Self.content($0)) }
        let plan = try PostgreSQLSchemaMigration.plan(database.url)
        #expect((plan.from, plan.to) == (4, Schema().version))
        _ = try PostgreSQLSchemaMigration.perform(database.url)
        return (before, try Self.tables.map { try database.query(Self.content($0)) })
      }
      #expect(before == after)
      #expect(before.allSatisfy { $0.count > 2 })
      let store = try await opened(PostgreSQLStore.Settings(database))
      let accounts = try await store.list(after: nil, limit: 9)
      #expect(accounts.map(\.account.state) == [.active, .pending, .disabled])
      #expect(accounts.allSatisfy { $0.account.terms == nil })
      #expect(try await store.pending(after: nil, limit: 9).map(\.delivery?.attempts) == [3])
      #expect(try await store.claims(after: nil, limit: 9, at: Fixtures.time).map(\.attempts) == [2])
      #expect(try await store.mails(after: nil, limit: 9).count == 1)
      #expect(
        try await store.audit(after: 0, limit: 9).map(\.change) == [.registered, .reserved, .imported, .disabled])
      var waiting = Fixtures.account("waits@example.com", state: .waiting)
      waiting.account.terms = AcceptedTerms(version: "2", acceptedAt: Fixtures.time)
      #expect(try await store.insert(waiting) == .inserted)
      #expect(try await store.list(.waiting, after: nil, limit: 9) == [waiting])
      #expect(try await store.audit(after: 4, limit: 9).map(\.terms) == [nil, "2"])
      await store.close()
    }
  }

  @Test("the migration waits for an older regd's change in progress; later changes fail with a request to upgrade")
  func refused() async throws {
    try await withDatabase { database in
      let waiting = """
        SELECT count(*) FROM pg_stat_activity WHERE usename = '\(database.role)' AND wait_event_type = 'Lock'
        """
      let entering = Statement("SELECT nextval('unnumbered_turn') FROM installation WHERE oldest <= 4")
      let old = try await PostgreSQL.onItsThread {
        let old = try Self.connect(database)
        _ = try Self.fourth.migrate(old) { _ in }
        let entered = try old.run([Statement("BEGIN"), entering])
        #expect(entered[1].first != nil)
        _ = try old.run(
          """
          INSERT INTO unnumbered (turn, place, at, change, account_id, email)
            VALUES (1, 1, now(), 'account.rehashed', '\(Self.id)1', 'old@example.com')
          """)
        return Held(old)
      }
      async let opening = opened(PostgreSQLStore.Settings(database))
      try await PostgreSQL.onItsThread {
        while try database.administrator.query(waiting) != "1" {}
        _ = try old.connection.run("COMMIT")
      }
      let store = try await opening
      #expect(try await store.audit(after: 0, limit: 9).map(\.email) == ["old@example.com"])
      try await PostgreSQL.onItsThread {
        // the statements that come with each of its changes, after the fence, which stops it
        let found = try old.connection.answer(entering)
        #expect(found.first == nil)
        let reads = [
          "SELECT 1 FROM unnumbered WHERE xid >= (SELECT mark FROM numbering) LIMIT 1",
          """
          SELECT 1 FROM (SELECT 0::bigint AS turn, number, at, change, account_id, uid, origin FROM audit UNION ALL
            SELECT turn, place, at, change, account_id, uid, origin FROM unnumbered WHERE change IS NOT NULL) AS audit
          WHERE account_id = '\(Self.id)2'
          """,
        ]
        for read in reads {
          let refused = #expect(throws: ServerFailure.self) { try old.connection.run(read) }
          #expect(refused?.detail.contains("upgrade this regd") == true)
        }
        let writing = "INSERT INTO unnumbered (turn, place, at) VALUES (2, 1, now())"
        #expect(throws: ServerFailure.self) { try old.connection.run(writing) }
        // and its statement about itself, every two seconds and at startup
        let refused = #expect(throws: ServerFailure.self) { _ = try Self.fourth.state(old.connection) }
        #expect(refused?.detail.contains("upgrade this regd") == true)
      }
      #expect(try await store.insert(Fixtures.account("new@example.com")) == .inserted)
      #expect(try await store.audit(after: 0, limit: 9).map(\.number) == [1, 2])
      await store.close()
    }
  }
}
