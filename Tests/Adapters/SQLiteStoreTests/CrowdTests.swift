import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: very many claims", .timeLimit(.minutes(10)))
struct CrowdTests {
  @Test("SQLiteStore keeps the store's promises with very many claims", arguments: StoreConformance.crowds)
  func conforms(_ rule: ConformanceRule<CrowdedStore>) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try await rule.check(
        CrowdedStore(store: try SQLiteStore(path: path).accounts) { crowd in
          let time = crowd.expiresAt.rfc3339
          try Connection(path: path, busyMilliseconds: 60_000).run(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(?3 AS INTEGER))
            INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, origin, digits, generation, code_until,
              attempts, resend_at, created_at, expires_at, mailed)
            SELECT lower(hex(randomblob(16))), 'recovery', 'open', ?2 || n, ?2 || n,
              '0199aaaa-0000-7000-8000-000000000000', ?1, ?2, 6, 1, ?4, 0, ?4, ?5, ?4, ?6 FROM number
            """,
            ["\(crowd.uid)", crowd.origin, "\(crowd.count)", time, Fixtures.time.rfc3339, crowd.isMailed ? "1" : "0"])
        })
    }
  }

  @Test("no statement about claims, wrong codes or counts scans a whole table")
  func plans() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      await (try SQLiteStore(path: path)).close()
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      for (sql, indices) in [
        (WrongCodeRow.counting, ["wrong_code_address", "wrong_code_at"]), (WrongCodeRow.forgetting, ["PRIMARY KEY"]),
        (ClaimRow.surplusAtAddress, ["claim_unranked"]),
      ] {
        let plan = try connection.query("EXPLAIN QUERY PLAN \(sql)") { (row) throws(SQLiteFailure) in row.text(3) }
        for table in ["claim", "wrong_code"] { #expect(!plan.contains { $0 == "SCAN \(table)" }, "\(plan)") }
        for index in indices { #expect(plan.contains { $0.contains(index) }, "\(plan)") }
      }
    }
  }

  @Test("a list of pending, waiting or disabled accounts uses the index of the state")
  func states() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      await (try SQLiteStore(path: path)).close()
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      for state in [Account.State.pending, .waiting, .disabled] {
        let sql = "EXPLAIN QUERY PLAN \(AccountRow.listing(state))"
        let plan = try connection.query(sql) { (row) throws(SQLiteFailure) in row.text(3) }
        #expect(plan.contains { $0.contains("account_\(state.rawValue)") }, "\(plan)")
      }
    }
  }

  @Test("with 100 000 claims of one user and 200 000 wrong codes, each statement takes few steps")
  func steps() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let store = try SQLiteStore(path: path)
      let editor = try Connection(path: path, busyMilliseconds: 60_000)
      let now = Fixtures.time.rfc3339
      try editor.run(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000)
        INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, origin, digits, generation, code_until,
          attempts, resend_at, created_at, expires_at, mailed)
        SELECT lower(hex(randomblob(16))), 'recovery', 'open', 'e' || n, 'e' || n, '0199aaaa-0000-7000-8000-000000000000',
          7, 'o' || n, 6, 1, ?2, 0, ?2, ?1, ?2, n % 2 FROM number
        """, [now, Fixtures.time.advanced(by: .seconds(5000)).rfc3339])
      try editor.run(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 200000)
        INSERT INTO wrong_code (address, at) SELECT n / 1000, ?1 FROM number
        """, [now])
      let address = GuessedAddress(EmailKey(ClaimScene.address), store.codeKey)
      try editor.run("INSERT INTO wrong_code (address, at) VALUES (?1, ?2)", ["\(address.number)", now])
      let wrong = try await store.wrongCodes(at: EmailKey(ClaimScene.address), limit: 50, ClaimScene.time(1))
      #expect(wrong == WrongCodes(atAddress: 1, overAll: CodeBounds.all))
      let counted = try editor.steps(
        WrongCodeRow.counting, ["7", "", "50", ""])
      #expect(counted < 20 * (50 + CodeBounds.all), "\(counted) steps")
      #expect(try editor.steps(WrongCodeRow.forgetting, []) < 100)
      #expect(try editor.steps(ClaimRow.surplusAtAddress, ["e8", now]) < 1000)
    }
  }
}

extension Connection {
  /// The steps of SQLite's virtual machine for the whole statement.
  func steps(_ sql: String, _ parameters: [String?]) throws -> Int {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, text) in parameters.enumerated() { try statement.bind(text, at: Int32(index + 1)) }
    while try statement.step() {}
    return statement.machineSteps
  }
}
