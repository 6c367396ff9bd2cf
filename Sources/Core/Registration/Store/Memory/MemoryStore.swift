/// The simplest correct store: the reference for all others, and a backend for trials (`store.backend: memory`).
/// Accounts are lost when the process ends. The store never fails, and never waits.
package actor MemoryStore: StoreEngine {
  private let rows: MemoryTransaction

  package nonisolated let keys = StoreKeys.random()
  package nonisolated let cryptography: any AuditCryptography

  /// - Parameters:
  ///   - claimant: The regd that has the store open.
  ///   - cryptography: Hashes the audit's entries.
  ///   - observer: Called with the audit entry of each change.
  ///   - now: The clock by which a regd's claims of accounts and leases of mails expire.
  package init(
    _ claimant: Claimant = Claimant(), cryptography: any AuditCryptography,
    observer: @escaping AuditObserver = { _ in }, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.cryptography = cryptography
    rows = MemoryTransaction(claimant, keys.codes, cryptography, observer: observer, now: now)
  }

  /// Runs `body` as another regd that has the same store open. For tests.
  package func acting<Value: Sendable>(
    as other: Claimant, _ body: @Sendable (MemoryTransaction) throws(StoreFailure) -> Value
  ) throws(StoreFailure) -> Value {
    // no other operation runs in between, because `body` cannot suspend
    let mine = rows.claimant
    rows.claimant = other
    defer { rows.claimant = mine }
    return try body(rows)
  }

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) throws(StoreFailure) -> Value { try body(rows) }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) throws(StoreFailure) -> Value { try body(rows) }

  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: StoreBody<Value>
  ) throws(StoreFailure) -> Value { try body(rows) }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) -> Bool {
    rows.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
  }

  package func check() {}
}
