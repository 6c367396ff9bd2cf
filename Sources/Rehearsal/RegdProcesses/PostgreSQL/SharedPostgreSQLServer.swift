internal import Synchronization

/// One server for a process. Databases are made by the dozen: to ask the server takes longer than to make them.
package final class SharedPostgreSQLServer: Sendable {
  private struct State {
    var server: Result<PostgreSQLServer, any Error>?
    var made = 0
    var free: [PostgreSQLDatabase] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// A database that has nothing in it, and that is given to no other caller.
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
