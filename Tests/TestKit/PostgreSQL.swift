internal import Glibc
package import RegdProcesses
internal import WorkerThreads

/// Real PostgreSQL servers for tests.
package enum PostgreSQL {
  /// CI has a server, and there the absence is a failure.
  package static var isHere: Bool { (try? PostgreSQLPrograms.find()) != nil || getenv("CI") != nil }

  private static let shared = SharedPostgreSQLServer()
  private static let threads = Result { try WorkerThreads(name: "postgresql", count: 4) }

  /// A database of the server that all tests of this process share, which is started at the first call. Nothing is in it,
  /// and no other test uses it.
  ///
  /// Waits on a thread that is not a test's: to make a cluster takes a second, and the pool that all tests share has two threads.
  package static func database() async throws -> PostgreSQLDatabase {
    try await onItsThread { try shared.database() }
  }

  /// The same, for a caller that may block.
  package static func databaseNow() throws -> PostgreSQLDatabase { try shared.database() }

  /// Runs what blocks, such as starting a server, on one of four threads.
  package static func onItsThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let threads = try threads.get()
    return try await withCheckedThrowingContinuation { continuation in
      threads.submit { continuation.resume(with: Result { try body() }) }
    }
  }
}

/// Calls `body` with a database of its own on the server that all tests share.
package func withDatabase<Value>(_ body: (PostgreSQLDatabase) async throws -> Value) async throws -> Value {
  try await body(try await PostgreSQL.database())
}
