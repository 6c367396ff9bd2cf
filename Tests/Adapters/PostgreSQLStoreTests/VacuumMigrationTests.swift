import RegdProcesses
import Registration
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "From version 11 to an early autovacuum, in PostgreSQL", .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct VacuumMigrationTests {
  /// The schema of an earlier version.
  private static func schema(_ version: Int) -> Schema {
    var schema = Schema()
    schema.steps = Array(Schema.shipped.prefix(version))
    return schema
  }

  private static let early = "autovacuum_vacuum_scale_factor=0.001 autovacuum_vacuum_threshold=50"

  /// The storage parameters of every table. A new table needs a decision: only a table without data about end users
  /// needs no parameters.
  private static let expected = [
    "account": "\(early) vacuum_index_cleanup=on",
    "audit": early,
    "audit_address": early,
    "claim": "\(early) vacuum_index_cleanup=on",
    "delivery": early,
    "entry_without_number": early,
    "guess": "\(early) vacuum_index_cleanup=on",
    "installation": "",
    "invitation": early,
    "invitation_use": "\(early) vacuum_index_cleanup=on",
    "mail": "\(early) vacuum_index_cleanup=on",
    "mail_ask": "\(early) vacuum_index_cleanup=on",
    "account_group": early,
    "numbering": "",
    "released": "\(early) vacuum_index_cleanup=on",
    "request": "\(early) vacuum_index_cleanup=on",
    "stamp_key": "",
    "wrong_code": "\(early) vacuum_index_cleanup=on",
  ]

  private static func parameters(_ database: PostgreSQLDatabase) throws -> [String: String] {
    let rows = try database.query(
      """
      SELECT relname, array_to_string(ARRAY(SELECT unnest(reloptions) ORDER BY 1), ' ') FROM pg_class
      WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
      """)
    var parameters: [String: String] = [:]
    for row in rows.split(separator: "\n") {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      parameters[String(cells[0])] = String(cells[1])
    }
    return parameters
  }

  @Test("a new database has the autovacuum parameters on each table with data about end users")
  func new() async throws {
    try await withDatabase { database in
      let parameters = try await PostgreSQL.onItsThread {
        _ = try PostgreSQLSchemaMigration.perform(database.url)
        return try Self.parameters(database)
      }
      #expect(parameters == Self.expected)
    }
  }

  @Test("a database of version 11 gets the autovacuum parameters, and a regd of version 11 continues to use it")
  func migrated() async throws {
    try await withDatabase { database in
      let parameters = try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        _ = try Self.schema(11).migrate(connection) { _ in }
        let before = try Self.parameters(database)
        #expect(before["audit"]?.isEmpty == true)
        let plan = try PostgreSQLSchemaMigration.plan(database.url)
        #expect((plan.from, plan.to) == (11, Schema().version))
        _ = try Self.schema(12).migrate(connection) { _ in }
        let state = try Self.schema(11).state(connection)
        #expect(state == .fit)
        return try Self.parameters(database)
      }
      #expect(parameters == Self.expected.filter { $0.key != "account_group" })
    }
  }

  @Test("the article's VACUUM FULL names each table with the parameters")
  func article() throws {
    let article = try #require(Article.named("PostgreSQL"))
    let statement = try #require(article.blocks("sql").first(where: { $0.hasPrefix("VACUUM FULL ") }))
    let list = statement.dropFirst("VACUUM FULL ".count)
    let named = list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\n" }).map { String($0) }
    #expect(named.sorted() == Self.expected.filter { !$0.value.isEmpty }.keys.sorted())
  }
}
