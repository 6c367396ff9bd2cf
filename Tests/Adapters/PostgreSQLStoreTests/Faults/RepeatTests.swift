import RegdProcesses
import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "PostgreSQL transactions that the server rolls back",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct RepeatTests {
  @Test(
    "the store repeats a transaction that conflicted with another one, for every kind of change",
    arguments: StoreConformance.registering + StoreConformance.requests + StoreConformance.administering
      + StoreConformance.proving + StoreConformance.owning)
  func serialization(_ rule: StoreConformance.Rule) async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      // every other commit is refused, as at a higher isolation level
      try await database.refuse(when: "nextval('tries') % 2 = 1", "40001", isDeferred: true)
      try await rule.check(store.accounts)
      await store.close()
    }
  }

  @Test("a refused transaction has no effect, and its repeat is made once", arguments: ["40001", "40P01"])
  func once(_ state: String) async throws {
    try await withDatabase { database in
      let told = Told()
      let store = try await opened(PostgreSQLStore.Settings(database), observer: { told.note($0) })
      try await database.refuse(when: "nextval('tries') < 5", state, isDeferred: true)
      let account = Fixtures.account()
      #expect(try await store.insert(account) == .inserted)
      #expect(try await store.audit(after: 0, limit: 9).map(\.number) == [1])
      #expect(told.entries.count == 1)
      #expect(try await database.tries() == 5)
      await store.close()
    }
  }

  @Test("an incorrect code counts once, even if its transaction is refused four times", arguments: ["40001", "40P01"])
  func guess(_ state: String) async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      let claim = ClaimCase.claim("name@example.com")
      #expect(try await store.add(claim) == .added)
      try await database.refuse(when: "nextval('tries') < 5", state, isDeferred: true)
      #expect(try await store.guess(claim.id, ClaimCase.wrong, ClaimCase.stamp()) == .wrong(attemptsLeft: 4))
      #expect(try await database.tries() == 5)
      let wrong = try await store.wrongCodes(at: claim.email.key, limit: 9, Fixtures.time)
      #expect(wrong == WrongCodes(atAddress: 1, overAll: 1))
      await store.close()
    }
  }

  @Test(
    "the store looks again for a row that another regd creates at the same moment", arguments: SQLState.ownConstraints)
  func quicker(_ constraint: String) async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await database.refuse(
        when: "nextval('tries') = 1", "23505', CONSTRAINT = '\(constraint)",
        isDeferred: false)
      #expect(try await store.insert(Fixtures.account()) == .inserted)
      #expect(try await database.tries() == 2)
      await store.close()
    }
  }

  @Test("the store does not repeat a change that violates a constraint of the administrator")
  func foreignConstraint() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await database.refuse(
        when: "nextval('tries') = 1", "23505', CONSTRAINT = 'another", isDeferred: false)
      let refused = await failure { () async throws(StoreFailure) in _ = try await store.insert(Fixtures.account()) }
      #expect(refused?.isUnavailable == true, "\(String(describing: refused))")
      #expect(try await database.tries() == 1)
      await store.close()
    }
  }

  @Test("the store leaves a server that has become read-only for a new connection, and does not fail as readOnly")
  func demoted() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      #expect(try await store.insert(Fixtures.account("before@example.com")) == .inserted)
      try await database.refuse(when: "nextval('tries') = 1", "25006", isDeferred: false)
      // the session has been used already, and is replaced by a new one
      #expect(try await store.insert(Fixtures.account()) == .inserted)
      #expect(try await database.tries() == 2)
      try await database.refuse(when: "true", "25006", isDeferred: false)
      let other = Fixtures.account("other@example.com")
      let refused = await failure { () async throws(StoreFailure) in _ = try await store.insert(other) }
      #expect(refused?.isUnavailable == true, "\(String(describing: refused))")
      #expect(try await store.find(other.account.id) == nil)
      await store.close()
    }
  }

  @Test("with a full disk any statement fails as full and has no effect", arguments: [false, true])
  func full(_ isDeferred: Bool) async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await database.refuse(
        when: "nextval('tries') = 1", "53100", isDeferred: isDeferred)
      let account = Fixtures.account()
      await #expect(throws: StoreFailure.full) { try await store.insert(account) }
      #expect(try await store.find(account.account.id) == nil)
      #expect(try await store.insert(account) == .inserted)
      await store.close()
    }
  }
}

extension PostgreSQLDatabase {
  /// Makes a trigger raise an error with this SQLSTATE if the condition holds, once in each transaction that changes
  /// rows, at its first change or at its commit. The sequence `tries` also counts transactions that are rolled back.
  fileprivate func refuse(when condition: String, _ state: String, isDeferred: Bool) async throws {
    let timing = isDeferred ? "DEFERRABLE INITIALLY DEFERRED" : ""
    let triggers = ["account", "request", "delivery", "released", "claim", "mail", "wrong_code"].map { table in
      """
      DROP TRIGGER IF EXISTS refuse ON \(table);
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE OR DELETE ON \(table) \(timing)
        FOR EACH ROW EXECUTE FUNCTION refuse();
      """
    }
    let statements = """
      CREATE SEQUENCE IF NOT EXISTS tries;
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('refuse.tried', TRUE) = pg_current_xact_id()::text THEN RETURN NULL; END IF;
        PERFORM set_config('refuse.tried', pg_current_xact_id()::text, TRUE);
        IF \(condition) THEN RAISE EXCEPTION 'refused' USING ERRCODE = '\(state)'; END IF;
        RETURN NULL;
      END $$;
      \(triggers.joined())
      """
    try await PostgreSQL.onItsThread { _ = try query(statements) }
  }

  fileprivate func tries() async throws -> Int? {
    try await PostgreSQL.onItsThread { Int(try query("SELECT last_value FROM tries")) }
  }
}
