internal import Glibc
package import RegdProcesses
internal import Synchronization
internal import WorkerThreads

/// Real PostgreSQL servers for tests.
package enum PostgreSQL {
  /// CI has a server, and there the absence is a failure.
  package static var isHere: Bool { (try? PostgreSQLPrograms.find()) != nil || getenv("CI") != nil }

  private static let shared = SharedServer()
  private static let thread = Result { try WorkerThreads(name: "postgresql", count: 1) }

  /// A database of the server that all tests of this process share, which is started at the first call. Nothing is in it,
  /// and no other test uses it.
  ///
  /// Waits on a thread of its own: to make a cluster takes a second, and the pool that all tests share has two threads.
  package static func database() async throws -> PostgreSQLDatabase {
    try await onItsThread { try shared.database() }
  }

  /// The same, for a caller that may block.
  package static func databaseNow() throws -> PostgreSQLDatabase { try shared.database() }

  /// Runs what blocks, such as starting a server, on a thread of its own, in turn with others.
  package static func onItsThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let thread = try thread.get()
    return try await withCheckedThrowingContinuation { continuation in
      thread.submit { continuation.resume(with: Result { try body() }) }
    }
  }
}

/// Calls `body` with a database of its own on the server that all tests share.
package func withDatabase<Value>(_ body: (PostgreSQLDatabase) async throws -> Value) async throws -> Value {
  try await body(try await PostgreSQL.database())
}

/// One server for a process. Databases are made by the dozen: to ask the server takes longer than to make them.
private final class SharedServer: Sendable {
  private struct State {
    var server: Result<PostgreSQLServer, any Error>?
    var made = 0
    var free: [PostgreSQLDatabase] = []
  }

  private let state = Mutex(State())

  func database() throws -> PostgreSQLDatabase {
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
