import PasswordHashing
import RegdProcesses
import Registration
import SQLiteStore
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL: the tree of the audit",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct AuditTreeTests {
  private let cryptography = SodiumAuditCryptography()

  private func onItsThread(_ database: PostgreSQLDatabase, _ sql: String) async throws -> String {
    try await PostgreSQL.onItsThread { try database.query(sql) }
  }

  @Test("entries that are numbered later, together or by another regd get leaves in the order of their numbers")
  func waiting() async throws {
    try await withDatabase { database in
      let stores = [
        try await opened(PostgreSQLStore.Settings(database), as: "a"),
        try await opened(PostgreSQLStore.Settings(database), as: "b"),
      ]
      for round in 0..<3 {
        // no change numbers its own entries
        _ = try await onItsThread(database, "UPDATE numbering SET lag = 1000000")
        for number in 0..<4 {
          _ = try await stores[number % 2].insert(Fixtures.account("w\(round)-\(number)@example.com"))
        }
        _ = try await onItsThread(database, "UPDATE numbering SET lag = 0")
        // this change numbers the others with its own
        let account = Fixtures.account("n\(round)@example.com")
        _ = try await stores[0].insert(account)
        _ = try await stores[1].delete(account.account.id, ClaimCase.stamp(1))
        #expect(try await StoreConformance.checkTree(stores[round % 2].accounts).count == 6 * (round + 1))
      }
      // more than a change numbers, and more than are numbered in one commit
      _ = try await onItsThread(database, "UPDATE numbering SET lag = 1000000")
      for part in 0..<11 {
        let accounts = (0..<100).map { Fixtures.account("i\(part)-\($0)@example.com") }
        _ = try await stores[1].importing(accounts, ClaimCase.stamp(2))
      }
      _ = try await onItsThread(database, "UPDATE numbering SET lag = 0")
      _ = try await stores[0].insert(Fixtures.account("last@example.com"))
      #expect(try await StoreConformance.checkTree(stores[0].accounts).count == 18 + 1101)
      for store in stores { await store.close() }
    }
  }

  @Test("an entry that another program has added, or that cannot be read, is not in the tree, which continues after it")
  func foreign() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      _ = try await store.insert(Fixtures.account("a@example.com"))
      _ = try await onItsThread(
        database,
        """
        \(Self.adding("last + 1"));
        INSERT INTO entry_without_number (turn, place, at, change, account_id, email)
          SELECT nextval('unnumbered_turn'), 1, at, 'nonsense', account_id, 'x' FROM audit LIMIT 1
        """)
      _ = try await store.insert(Fixtures.account("b@example.com"))
      let entries = try await store.audit(after: 0, limit: 9)
      #expect(entries.map(\.number) == [1, 2, 4])
      let leaves = [entries[0], entries[2]].map { $0.leaf(cryptography) }
      let tree = try await store.accounts.auditTree()
      #expect(tree.size == 2 && tree.root(cryptography) == AuditVerifier(cryptography).root(leaves[...]))
      #expect(try await store.accounts.auditInclusion(of: 2, in: 2) == .unknown)
      guard case .found(let proof) = try await store.accounts.auditInclusion(of: 4, in: 2) else {
        Issue.record("there is no proof of the entry after them")
        return
      }
      #expect(proof.index == 1)
      await store.close()
    }
  }

  /// SQL that adds an entry without the knowledge of regd.
  private static func adding(_ number: String) -> String {
    """
    INSERT INTO audit (number, at, change, account_id)
      SELECT \(number), at, change, account_id FROM numbering, audit ORDER BY audit.number LIMIT 1
    """
  }

  @Test("regd's entries get later numbers than those that another program has added, unless these are too high")
  func taken() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      _ = try await store.insert(Fixtures.account("first@example.com"))
      let others = [
        "last + 1", "last + 1", "last + 5", "last + 5", "\(Int.max)", "\((1 << 53) - 1)", "last + 1", "last + 1",
      ]
      for (place, number) in others.enumerated() {
        _ = try await onItsThread(database, Self.adding(number))
        // every other change leaves the numbering of its entry to the list
        _ = try await onItsThread(database, "UPDATE numbering SET lag = \(place % 2 * 1_000_000)")
        _ = try await store.insert(Fixtures.account("n\(place)@example.com"))
        _ = try await store.audit(after: 0, limit: 1)
        try await store.check()
      }
      let own = try await store.audit(after: 0, limit: 99).filter { $0.regd != nil }
      #expect(own.map(\.number) == [1, 3, 5, 11, 17, 18, 19, 21, 23])
      let tree = try await store.accounts.auditTree()
      #expect(tree.root(cryptography) == AuditVerifier(cryptography).root(own.map { $0.leaf(cryptography) }[...]))
      await store.close()
    }
  }

  @Test("entries still get numbers when none is left that all readers of JSON read alike")
  func long() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      _ = try await store.insert(Fixtures.account("first@example.com"))
      let (lastShort, last) = ((1 << 53) - 1, 10_000_000_000_000_000)
      _ = try await onItsThread(database, "UPDATE numbering SET last = \(lastShort)")
      _ = try await onItsThread(database, Self.adding("last + 1"))
      _ = try await store.insert(Fixtures.account("second@example.com"))
      _ = try await onItsThread(database, "UPDATE numbering SET last = \(last)")
      for (place, number) in ["last", "last + 1", "\(Int.max)"].enumerated() {
        _ = try await onItsThread(database, Self.adding(number))
        _ = try await store.insert(Fixtures.account("n\(place)@example.com"))
      }
      let own = try await store.audit(after: 0, limit: 99).filter { $0.regd != nil }
      #expect(own.map(\.number) == [1, lastShort + 2, last + 1, last + 3, last + 4])
      let tree = try await store.accounts.auditTree()
      #expect(tree.root(cryptography) == AuditVerifier(cryptography).root(own.map { $0.leaf(cryptography) }[...]))
      await store.close()
    }
  }

  @Test("a size that no tree has does not end regd, and later entries wait until it is restored")
  func impossible() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      for (number, size) in [-1, Int.max].enumerated() {
        _ = try await onItsThread(database, "UPDATE numbering SET leaves = \(size)")
        _ = try await store.insert(Fixtures.account("n\(number)@example.com"))
        await #expect(throws: StoreFailure.self) { try await store.accounts.auditTree() }
      }
      _ = try await onItsThread(database, "UPDATE numbering SET leaves = 0")
      _ = try await store.insert(Fixtures.account("last@example.com"))
      #expect(try await StoreConformance.checkTree(store.accounts).count == 3)
      await store.close()
    }
  }

  @Test("a change fails if a waiting entry vanishes while the change numbers it")
  func vanished() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      await store.close()
      _ = try await onItsThread(
        database,
        """
        INSERT INTO entry_without_number (turn, place, at, change, account_id, email)
          VALUES (nextval('unnumbered_turn'), 1, now(), 'account.rehashed', '\(Self.id)', 'a@example.com')
        """)
      let refused = try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        let waiting = WaitingEntries(try connection.answer(AuditSequencer.waiting(atMost: 9)), limit: 9)
        #expect(waiting.lines.map(\.isEnd) == [false])
        try connection.run("DELETE FROM entry_without_number")
        let tail = try #require(AuditTail("0 0 ", PlainCryptography()))
        connection.begin()
        do throws(ServerFailure) {
          _ = try connection.commit(after: [store.sequencer.moving(waiting, after: tail)])
          return false
        } catch {
          return error.sqlState == "23502"
        }
      }
      #expect(refused)
    }
  }

  @Test(
    "a past that another program changes does not verify",
    arguments: StoreConformance.tampering(leavesIn: "audit") + [
      "UPDATE audit SET hashes = NULL WHERE number = 6", "UPDATE audit SET leaf = NULL WHERE number = 6",
    ])
  func tampered(_ sql: String) async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await StoreConformance.checkTampering(store.accounts) { _ = try await onItsThread(database, sql) }
      await store.close()
    }
  }

  // MARK: Migration

  /// The last version without a tree.
  private static let before: Schema = {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(13))
    return schema
  }()

  private static let id = "0193c1d6-0000-7000-8000-000000000001"

  /// Entries of all kinds: with an address, with an address and an origin, with an origin alone, with nothing that is erased,
  /// unreadable, without some numbers, and without a number yet.
  private static func rows(_ count: Int) -> String {
    let time = "'\(Fixtures.time.rfc3339)'"
    return """
      INSERT INTO audit (number, at, change, account_id, invitation_id, uid, pid, origin, regd)
        SELECT n + n / 50, \(time),
          CASE n % 5 WHEN 2 THEN 'invitation.created' WHEN 4 THEN 'nonsense' ELSE 'account.signedOut' END,
          CASE WHEN n % 5 <> 2 THEN '\(id)'::uuid END, CASE WHEN n % 5 = 2 THEN '\(id)'::uuid END, 7, 8,
          CASE WHEN n % 3 = 0 THEN convert_to('origin ' || n, 'UTF8') END, 'old' FROM generate_series(1, \(count)) AS n;
      INSERT INTO audit_address (number, email, ended_at)
        SELECT number, 'n' || number || '@example.com', CASE WHEN number % 4 = 0 THEN \(time)::timestamptz END
        FROM audit WHERE account_id IS NOT NULL AND number % 7 > 0;
      UPDATE numbering SET last = (SELECT max(number) FROM audit);
      INSERT INTO entry_without_number (turn, place, at, change, account_id, email, uid, pid, regd)
        VALUES (nextval('unnumbered_turn'), 1, \(time), 'account.signedOut', '\(id)', 'w@example.com', 7, 8, 'old'),
          (nextval('unnumbered_turn'), 1, \(time), NULL, '\(id)', NULL, NULL, NULL, NULL)
      """
  }

  @Test(
    "the migration puts all readable entries into the tree, in the order of their numbers, and seals waiting entries")
  func migrated() async throws {
    try await withDatabase { database in
      let said = try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        _ = try Self.before.migrate(connection) { _ in }
        _ = try database.query(Self.rows(2500))
        var said: [String] = []
        _ = try Schema().migrate(connection) { said.append($0) }
        return said
      }
      #expect(
        said.prefix(2) == [
          "migrating its schema from version 13 to \(Schema().version)",
          "adding the entries of its audit to a tree (1000 of 2500)",
        ])
      let store = try await opened(PostgreSQLStore.Settings(database))
      let leaves = try await StoreConformance.checkTree(store.accounts)
      #expect(leaves.count == 2001)
      let entries = try await store.audit(after: 0, limit: 3000)
      #expect(entries.last?.email == "w@example.com")
      #expect(entries.allSatisfy { ($0.seal?.salt != nil) == ($0.email != nil || $0.by?.origin != nil) })
      #expect(entries.contains { $0.email == nil && $0.by?.origin != nil })
      #expect(entries.contains { $0.seal == nil })
      _ = try await store.sweep(at: ClaimCase.stamp(9).time, addressesBefore: ClaimCase.stamp(9).time, limit: 10_000)
      #expect(try await StoreConformance.checkTree(store.accounts) == leaves)
      _ = try await store.insert(Fixtures.account())
      #expect(try await StoreConformance.checkTree(store.accounts).dropLast() == leaves[...])
      await store.close()
    }
  }

  @Test("the migration reads each address only a few times, even if the server would read all of them for each page")
  func reads() async throws {
    try await withDatabase { database in
      let (count, read) = try await PostgreSQL.onItsThread {
        let count = 20_000
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        _ = try Self.before.migrate(connection) { _ in }
        _ = try database.query(
          """
          INSERT INTO audit (number, at, change, account_id)
            SELECT n, now(), 'account.signedOut', '\(Self.id)' FROM generate_series(1, \(count)) AS n;
          INSERT INTO audit_address (number, email) SELECT number, 'n@example.com' FROM audit;
          ANALYZE audit, audit_address
          """)
        connection.begin()
        for statement in Schema.auditTree.statements { try connection.run(statement) }
        try AuditTreeRow.fill(connection, cryptography) { _ in }
        let rows = try connection.run(
          """
          SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0), current_setting('enable_mergejoin')
          FROM pg_stat_xact_user_tables WHERE relname = 'audit_address'
          """)
        try connection.run("COMMIT")
        #expect(rows.first?.text(1) == "on", "the steps after this one are planned as before")
        return (count, rows.first?.integer(0) ?? .max)
      }
      #expect(read < 5 * count)
    }
  }

  @Test("a move's target has the tree and the key of the source, and continues the tree")
  func moved() async throws {
    try await withTemporaryDirectory { directory in
      try await withDatabase { database in
        let path = "\(directory)/regd.db"
        let source = try SQLiteStore(path: path, cryptography: cryptography)
        for number in 0..<5 {
          let stamp = ClaimCase.stamp(number, origin: "origin \(number)")
          _ = try await source.accounts.insert(
            Fixtures.account("n\(number)@example.com"), request: nil, Admission(), stamp)
        }
        let gone = try #require(try await source.accounts.list(after: nil, limit: 1).first)
        _ = try await source.accounts.delete(gone.account.id, having: nil, ClaimCase.stamp(9))
        let end = ClaimCase.stamp(20).time
        _ = try await source.sweep(at: end, addressesBefore: end, limit: 9)
        try await PostgreSQL.onItsThread {
          let from = try SQLiteMoveSource(path, beginning: "this move", at: Fixtures.time)
          let target = try PostgreSQLMoveTarget(database.url, connectLimit: patience, answerLimit: patience)
          var mover = try Mover(from: from, to: target)
          while !(try mover.step().isCaughtUp) {}
          try target.arrive("this move")
        }
        let store = try await opened(PostgreSQLStore.Settings(database))
        #expect(try await store.accounts.auditTree() == source.accounts.auditTree())
        #expect(try await store.audit(after: 0, limit: 9) == source.accounts.audit(after: 0, limit: 9))
        #expect(store.keys == source.keys)
        _ = try await store.insert(Fixtures.account("later@example.com"))
        #expect(try await StoreConformance.checkTree(store.accounts).count == 7)
        await store.close()
        await source.close()
      }
    }
  }
}
