import Registration
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: lists of groups of accounts", .timeLimit(.minutes(10)))
struct GroupListTests {
  @Test("a page of groups that has counted enough members reads no member of the next group")
  func counting() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      await (try SQLiteStore(path: path)).close()
      let connection = try Connection(path: path, busyMilliseconds: 1000)
      try connection.run(
        """
        WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 59999)
        INSERT INTO account_group SELECT 'g' || (n / 20000), 'a' || n FROM number
        """)
      func page(counting most: Int) throws -> (page: Page<GroupName, CountedGroup>, steps: Int) {
        let statement = try connection.statement(AccountRow.counting)
        let before = statement.machineSteps
        let page = try AccountRow.groups(connection, after: nil, limit: 9, counting: most)
        return (page, statement.machineSteps - before)
      }
      let (all, few) = (try page(counting: .max), try page(counting: 20_000))
      #expect(all.page.elements.map(\.members) == [20_000, 20_000, 20_000] && !all.page.hasMore)
      #expect(few.page.elements.map(\.name.description) == ["g0"] && few.page.hasMore)
      #expect(few.steps * 2 < all.steps, "\(few.steps) of \(all.steps)")
    }
  }
}
