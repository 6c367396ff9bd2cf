import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Failures in a transaction of SQLite", .timeLimit(.minutes(10)))
struct TransactionTests {
  @Test("the store gets SQLite's own failure, and an operation's failure only if no statement has failed")
  func failures() async throws {
    try await withTemporaryDirectory { directory in
      let connection = try SQLiteStore.open("\(directory)/regd.db", 0)
      let rows = SQLiteTransaction(connection, Claimant(), .random())
      #expect(throws: SQLiteFailure.unfit("full")) {
        try rows.run { (_) throws(StoreFailure) in throw StoreFailure.full }
      }
      try connection.execute("PRAGMA query_only = ON")
      do throws(SQLiteFailure) {
        try rows.run { (rows) throws(StoreFailure) in
          do throws(StoreFailure) { try rows.remove(AccountID(at: Fixtures.time)) } catch {
            #expect(error == .readOnly)
            throw error
          }
        }
        Issue.record("a row was removed from a database that is read-only")
      } catch {
        #expect(error.storeFailure == .readOnly)
        #expect(error != .unfit("read-only"))
      }
    }
  }
}
