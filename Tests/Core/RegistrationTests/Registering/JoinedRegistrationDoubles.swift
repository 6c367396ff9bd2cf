import Registration
import TestKit

/// Somebody else resumes the reservation just before the caller does, the first few times.
actor Restlessness {
  private(set) var left: Int

  init(_ times: Int) { left = times }

  func store(on inner: any AccountStore) -> PreparedStore {
    PreparedStore(inner) { (call) async throws(StoreFailure) in
      guard case .change(let id, let seen?) = call, await self.hasTurn() else { return }
      let later = Timestamp(microseconds: seen.microseconds + 1)
      _ = try await inner.resume(id, seen: seen, Stamp(later))
    }
  }

  private func hasTurn() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
