import Registration
import StoreModels

@testable import PostgreSQLStore

extension PostgreSQLStore {
  /// Returns when no change of any regd holds its mark (`Locks`) any more.
  func awaitAllChanges() async throws {
    let isInFlight = Statement(
      """
      SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ExclusiveLock'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1
      """)
    while try await look(
      ChangeScope(), { _ in ChangeScope() },
      { (rows) throws(ServerFailure) in try rows.connection.answer(isInFlight).first != nil })
    { try await letOthersWork() }
  }
}
