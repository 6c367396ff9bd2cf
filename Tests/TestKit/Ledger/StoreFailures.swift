internal import Linux
package import Registration

extension StoreFailure {
  package var isUnknown: Bool { if case .unknown = self { true } else { false } }
  package var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
  package var isTemporary: Bool { isUnknown || isUnavailable }
}

/// Repeats an operation until the server serves it; the suite's time limit ends an operation that never gets through.
package func eventually<Value: Sendable>(_ body: () async throws(StoreFailure) -> Value) async throws -> Value {
  while true {
    do throws(StoreFailure) { return try await body() } catch {
      guard error.isTemporary else { throw error }
    }
    try await letOthersWork()
  }
}

/// Waits 20 ms before a repetition, to leave the cores to other tasks.
package func letOthersWork() async throws {
  try await PostgreSQL.onItsThread { ThisThread.sleep(for: .milliseconds(20)) }
}
