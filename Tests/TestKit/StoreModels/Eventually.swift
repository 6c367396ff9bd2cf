internal import Linux
import Registration
import TestDoubles
import TestKit

/// Repeats an operation until the server performs it. The suite's time limit ends an operation that never succeeds.
package func eventually<Value: Sendable, Failure: Error>(
  _ body: () async throws(Failure) -> Value
) async throws -> Value {
  while true {
    do throws(Failure) { return try await body() } catch {
      guard (error as? StoreFailure)?.isTemporary == true else { throw error }
    }
    try await letOthersWork()
  }
}

/// Waits 20 ms before a repetition, to leave the cores to other tasks.
package func letOthersWork() async throws {
  try await PostgreSQL.onItsThread { ThisThread.sleep(for: .milliseconds(20)) }
}
