import Linux
import PasswordHashing
import Registration
import StoreConformance
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: the tree of the audit", .timeLimit(.minutes(10)))
struct AuditTreeTests {
  private let cryptography = SodiumAuditCryptography()

  @Test("an entry that another program has added is listed, and is not in the tree, which continues after it")
  func foreign() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      _ = try await store.insert(Fixtures.account("a@example.com"))
      try Connection(path: path, busyMilliseconds: 1000).execute(
        "INSERT INTO audit (at, change, account_id) SELECT at, change, account_id FROM audit")
      _ = try await store.insert(Fixtures.account("b@example.com"))
      let entries = try await store.audit(after: 0, limit: 9)
      #expect(entries.map(\.number) == [1, 2, 3])
      let tree = try await store.accounts.auditTree()
      let leaves = [entries[0], entries[2]].map { $0.leaf(cryptography) }
      #expect(tree.root(cryptography) == AuditVerifier(cryptography).root(leaves[...]))
      #expect(try await store.accounts.auditInclusion(of: 2, in: 2) == .unknown)
      guard case .found(let proof) = try await store.accounts.auditInclusion(of: 3, in: 2) else {
        Issue.record("there is no proof of the entry after it")
        return
      }
      #expect(proof.index == 1 && proof.leaf == leaves[1])
    }
  }

  /// SQL that adds an entry without the knowledge of regd.
  private static func adding(_ number: Int) -> String {
    """
    INSERT INTO audit (number, at, change, account_id)
      SELECT \(number), at, change, account_id FROM audit ORDER BY number LIMIT 1
    """
  }

  @Test("regd's entries get later numbers than those that another program has added, unless these are too high")
  func taken() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      _ = try await store.insert(Fixtures.account("first@example.com"))
      let other = try Connection(path: path, busyMilliseconds: 1000)
      // with the highest of all numbers, SQLite's own sequence has no number left
      for (place, number) in [Int.max, 3, (1 << 53) - 1, 9, 1 << 52].enumerated() {
        try other.execute(Self.adding(number))
        _ = try await store.insert(Fixtures.account("n\(place)@example.com"))
      }
      let own = try await store.audit(after: 0, limit: 99).filter { $0.regd != nil }
      #expect(own.map(\.number) == [1, 2, 4, 5, 10, (1 << 52) + 1])
      let tree = try await store.accounts.auditTree()
      #expect(tree.root(cryptography) == AuditVerifier(cryptography).root(own.map { $0.leaf(cryptography) }[...]))
      #expect(try await store.accounts.auditInclusion(of: Int.max, in: 6) == .unknown)
      await store.close()
    }
  }

  @Test("entries still get numbers when none is left that all readers of JSON read alike")
  func usedUp() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      _ = try await store.insert(Fixtures.account("first@example.com"))
      let other = try Connection(path: path, busyMilliseconds: 1000)
      var own = [1]
      // another program adds the highest number that regd does not ignore, again and again
      while let last = own.last, last < 1 << 53 {
        let number = max(last + 1, last / 2 + (1 << 52))
        try other.execute(Self.adding(number))
        _ = try await store.insert(Fixtures.account("n\(own.count)@example.com"))
        own.append(number + 1)
      }
      let last = try #require(own.last)
      try other.execute(Self.adding(last + 1))
      try other.execute(Self.adding(.max))
      _ = try await store.insert(Fixtures.account("last@example.com"))
      let entries = try await store.audit(after: 0, limit: 999).filter { $0.regd != nil }
      #expect(entries.map(\.number) == own + [last + 2])
      await store.close()
    }
  }

  @Test("after a rollback, and after another connection's entries, the tree continues where the database's ends")
  func rolledBack() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let (one, other) = (try SQLiteStore.open(path, 1000), try SQLiteStore.open(path, 1000))
      func write(_ connection: Connection, _ count: Int, isKept: Bool = true) throws {
        try connection.transaction { () throws(SQLiteFailure) in
          for number in 0..<count {
            let account = Fixtures.account("n\(number)@example.com").account
            let draft = AuditEntry.Draft(.registered, account, ClaimScene.stamp(number))
            _ = try AuditRow.write(connection, draft, by: "regd", cryptography)
          }
          return ((), isKept)
        }
      }
      try write(one, 3)
      try write(one, 2, isKept: false)
      // as many entries as were rolled back, but others
      try write(other, 2)
      try write(one, 1)
      try write(one, 4, isKept: false)
      try write(one, 2)
      try write(other, 1)
      // a change of a group that is rolled back alone
      try one.transaction { () throws(SQLiteFailure) in
        try one.run("SAVEPOINT change")
        _ = try AuditRow.write(
          one, AuditEntry.Draft(.registered, Fixtures.account().account, ClaimScene.stamp(1)), by: "regd", cryptography)
        try one.run("ROLLBACK TO change")
        try one.run("RELEASE change")
        _ = try AuditRow.write(
          one, AuditEntry.Draft(.imported, Fixtures.account().account, ClaimScene.stamp(2)), by: "regd", cryptography)
        return ((), true)
      }
      let store = try SQLiteStore(path: path)
      #expect(try await StoreConformance.checkTree(store.accounts).count == 10)
    }
  }

  /// The triggers that keep other programs from changing the audit by mistake.
  private static let unguarded =
    ["audit_is_not_changed", "audit_is_not_removed", "audit_tree_is_not_changed", "audit_tree_is_not_removed"]
    .map { "DROP TRIGGER \($0);" }.joined()

  @Test(
    "a past that another program changes does not verify",
    arguments: StoreConformance.tampering(leavesIn: "audit_tree") + [
      "UPDATE audit_tree SET hashes = x'' WHERE number = 6", "DELETE FROM audit_tree WHERE number = 6",
    ])
  func tampered(_ sql: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      try await StoreConformance.checkTampering(store.accounts) {
        try Connection(path: path, busyMilliseconds: 1000).execute(Self.unguarded + sql)
      }
    }
  }

  @Test("if another program also makes the hashes anew, the present tree verifies, but no earlier head does")
  func rewritten() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      for number in 0..<6 { _ = try await store.insert(Fixtures.account("n\(number)@example.com")) }
      let head = try await store.accounts.auditTree()
      let editor = try Connection(path: path, busyMilliseconds: 1000)
      try editor.execute(
        "\(Self.unguarded) UPDATE audit SET change = 'account.enabled' WHERE number = 3; DELETE FROM audit_tree")
      try AuditTreeRow.fill(editor, cryptography) { _ in }
      let tree = try await store.accounts.auditTree()
      #expect(tree.size == head.size && tree != head)
      #expect(try await StoreConformance.isIntact(store.accounts, since: tree))
      #expect(try await !StoreConformance.isIntact(store.accounts, since: head))
    }
  }

  @Test("a leaf that no tree has is reported, and does not end regd", arguments: [-2, Int.max - 1, Int.max])
  func impossible(_ leaf: Int) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      _ = try await store.insert(Fixtures.account("a@example.com"))
      try Connection(path: path, busyMilliseconds: 1000).execute(
        "\(Self.unguarded) UPDATE audit_tree SET leaf = \(leaf)")
      await #expect(throws: StoreFailure.self) { try await store.accounts.auditTree() }
      await #expect(throws: StoreFailure.self) { try await store.insert(Fixtures.account("b@example.com")) }
    }
  }

  @Test("after a sweep, the salts of erased addresses are in no file, and in no backup")
  func salts() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      let account = Fixtures.account()
      _ = try await store.insert(account)
      _ = try await store.delete(account.account.id, ClaimScene.stamp(1))
      let salts = try await store.audit(after: 0, limit: 9).compactMap { $0.seal?.salt }
      #expect(salts.count == 2)
      let there = { (salt: [UInt8]) in
        try ["", "-wal"].contains { try FileReading.bytes(path + $0, atMost: .max).contains(salt) }
      }
      #expect(try salts.allSatisfy(there))
      _ = try await store.sweep(at: ClaimScene.time(9), addressesBefore: ClaimScene.time(9), limit: 9)
      #expect(try !salts.contains(where: there))
      let backup = "\(directory)/backup.db"
      _ = try SQLiteBackup.copy(path, to: backup)
      let copy = try FileReading.bytes(backup, atMost: .max)
      #expect(!salts.contains { copy.contains($0) })
      await store.close()
    }
  }

  // MARK: Migration

  /// The last version without a tree.
  private static let before = 22

  /// A database of that version, with entries of all kinds: with an address, with an address and an origin, with an origin alone,
  /// with nothing that is erased, unreadable, and without some numbers.
  private static func make(_ path: String, _ count: Int) throws {
    let old = try Connection(path: path, busyMilliseconds: 0)
    for migration in Schema.migrations.prefix(before) where migration != Schema.rewriting { try old.execute(migration) }
    try Installation.make(old)
    let id = "0193c1d6-0000-7000-8000-000000000001"
    try old.execute(
      """
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(count))
        INSERT INTO audit (number, at, change, account_id, invitation_id, uid, pid, origin, regd)
        SELECT n + n / 50, '\(Fixtures.time.rfc3339)',
          CASE n % 5 WHEN 2 THEN 'invitation.created' WHEN 4 THEN 'nonsense' ELSE 'account.signedOut' END,
          CASE WHEN n % 5 <> 2 THEN '\(id)' END, CASE WHEN n % 5 = 2 THEN '\(id)' END, 7, 8,
          CASE WHEN n % 3 = 0 THEN 'origin ' || n END, 'old' FROM n;
      INSERT INTO audit_address (number, email, ended_at)
        SELECT number, 'n' || number || '@example.com', CASE WHEN number % 4 = 0 THEN '\(Fixtures.time.rfc3339)' END
        FROM audit WHERE account_id IS NOT NULL AND number % 7 > 0;
      PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(before)
      """)
  }

  @Test(
    "the migration puts all readable entries into the tree, in the order of their numbers, and reports its progress")
  func migrated() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try Self.make(path, 4000)
      let said = Mutex<[String]>([])
      let store = try SQLiteStore(path: path, doing: { what in said.withLock { $0.append(what) } })
      #expect(
        said.withLock { $0.dropFirst().prefix(2) } == [
          "adding the entries of its audit to a tree (1000 of 4000)",
          "adding the entries of its audit to a tree (2000 of 4000)",
        ])
      let leaves = try await StoreConformance.checkTree(store.accounts)
      #expect(leaves.count == 3200)
      let entries = try await store.audit(after: 0, limit: 5000)
      #expect(entries.count == 3200)
      #expect(entries.allSatisfy { ($0.seal?.salt != nil) == ($0.email != nil || $0.by?.origin != nil) })
      #expect(entries.contains { $0.email == nil && $0.by?.origin != nil })
      #expect(entries.contains { $0.email != nil && $0.by?.origin == nil })
      #expect(entries.contains { $0.seal == nil })
      // addresses that had ended before the migration are erased as before, and the tree remains the same
      let tree = try await store.accounts.auditTree()
      _ = try await store.sweep(at: ClaimScene.time(9), addressesBefore: ClaimScene.time(9), limit: 10_000)
      #expect(try await StoreConformance.checkTree(store.accounts) == leaves)
      _ = try await store.insert(Fixtures.account())
      let proof = try await store.accounts.auditConsistency(from: tree.size, to: tree.size + 1)
      guard case .found = proof else {
        Issue.record("the tree does not continue")
        return
      }
      #expect(try await StoreConformance.checkTree(store.accounts).dropLast() == leaves[...])
      await store.close()
      #expect(try SQLiteStore(path: path).keys.audit == store.keys.audit)
    }
  }

  @Test("a move's target has the tree and the key of the source, and continues the tree")
  func moved() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let source = try SQLiteStore(path: stage.source)
      for number in 0..<5 {
        let stamp = ClaimScene.stamp(number, origin: "origin \(number)")
        _ = try await source.insert(Fixtures.account("n\(number)@example.com"), request: nil, Admission(), stamp)
      }
      let gone = try #require(try await source.list(after: nil, limit: 1).first)
      _ = try await source.delete(gone.account.id, ClaimScene.stamp(9))
      _ = try await source.sweep(at: ClaimScene.time(20), addressesBefore: ClaimScene.time(20), limit: 9)
      try stage.catchUp()
      try stage.arrive()
      let target = try SQLiteStore(path: stage.target)
      #expect(try await target.accounts.auditTree() == source.accounts.auditTree())
      #expect(try await target.audit(after: 0, limit: 9) == source.audit(after: 0, limit: 9))
      #expect(target.keys == source.keys)
      _ = try await target.insert(Fixtures.account("later@example.com"))
      #expect(try await StoreConformance.checkTree(target.accounts).count == 7)
    }
  }

  @Test("a move refuses another program's entry whose number is so high that regd's later entries would not be copied")
  func movedTooHigh() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      let source = try SQLiteStore(path: stage.source)
      _ = try await source.insert(Fixtures.account("a@example.com"))
      let number = (1 << 52) + 1
      let refusal = { moveFailure { try stage.catchUp() } }
      try stage.write(Self.adding(number), to: stage.source)
      guard case .refused(let reason)? = refusal(), reason.contains("\(number)") else {
        Issue.record("\(String(describing: refusal()))")
        return
      }
      try stage.write("\(Self.unguarded) DELETE FROM audit WHERE number = \(number)", to: stage.source)
      do {
        var mover = try stage.catchUp()
        // also one that is added while the move follows
        try stage.write(Self.adding(number), to: stage.source)
        let later = moveFailure { while !(try mover.step().isCaughtUp) {} }
        guard case .refused? = later else {
          Issue.record("\(String(describing: later))")
          return
        }
      }
      try stage.write("DELETE FROM audit WHERE number = \(number)", to: stage.source)
      _ = try await source.insert(Fixtures.account("b@example.com"))
      try stage.catchUp()
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
      await source.close()
    }
  }

  @Test("a move copies the empty address row of an entry without a salt, and erases the entry's origin")
  func movedWithoutSalt() async throws {
    try await withTemporaryDirectory { directory in
      let stage = MoveStage(directory)
      await (try SQLiteStore(path: stage.source)).close()
      // entries that could not be read at the migration; the first one's address was erased since
      try stage.write(
        """
        INSERT INTO audit (number, at, change, account_id, uid, pid, origin)
          VALUES (1, '', 'nonsense', 'a', 7, 8, NULL), (2, '', 'nonsense', 'a', 7, 8, 'origin');
        INSERT INTO audit_address (number, email) VALUES (1, NULL), (2, 'a@example.com')
        """, to: stage.source)
      var mover = try stage.catchUp()
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
      try stage.write(
        "UPDATE audit_address SET email = NULL WHERE number = 2; UPDATE audit SET origin = NULL WHERE number = 2",
        to: stage.source)
      while !(try mover.step().isCaughtUp) {}
      #expect(try MoveStage.rows(stage.source) == MoveStage.rows(stage.target))
    }
  }
}
