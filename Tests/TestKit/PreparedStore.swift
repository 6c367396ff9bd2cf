package import Registration

/// A store that lets something happen before each call: somebody else's turn, or somebody else's change.
package struct PreparedStore: AccountStore {
  package enum Call: Sendable {
    /// Of a reservation; `seen` where it is resumed.
    case change(AccountID, seen: Timestamp?)
    /// Of a request.
    case note
    case another
  }

  private let store: any AccountStore
  private let prepare: @Sendable (Call) async throws(StoreFailure) -> Void

  package init(_ store: any AccountStore, _ prepare: @escaping @Sendable (Call) async throws(StoreFailure) -> Void) {
    self.store = store
    self.prepare = prepare
  }

  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await prepare(.another)
    return try await store.insert(account, request: request, stamp)
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await prepare(.another)
    return try await store.find(key)
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await prepare(.another)
    return try await store.find(id)
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await prepare(.another)
    return try await store.find(request)
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try await prepare(.note)
    return try await store.note(request, for: id)
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await prepare(.change(id, seen: nil))
    return try await store.activate(id, stamp)
  }

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await prepare(.change(id, seen: seen))
    return try await store.resume(id, seen: seen, stamp)
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await prepare(.another)
    return try await store.release(id, seen: seen, remembered: remembered, stamp)
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    try await prepare(.another)
    return try await store.released(request, key, at: now)
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await prepare(.another)
    return try await store.confirm(id, at: time)
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await prepare(.another)
    return try await store.replaceHash(of: id, from: old, to: new, stamp)
  }

  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await prepare(.another)
    return try await store.setPassword(of: id, to: hash, stamp)
  }

  package func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await prepare(.another)
    return try await store.setEnabled(id, isEnabled, stamp)
  }

  package func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await prepare(.another)
    return try await store.delete(id, stamp)
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await prepare(.another)
    return try await store.list(after: after, limit: limit)
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await prepare(.another)
    return try await store.pending(after: after, limit: limit)
  }

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer] {
    try await prepare(.another)
    return try await store.importing(accounts, stamp)
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await prepare(.another)
    return try await store.audit(after: after, limit: limit)
  }

  package func check() async throws(StoreFailure) {
    try await prepare(.another)
    try await store.check()
  }
}
