internal import Synchronization

/// One server for all tests of a process, started at first use. It makes 50 databases at a time, because one run of
/// psql(1) takes longer than making them.
package final class SharedPostgreSQLServer: Sendable {
  private struct State {
    var server: Result<PostgreSQLServer, any Error>?
    var made = 0
    var free: [PostgreSQLDatabase] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns an empty database that no other caller gets.
  package func database() throws -> PostgreSQLDatabase {
    try state.withLock { state in
      let server = state.server ?? Result { try PostgreSQLServer() }
      state.server = server
      if state.free.isEmpty {
        let names = (state.made + 1...state.made + 50).map { "test\($0)" }
        state.made += names.count
        state.free = try server.get().makeDatabases(names)
      }
      return state.free.removeLast()
    }
  }
}
