import Registration
import TestDoubles

/// Lets another caller resume the reservation just before each of the first few calls that resume it.
struct Contest: StoreHook {
  let accounts: Accounts
  let times: Countdown

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    if call.operation == .resume, let id = call.scope.ids.first, await times.takeOne(),
      let seen = try await accounts.find(id)?.account.updatedAt
    {
      _ = try await accounts.resume(id, seen: seen, Stamp(Timestamp(microseconds: seen.microseconds + 1)))
    }
    return try await proceed()
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
