import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite schema", .timeLimit(.minutes(10)))
struct SchemaTests {
  /// The first version with claims.
  private static let claims = 6

  @Test("a database of the first version keeps its accounts, and gets the features of later versions")
  func firstVersion() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      var account = Fixtures.account("Jürgen@example.com")
      account.account.epoch = SessionEpoch(stored: nil)
      do {
        let old = try Connection(path: path, busyMilliseconds: 0)
        try old.execute(Schema.migrations[0])
        try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1")
        try old.execute(
          """
          INSERT INTO account VALUES ('\(account.account.id)', '\(account.account.email.typed)',
            '\(account.account.email.key.value)', '\(account.passwordHash.phc)', 'active',
            '\(account.account.createdAt.rfc3339)', '\(account.account.updatedAt.rfc3339)')
          """)
      }
      let store = try SQLiteStore(path: path)
      #expect(try await store.find(account.account.id) == account)
      #expect(try await store.audit(after: 0, limit: 9) == [])
      let request = try #require(RequestKey(uid: 7, id: "one"))
      let another = Fixtures.account("new@example.com")
      #expect(try await store.insert(another, request: request, Stamp(Fixtures.time)) == .inserted)
      #expect(try await store.find(request)?.account == another.account)
      #expect(try await store.audit(after: 0, limit: 9).count == 1)
    }
  }

  @Test(
    "an account that is pending in a database of any earlier version stays pending, and has no lease",
    arguments: 1..<Schema.migrations.count)
  func waiting(_ version: Int) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      var account = Fixtures.account(state: .pending)
      account.account.epoch = SessionEpoch(stored: nil)
      let id = account.account.id
      do {
        let old = try Connection(path: path, busyMilliseconds: 0)
        for migration in Schema.migrations.prefix(version) { try old.execute(migration) }
        try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version)")
        let time = account.account.updatedAt.rfc3339
        try old.execute(
          """
          INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at)
          VALUES ('\(id)', '\(account.account.email.typed)', '\(account.account.email.key.value)',
            '\(account.passwordHash.phc)', 'pending', '\(time)', '\(time)')
          """)
        if version > 1, version < Self.claims {
          // at that time an entry had its address in a column
          try old.execute(
            "INSERT INTO audit (at, change, account_id, email) VALUES ('\(time)', 'account.reserved', '\(id)', 'x')")
        }
        if version >= Self.claims {
          try Installation.make(old)
          try old.execute(
            "INSERT INTO audit (at, change, account_id) VALUES ('\(time)', 'account.reserved', '\(id)')")
        }
      }
      let store = try SQLiteStore(path: path, claimant: Claimant("host:/socket"))
      let found = try #require(try await store.find(pending: id))
      #expect(found.stored.account == account.account)
      #expect(found.delivery == nil)
      #expect(!found.isClaimedElsewhere)
      let later = Stamp(Fixtures.time.advanced(by: .seconds(1)))
      #expect(try await store.resume(id, seen: Fixtures.time, later) == .resumed)
      let makers = try await store.audit(after: 0, limit: 9).map(\.regd)
      #expect(makers == (version > 1 ? [nil, "host:/socket"] : ["host:/socket"]))
    }
  }

  @Test("an unreadable delivery is reported once, and its account stays pending without delivery details")
  func damagedDelivery() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let told = DamageTold()
      let store = try SQLiteStore(path: path, damaged: { told.note($0) })
      let account = Fixtures.account(state: .pending)
      let id = account.account.id
      _ = try await store.insert(account)
      let editor = try Connection(path: path, busyMilliseconds: 1000)
      for damage in ["failure = 'sulking'", "failure = NULL, attempts = -1", "next_at = 'soon'"] {
        let delivery = Delivery(attempts: 1, failure: .timeout, next: Fixtures.time)
        #expect(try await store.putOff(id, seen: Fixtures.time, delivery))
        try editor.execute("UPDATE delivery SET \(damage)")
        let expected = PendingAccount(account, delivery: nil, isClaimedElsewhere: false)
        #expect(try await store.find(pending: id) == expected, "\(damage)")
        #expect(try await store.pending(after: nil, limit: 9) == [expected], "\(damage)")
      }
      #expect(told.rows.map(\.name) == ["delivery \(id)"], "once")
    }
  }

  @Test("the audit is append-only, even for other programs that open the file")
  func appendOnly() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      _ = try await store.insert(Fixtures.account())
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      for sql in [
        "UPDATE audit SET regd = 'x'", "UPDATE audit SET group_change = 'x'", "DELETE FROM audit",
        "REPLACE INTO audit VALUES (1,'','','',0,0,'','','','','','')",
        "UPDATE audit_tree SET hashes = x''", "DELETE FROM audit_tree", "REPLACE INTO audit_tree VALUES (1, 0, x'')",
      ] {
        do throws(SQLiteFailure) {
          try connection.execute("PRAGMA recursive_triggers = ON; \(sql)")
          Issue.record("done: \(sql)")
        } catch {
          #expect(error.message == "the audit is append-only", "\(sql)")
        }
      }
      #expect(try await store.audit(after: 0, limit: 9).count == 1)
    }
  }

  @Test("a cancelled operation changes no account, but still records the request of a reservation")
  func late() async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteStore(path: "\(directory)/regd.db")
      let pending = Fixtures.account(state: .pending)
      _ = try await store.insert(pending)
      let request = try #require(RequestKey(uid: 7, id: "one"))
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        let noted = try await store.note(request, for: pending.account.id)
        await #expect(throws: StoreFailure.cancelled) {
          try await store.activate(pending.account.id, Stamp(Fixtures.time))
        }
        return noted
      }
      #expect(try await late.value == .noted)
      #expect(try await store.find(request)?.account == pending.account)
    }
  }

  @Test("the store reports each change to its observer in order")
  func observer() async throws {
    try await withTemporaryDirectory { directory in
      let told = Told()
      let store = try SQLiteStore(path: "\(directory)/regd.db", observer: { told.note($0) })
      let account = Fixtures.account()
      _ = try await store.insert(account)
      _ = try await store.insert(account)
      _ = try await store.importing(
        [Fixtures.account("a@example.com"), Fixtures.account("b@example.com")], Stamp(Fixtures.time))
      _ = try await store.delete(account.account.id, Stamp(Fixtures.time))
      #expect(told.entries == (try await store.audit(after: 0, limit: 9)))
      #expect(told.entries.map(\.change) == [.registered, .imported, .imported, .deleted])
    }
  }
}
