import Registration
import TestDoubles

/// A store where another caller resumes the reservation just before each of the first few calls that resume it.
struct ContestedStore: InterceptedStore {
  let store: any AccountStore
  let times: Countdown

  func around<Value: Sendable>(
    _ operation: StoreOperation, _ call: @Sendable () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value { try await call() }

  func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    if await times.takeOne() {
      _ = try await store.resume(id, seen: seen, Stamp(Timestamp(microseconds: seen.microseconds + 1)))
    }
    return try await store.resume(id, seen: seen, stamp)
  }
}

actor Countdown {
  private(set) var left: Int

  init(_ times: Int) { left = times }

  func takeOne() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
