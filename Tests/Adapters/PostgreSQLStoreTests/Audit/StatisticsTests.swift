import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// The server knows nothing of a new table until it has analysed the table, and keeps plans that it made while the
/// table was empty. No plan may therefore depend on such knowledge.
@Suite(
  "PostgreSQL tables that were never analysed",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct StatisticsTests {
  private static let rows = 20_000

  private static let tables = [
    "account", "request", "audit", "audit_address", "entry_without_number", "claim", "mail", "mail_ask", "wrong_code",
    "released", "delivery", "invitation", "invitation_use",
  ]

  /// Rows of other accounts.
  private static let others = """
    INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at)
      SELECT gen_random_uuid(), n || '@x', n || '@x', 'h', CASE WHEN n % 2 = 0 THEN 'active' ELSE 'disabled' END, now(), now()
      FROM generate_series(1, \(rows)) AS n;
    INSERT INTO request (uid, id, account_id, password_hash) SELECT 99, id::text, id, 'h' FROM account WHERE email LIKE '%@x';
    INSERT INTO audit (number, at, change, account_id, uid, regd, turn)
      SELECT (SELECT last FROM numbering) + row_number() OVER (), now(), 'account.registered', id, 99, 'x', 0
      FROM account WHERE email LIKE '%@x';
    INSERT INTO audit_address (number, email) SELECT number, 'x' FROM audit WHERE uid = 99;
    UPDATE numbering SET last = last + \(rows);
    INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, request_id, digits, generation, code_until, attempts,
        resend_at, created_at, expires_at, mailed)
      SELECT id::text, 'recovery', 'open', email, email_key, id, 99, id::text, 6, 1, 'infinity', 0, now(), now(), 'infinity', 1
      FROM account WHERE email LIKE '%@x';
    INSERT INTO mail (id, kind, state, email, email_key, claim_id, account_id, uid, created_at, attempts)
      SELECT id, 'registrationCode', 'waiting', email, email_key, id::text, id, 99, now(), 0 FROM account WHERE email LIKE '%@x';
    INSERT INTO mail_ask (address, share, part, at) SELECT n, n, 0, '2100-01-01' FROM generate_series(1, \(rows)) AS n;
    INSERT INTO wrong_code (address, at) SELECT n, '2100-01-01' FROM generate_series(1, \(rows)) AS n;
    INSERT INTO released (uid, id, account_id, email, email_key, password_hash, released_at)
      SELECT 99, id::text, id, email, email_key, 'h', '2100-01-01' FROM account WHERE email LIKE '%@x';
    """

  /// The number of rows that the server has read of each table.
  private func read(_ database: PostgreSQLDatabase) throws -> [String: Int] {
    let lines = try database.administrator.query(
      """
      SELECT t.relname, t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0)
      FROM pg_stat_user_tables AS t LEFT JOIN pg_stat_user_indexes AS i ON i.relid = t.relid
      WHERE t.schemaname = '\(database.role)' GROUP BY t.relname, t.seq_tup_read
      """)
    return Dictionary(
      lines.split(separator: "\n").map { line in
        let words = line.split(separator: "|")
        return (String(words[0]), Int(words[1]) ?? .max)
      }
    ) { first, _ in first }
  }

  /// Performs every operation that an end user can cause.
  private func play(_ store: PostgreSQLStore, _ name: String) async throws {
    let stamp = ClaimCase.stamp(1, origin: name)
    let account = Fixtures.account("\(name)@example.com")
    let request = try #require(RequestKey(uid: 1, id: name))
    #expect(try await store.insert(account, request: request, stamp) == .inserted)
    let id = account.account.id
    _ = try await store.find(account.account.email.key)
    _ = try await store.find(id)
    _ = try await store.find(request)
    _ = try await store.setEnabled(id, false, stamp)
    _ = try await store.setEnabled(id, true, stamp)
    _ = try await store.noteGuessed(id, stamp)
    _ = try await store.audit(of: id, limit: 9)
    _ = try await store.history(of: id, after: 0, limit: 9)
    let claim = ClaimCase.claim("claim-\(name)@example.com", origin: name, request: "claim \(name)")
    #expect(try await store.add(claim) == .added)
    _ = try await store.find(claim.id, at: Fixtures.time)
    _ = try await store.wrongCodes(at: claim.email.key, limit: 50, Fixtures.time)
    _ = try await store.guess(claim.id, ClaimCase.wrong, stamp)
    let mail = ClaimCase.mail(claim)
    try await store.add(mail)
    _ = try await store.find(mail: mail.id)
    _ = try await store.lease(mail: mail.id)
    _ = try await store.end(mail: mail.id, .sent, reason: nil)
    #expect(try await store.prove(claim.id, ClaimCase.account(claim), stamp) == .added)
    let recovery = ClaimCase.claim("\(name)@example.com", .recovery, account: id)
    _ = try await store.add(recovery)
    _ = try await store.recover(recovery.id, of: id, to: PasswordHash(phc: "new"), nil, stamp)
    let pending = Fixtures.account("pending-\(name)@example.com", state: .pending)
    let released = try #require(RequestKey(uid: 1, id: "pending \(name)"))
    #expect(try await store.insert(pending, request: released, stamp) == .inserted)
    _ = try await store.find(pending: pending.account.id)
    _ = try await store.pending(after: nil, limit: 9)
    _ = try await store.release(pending.account.id, seen: Fixtures.time, remembered: true, stamp)
    _ = try await store.released(released, pending.account.email.key, at: Fixtures.time)
    _ = try await store.list(after: nil, limit: 9)
    _ = try await store.audit(after: 0, limit: 9)
    try await store.awaitCommit(of: released)
    try await sweep(store)
    #expect(try await store.delete(id, stamp) == .deleted)
    while store.sequencer.publisher.isOwing { try await store.check() }
  }

  /// Sends the statements of a sweep. Its count of all claims is not among them, because it reads all of them.
  private func sweep(_ store: PostgreSQLStore) async throws {
    try await store.change(ChangeScope(), for: .daemon, evenIfLate: true) { (rows) throws(ServerFailure) in
      let clocks = rows.clocks(Fixtures.time)
      for sweep in Sweep.all(clocks, addresses: .seconds(86_400)) {
        _ = try rows.connection.run([sweep.counting(10), sweep.removal(10)])
      }
      for sweep in Sweep.ahead(of: clocks) {
        _ = try rows.connection.run([sweep.counting(10), sweep.settingBack(10)])
      }
    }
  }

  /// Makes enough round trips on each session that its plans are renewed.
  private func renewPlans(_ store: PostgreSQLStore) async throws {
    let ask = { @Sendable (rows: PostgreSQLTransaction) throws(ServerFailure) in
      try rows.connection.run("SELECT 1").count
    }
    for _ in 0...Connection.roundTripsOfPlans {
      _ = try await store.list(ask)
      _ = try await store.look(ChangeScope(), { _ in ChangeScope() }, ask)
      _ = try await store.change(ChangeScope(), for: .daemon, evenIfLate: true, ask)
    }
  }

  @Test(
    "no statement reads a whole table that has grown since the server planned the statement",
    arguments: [false, true])
  func grown(_ isAnalysed: Bool) async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      // no change numbers its own entries, so the server has to look for them
      @Sendable func leaveNumbers() throws { _ = try database.query("UPDATE numbering SET lag = 1000000") }
      try await PostgreSQL.onItsThread {
        _ = try database.query(
          Self.tables.map { "ALTER TABLE \($0) SET (autovacuum_enabled = false)" }.joined(separator: ";"))
      }
      if isAnalysed {
        // the server knows only that the tables have some rows
        try await play(store, "first")
        // only of its own tables, because tables of other tests may disappear meanwhile
        let tables = Self.tables.joined(separator: ", ")
        try await PostgreSQL.onItsThread { _ = try database.query("VACUUM ANALYZE \(tables)") }
      }
      for round in 0..<7 {
        try await PostgreSQL.onItsThread { try leaveNumbers() }
        try await play(store, "early\(round)")
      }
      let before = try await PostgreSQL.onItsThread {
        _ = try database.query(Self.others)
        // the server counts a session's reads when the session ends
        let others = "usename = '\(database.role)' AND application_name = 'psql'"
        while try database.administrator.query("SELECT count(*) FROM pg_stat_activity WHERE \(others)") != "0" {}
        return try read(database)
      }
      try await renewPlans(store)
      for round in 0..<3 {
        try await PostgreSQL.onItsThread { try leaveNumbers() }
        try await play(store, "late\(round)")
      }
      await store.close()
      let after = try await PostgreSQL.onItsThread {
        let sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(database.role)'"
        while try database.administrator.query(sessions) != "0" {}
        return try read(database)
      }
      // `entry_without_number` is always small. How often its removed entries are read again depends on the transactions
      // that other tests have open on the same server.
      for table in Self.tables where table != "entry_without_number" {
        let count = (after[table] ?? .max) - (before[table] ?? 0)
        #expect(count < Self.rows / 2, "\(table): \(count) rows were read")
      }
    }
  }
}
