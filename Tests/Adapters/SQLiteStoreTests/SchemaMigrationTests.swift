import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite schema, migrated by an operator", .timeLimit(.minutes(10)))
struct SchemaMigrationTests {
  @Test("regctl plans the missing steps without running them, then runs them, and refuses a newer version")
  func steps() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let latest = Schema.migrations.count
      func version() throws -> Int {
        try Connection(path: path, busyMilliseconds: 1000).integer("PRAGMA user_version")
      }
      #expect(throws: StoreFailure.self) { try SQLiteSchemaMigration.plan(path) }
      try Connection(path: path, busyMilliseconds: 0).execute(
        "\(Schema.migrations[0]); PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1")
      let plan = SchemaMigrationPlan(from: 1, to: latest, statements: Schema.steps(from: 1))
      #expect(try SQLiteSchemaMigration.plan(path) == plan)
      #expect(try version() == 1)
      #expect(try SQLiteSchemaMigration.perform(path) == plan)
      #expect(try version() == latest)
      #expect(try SQLiteSchemaMigration.perform(path).statements.isEmpty)
      try Connection(path: path, busyMilliseconds: 0).execute("PRAGMA user_version = \(latest + 1)")
      #expect { try SQLiteSchemaMigration.plan(path) } throws: { "\($0)".contains("has the newer version") }
    }
  }
}
