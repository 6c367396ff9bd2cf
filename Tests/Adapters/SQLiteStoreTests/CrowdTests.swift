import Registration
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: very many claims", .timeLimit(.minutes(10)))
struct CrowdTests {
  @Test("keeps the store's promises where there are very many claims", arguments: StoreConformance.crowds)
  func conforms(_ rule: ConformanceRule<CrowdedStore>) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      try await rule.check(
        CrowdedStore(store: try SQLiteStore(path: path)) { crowd in
          let time = crowd.expiresAt.rfc3339
          try Connection(path: path, busyMilliseconds: 60_000).run(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(?3 AS INTEGER))
            INSERT INTO claim (id, kind, state, email, email_key, account_id, uid, origin, digits, generation, code_until,
              attempts, resend_at, created_at, expires_at)
            SELECT lower(hex(randomblob(16))), 'recovery', 'open', ifnull(?6, ?2 || n), ifnull(?6, ?2 || n),
              '0199aaaa-0000-7000-8000-000000000000', ?1, ?2, 6, 1, ?4, 0, ?4, ?5, ?4 FROM number
            """,
            ["\(crowd.uid)", crowd.origin, "\(crowd.count)", time, Fixtures.time.rfc3339, crowd.address])
        })
    }
  }
}
