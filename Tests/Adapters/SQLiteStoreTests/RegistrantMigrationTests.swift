import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: a database from before registrants", .timeLimit(.minutes(10)))
struct RegistrantMigrationTests {
  @Test("after the migration, waiting accounts have the registrant that the audit names, without a language")
  func registrants() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      do {
        let old = try Connection(path: path, busyMilliseconds: 0)
        for migration in Schema.migrations.prefix(16) where migration != Schema.rewriting {
          try old.execute(migration)
        }
        try Installation.make(old)
        let id = "0193c1d6-0000-7000-8000-00000000000"
        let time = "'\(Fixtures.time.rfc3339)'"
        // the first account waits again after an approval, the second is not in the audit, and the third is active
        try old.execute(
          """
          INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at) VALUES
            ('\(id)1', 'a', 'a', 'x', 'waiting', \(time), \(time)), ('\(id)2', 'b', 'b', 'x', 'waiting', \(time), \(time)),
            ('\(id)3', 'c', 'c', 'x', 'active', \(time), \(time));
          INSERT INTO audit (at, change, account_id, uid, pid, origin) VALUES
            (\(time), 'account.waiting', '\(id)1', 7, 2, 'ö'), (\(time), 'account.approved', '\(id)1', 0, 2, NULL),
            (\(time), 'account.waiting', '\(id)1', NULL, NULL, NULL), (\(time), 'account.waiting', '\(id)3', 7, 2, NULL);
          PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 16
          """)
      }
      let store = try SQLiteStore(path: path)
      #expect(
        try await store.list(after: nil, limit: 9).map(\.registrant) == [
          Registrant(uid: 7, origin: Origin("ö")), nil, nil,
        ])
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      #expect(try connection.integer("PRAGMA user_version") == Schema.migrations.count)
      let plan = try connection.query(
        "EXPLAIN QUERY PLAN SELECT count(*) FROM account WHERE state = 'waiting' AND registrant_uid IS NOT NULL"
      ) { (row) throws(SQLiteFailure) in row.text(3) }
      #expect(plan.joined().contains("COVERING INDEX account_registrant"), "\(plan)")
    }
  }
}
