import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite("Schema in PostgreSQL", .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct SchemaTests {
  /// The schema with a further step of a later regd.
  private static func later(oldest: Int) -> Schema {
    var schema = Schema()
    schema.steps.append(
      Schema.Step(statements: ["ALTER TABLE account ADD COLUMN later integer"], oldest: oldest))
    return schema
  }

  @Test("four stores that start at once on an empty database all open it, and the schema is created once")
  func madeOnce() async throws {
    try await withDatabase { database in
      let settings = PostgreSQLStore.Settings(database)
      let stores = try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { try PostgreSQLStore(settings, schema: Self.later(oldest: 1)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for (number, store) in stores.enumerated() {
        #expect(try await store.insert(Fixtures.account("n\(number)@example.com")) == .inserted)
      }
      #expect(try await stores[0].audit(after: 0, limit: 9).map(\.number) == [1, 2, 3, 4])
      for store in stores { await store.close() }
    }
  }

  @Test("an older regd continues beside a newer schema that allows it, and an upgrade of four regd loses nothing")
  func upgraded() async throws {
    try await withDatabase { database in
      var stores: [PostgreSQLStore] = []
      for number in 0..<4 {
        stores.append(try await opened(PostgreSQLStore.Settings(database), as: "regd\(number)"))
      }
      var acknowledged: [AccountID] = []
      for round in 0..<4 {
        let current = stores
        try await withThrowingTaskGroup { group in
          for (number, store) in current.enumerated() where number != round {
            for step in 0..<5 {
              group.addTask {
                let account = Fixtures.account("r\(round)-n\(number)-\(step)@example.com")
                let answer = try await store.insert(account)
                #expect(answer == .inserted)
                return account.account.id
              }
            }
          }
          // a newer regd replaces this one while the others continue
          await stores[round].close()
          stores[round] = try await opened(
            PostgreSQLStore.Settings(database), schema: Self.later(oldest: 1), as: "regd\(round)")
          for try await id in group { acknowledged.append(id) }
        }
      }
      for id in acknowledged { #expect(try await stores[0].find(id) != nil) }
      #expect(acknowledged.count == 60)
      for store in stores {
        try await store.check()
        await store.close()
      }
    }
  }

  @Test("a regd that is too old for the schema fails with a request to upgrade, at startup and while it runs")
  func tooOld() async throws {
    try await withDatabase { database in
      let old = try await opened(PostgreSQLStore.Settings(database))
      let new = try await opened(PostgreSQLStore.Settings(database), schema: Self.later(oldest: Schema().version + 1))
      let attempts: [() async throws -> Void] = [
        { try await old.check() }, { _ = try await opened(PostgreSQLStore.Settings(database)) },
      ]
      for attempt in attempts {
        do {
          try await attempt()
          Issue.record("it goes on")
        } catch {
          #expect("\(error)".contains("the schema is version \(Schema().version + 1)"), "\(error)")
          #expect("\(error)".contains("upgrade this regd"), "\(error)")
        }
      }
      try await new.check()
      await old.close()
      await new.close()
    }
  }

  @Test("a failing step leaves the database unchanged")
  func failing() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      var schema = Self.later(oldest: 1)
      schema.steps.append(Schema.Step(statements: ["ALTER TABLE nothing ADD COLUMN x integer"], oldest: 1))
      let broken = schema
      await #expect(throws: StoreFailure.self) {
        _ = try await opened(PostgreSQLStore.Settings(database), schema: broken)
      }
      let again = try await opened(PostgreSQLStore.Settings(database), schema: Self.later(oldest: 1))
      #expect(try await again.insert(Fixtures.account()) == .inserted)
      await store.close()
      await again.close()
    }
  }

  @Test("a store detects that its database was replaced by another one")
  func replaced() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      try await PostgreSQL.onItsThread {
        _ = try database.query("UPDATE installation SET id = '00000000-0000-7000-8000-000000000001'")
      }
      await #expect(
        throws: StoreFailure.unavailable(detail: "the opened database was replaced by another one")
      ) { try await store.check() }
      await store.close()
    }
  }
}
