import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Settings that a role brings to its PostgreSQL sessions",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct RoleSettingsTests {
  private static let settings = [
    "bytea_output": "escape", "array_nulls": "off", "DateStyle": "'SQL, DMY'", "IntervalStyle": "sql_standard",
    "TimeZone": "'Asia/Kolkata'", "standard_conforming_strings": "off", "backslash_quote": "on",
    "transform_null_equals": "on", "statement_timeout": "'9s'", "idle_session_timeout": "'9s'",
    "idle_in_transaction_session_timeout": "'9s'", "lock_timeout": "'9s'", "client_min_messages": "error",
    "default_transaction_isolation": "serializable", "synchronous_commit": "off", "lc_messages": "'C.UTF-8'",
    "default_transaction_deferrable": "on", "extra_float_digits": "-15", "plan_cache_mode": "force_generic_plan",
    "enable_indexscan": "off", "client_encoding": "LATIN1",
  ]

  private func set(_ database: PostgreSQLDatabase, _ names: some Sequence<String>) async throws {
    let statements = names.map { "ALTER ROLE \(database.role) SET \($0) = \(Self.settings[$0] ?? "")" }
    try await PostgreSQL.onItsThread {
      _ = try database.administrator.query(statements.joined(separator: ";"))
    }
  }

  @Test("a single setting of the role does not affect regd", arguments: settings.keys.sorted())
  func one(_ name: String) async throws {
    try await withDatabase { database in
      try await set(database, [name])
      try await use(database)
    }
  }

  @Test("all settings of the role together do not affect a running regd")
  func all() async throws {
    try await withDatabase { database in
      var settings = PostgreSQLStore.Settings(database)
      settings.idleLimit = .zero
      let store = try await opened(settings)
      let account = Fixtures.account()
      #expect(try await store.insert(account) == .inserted)
      try await set(database, Self.settings.keys)
      // the sessions are closed, so that the next ones get the settings of the role
      try await store.check()
      #expect(try await store.find(account.account.id) == account)
      #expect(try await store.insert(Fixtures.account("b@example.com")) == .inserted)
      try await store.check()
      await store.close()
      try await use(database)
    }
  }

  private func use(_ database: PostgreSQLDatabase) async throws {
    let store = try await opened(PostgreSQLStore.Settings(database))
    let before = try await store.audit(after: 0, limit: 99).count
    let origin = try #require(Origin("\\x41\0NULL\"'"))
    let stamp = Stamp(Fixtures.time, by: Requester(uid: 7, pid: 7, origin: origin))
    let account = Fixtures.account("O'Neil\\x@example.com", state: .pending)
    #expect(try await store.insert(account, request: RequestKey(uid: 7, id: "r\\'"), stamp) == .inserted)
    let records = [Fixtures.account("1@example.com"), Fixtures.account("2@example.com")]
    #expect(try await store.importing(records, stamp) == [.imported, .imported])
    #expect(try await store.delete(records[0].account.id, ClaimCase.stamp(1)) == .deleted)
    let found = try await store.find(account.account.id)
    #expect(found == account)
    let entries = try await store.audit(after: 0, limit: 99).dropFirst(before)
    #expect(entries.map(\.by?.origin) == [origin, origin, origin, nil])
    #expect(entries.map(\.time) == [0, 0, 0, 1].map { ClaimCase.stamp($0).time })
    let claim = ClaimCase.claim("claim@example.com", origin: "\\000", request: "x")
    #expect(try await store.add(claim) == .added)
    #expect(try await store.find(claim.id, at: Fixtures.time) == claim)
    let end = Fixtures.time.advanced(by: .seconds(90_000))
    _ = try await store.sweep(at: end, addressesBefore: end, limit: 9)
    #expect(try await store.audit(after: 0, limit: 99).dropFirst(before).map(\.email).count { $0 == nil } == 2)
    try await store.check()
    let names = ["statement_timeout", "idle_session_timeout", "lock_timeout", "client_min_messages"]
    let session = try await store.list { (rows) throws(ServerFailure) in
      try rows.connection.run("SELECT " + names.map { "current_setting('\($0)', TRUE)" }.joined(separator: ", "))
        .first.map { row in (0..<4).map { row.text($0) } }
    }
    // a server before version 14 has no limit for idle sessions
    #expect(session?[0] == "0" && ["0", ""].contains(session?[1]) && session?[2] != "9s" && session?[3] == "warning")
    await store.close()
  }
}
