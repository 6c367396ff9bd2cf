internal import Glibc
package import RegdProcesses
internal import Synchronization
internal import WorkerThreads

/// Real PostgreSQL servers for tests.
package enum PostgreSQL {
  /// Whether a server can be started. Always true in CI, where a test must fail and not be skipped.
  package static var isHere: Bool { (try? PostgreSQLPrograms.find()) != nil || getenv("CI") != nil }

  /// The server that all tests of this process share. It starts with the first request for a database.
  package static let shared = SharedPostgreSQLServer()
  /// Limits the tests that use the server at once, because all together would need more sessions than the server
  /// accepts.
  private static let gate = Gate(width: 24)
  private static let threads = Result { try WorkerThreads(name: "postgresql", count: 4) }

  /// An empty database for one test, on the server that all tests of this process share. The first call starts the
  /// server.
  ///
  /// Waits on a thread that is not a test's: making a cluster takes a second, and the pool that all tests share has
  /// only one thread per processor.
  package static func database() async throws -> PostgreSQLDatabase {
    try await onItsThread { try shared.database() }
  }

  /// Like `database`, for a caller that may block.
  package static func databaseNow() throws -> PostgreSQLDatabase { try shared.database() }

  /// Runs a blocking call, such as starting a server, on one of four threads.
  package static func onItsThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let threads = try threads.get()
    // the thread does not belong to the caller's task
    let leftovers = Leftovers.current
    return try await withCheckedThrowingContinuation { continuation in
      threads.submit {
        continuation.resume(with: Result { try Leftovers.$current.withValue(leftovers) { try body() } })
      }
    }
  }
}

extension PostgreSQL {
  /// Runs `body`, which opens stores on the shared server. At most 24 run at a time, and the others wait. Must not be
  /// nested.
  package static func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
    await gate.enter()
    defer { gate.leave() }
    return try await body()
  }
}

/// Calls `body` with a separate database on the server that all tests share.
package func withDatabase<Value>(_ body: (PostgreSQLDatabase) async throws -> Value) async throws -> Value {
  try await PostgreSQL.inTurn { try await body(try await PostgreSQL.database()) }
}

/// A semaphore: admits `width` tasks at a time, and the others in the order of their arrival.
private final class Gate: Sendable {
  private struct Guarded {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let guarded: Mutex<Guarded>

  init(width: Int) { guarded = Mutex(Guarded(free: width)) }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isIn = guarded.withLock { guarded in
        guard guarded.free == 0 else {
          guarded.free -= 1
          return true
        }
        guarded.waiting.append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
  }

  func leave() {
    let next = guarded.withLock { guarded -> CheckedContinuation<Void, Never>? in
      guard guarded.waiting.isEmpty else { return guarded.waiting.removeFirst() }
      guarded.free += 1
      return nil
    }
    next?.resume()
  }
}
