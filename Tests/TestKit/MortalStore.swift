package import Registration

/// A store of a process that dies at the n-th call: from then on nothing is done, and nobody hears of it.
package actor MortalStore: AccountStore {
  private let store: any AccountStore
  private var callsUntilDeath: Int
  private let diesAfter: Bool

  /// - Parameters:
  ///   - call: At which call, from 1.
  ///   - after: Whether that call is still done, and only its answer is lost.
  package init(_ store: any AccountStore, diesAt call: Int, after: Bool) {
    self.store = store
    callsUntilDeath = call
    diesAfter = after
  }

  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await live { () async throws(StoreFailure) in try await store.insert(account, request: request, stamp) }
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await live { () async throws(StoreFailure) in try await store.find(key) }
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await live { () async throws(StoreFailure) in try await store.find(id) }
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await live { () async throws(StoreFailure) in try await store.find(request) }
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try await live { () async throws(StoreFailure) in try await store.note(request, for: id) }
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await live { () async throws(StoreFailure) in try await store.activate(id, stamp) }
  }

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await live { () async throws(StoreFailure) in try await store.resume(id, seen: seen, stamp) }
  }

  package func release(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await live { () async throws(StoreFailure) in try await store.release(id, seen: seen, stamp) }
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await live { () async throws(StoreFailure) in try await store.replaceHash(of: id, from: old, to: new, stamp) }
  }

  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await live { () async throws(StoreFailure) in try await store.setPassword(of: id, to: hash, stamp) }
  }

  package func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await live { () async throws(StoreFailure) in try await store.setEnabled(id, isEnabled, stamp) }
  }

  package func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await live { () async throws(StoreFailure) in try await store.delete(id, stamp) }
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await live { () async throws(StoreFailure) in try await store.list(after: after, limit: limit) }
  }

  package func importing(
    _ accounts: [StoredAccount], _ stamp: Stamp
  ) async throws(StoreFailure) -> [ImportAnswer] {
    try await live { () async throws(StoreFailure) in try await store.importing(accounts, stamp) }
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await live { () async throws(StoreFailure) in try await store.audit(after: after, limit: limit) }
  }

  package func check() async throws(StoreFailure) {
    try await live { () async throws(StoreFailure) in try await store.check() }
  }

  private func live<Value>(
    _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let dead = StoreFailure.unavailable(detail: "the process is dead")
    guard callsUntilDeath > 0 else { throw dead }
    callsUntilDeath -= 1
    guard callsUntilDeath == 0 else { return try await body() }
    if diesAfter { _ = try await body() }
    throw dead
  }
}
