package import Registration

/// A memory store as seen by another regd that has the same store open.
package struct ColleagueStore: StoreEngine, StoreUnderTest {
  let memory: MemoryStore
  let claimant: Claimant
  private let note: @Sendable (ChangeScope) -> Void

  /// - Parameter note: Called with the scope of each change.
  package init(
    _ memory: MemoryStore, _ claimant: Claimant, _ note: @escaping @Sendable (ChangeScope) -> Void = { _ in }
  ) {
    self.memory = memory
    self.claimant = claimant
    self.note = note
  }

  package var keys: StoreKeys { memory.keys }
  package var cryptography: any AuditCryptography { memory.cryptography }

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value { try await memory.acting(as: claimant, body) }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value {
    try await memory.acting(as: claimant, body)
  }

  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    note(scope)
    return try await memory.acting(as: claimant, body)
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await memory.acting(as: claimant) {
      $0.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
    }
  }

  package func check() async {}
}
