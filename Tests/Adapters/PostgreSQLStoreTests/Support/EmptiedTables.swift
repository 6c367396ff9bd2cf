import RegdProcesses
import Registration
import TestDoubles

@testable import PostgreSQLStore

/// A database whose tables are used again and again, because creating them takes the server longer than the changes of
/// a test.
struct EmptiedTables: Sendable {
  /// Sees what another process would see. Its own sessions are never cut.
  let store: PostgreSQLStore

  init(_ database: PostgreSQLDatabase) async throws {
    store = try await opened(PostgreSQLStore.Settings(database))
  }

  /// Waits for a cut transaction that the server has not noticed yet. Afterwards the database looks like one that a
  /// regd has just created.
  func empty() async throws {
    try await store.awaitAllChanges()
    try await store.change(ChangeScope(), for: .daemon, evenIfLate: true) { (rows) throws(ServerFailure) in
      let tables = try rows.connection.run(
        """
        SELECT tablename FROM pg_tables
        WHERE schemaname = current_schema() AND tablename NOT IN ('installation', 'numbering')
        """)
      let deletions = tables.map { Statement("DELETE FROM \($0.text(0))") }
      _ = try rows.connection.run(deletions + [Statement("UPDATE numbering SET last = 0, leaves = 0, peaks = ''")])
    }
  }
}
