package import Registration

/// A store whose n-th call fails. For n = 1, 2, 3 … every order of failures is met.
package actor FaultyStore: AccountStore {
  private let store: any AccountStore
  /// Nil where no fault is to come, or has come.
  private var callsUntilFault: Int?
  private let failure: StoreFailure

  /// - Parameter call: Which call fails, from 1; 0 for none.
  package init(_ store: any AccountStore, failing call: Int, with failure: StoreFailure = .full) {
    self.store = store
    callsUntilFault = call > 0 ? call : nil
    self.failure = failure
  }

  /// Whether the fault has come.
  package private(set) var hasFailed = false

  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try count()
    return try await store.insert(account, request: request, stamp)
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try count()
    return try await store.find(key)
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try count()
    return try await store.find(id)
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try count()
    return try await store.find(request)
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try count()
    return try await store.note(request, for: id)
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try count()
    return try await store.activate(id, stamp)
  }

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.resume(id, seen: seen, stamp)
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.release(id, seen: seen, remembered: remembered, stamp)
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    try count()
    return try await store.released(request, key, at: now)
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.confirm(id, at: time)
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.replaceHash(of: id, from: old, to: new, stamp)
  }

  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try count()
    return try await store.setPassword(of: id, to: hash, stamp)
  }

  package func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try count()
    return try await store.setEnabled(id, isEnabled, stamp)
  }

  package func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.delete(id, stamp)
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try count()
    return try await store.list(after: after, limit: limit)
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try count()
    return try await store.pending(after: after, limit: limit)
  }

  package func importing(
    _ accounts: [StoredAccount], _ stamp: Stamp
  ) async throws(StoreFailure) -> [ImportAnswer] {
    try count()
    return try await store.importing(accounts, stamp)
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try count()
    return try await store.audit(after: after, limit: limit)
  }

  package func check() async throws(StoreFailure) {
    try count()
    try await store.check()
  }

  private func count() throws(StoreFailure) {
    guard let calls = callsUntilFault else { return }
    callsUntilFault = calls > 1 ? calls - 1 : nil
    guard calls == 1 else { return }
    hasFailed = true
    throw failure
  }
}

/// The same without what most tests do not look at: nobody asked, by no request.
extension AccountStore {
  package func insert(_ account: StoredAccount) async throws(StoreFailure) -> InsertAnswer {
    try await insert(account, request: nil, Stamp(account.account.createdAt))
  }

  package func activate(_ id: AccountID, at time: Timestamp) async throws(StoreFailure) -> Account? {
    try await activate(id, Stamp(time))
  }

  package func resume(_ id: AccountID, seen: Timestamp, at time: Timestamp) async throws(StoreFailure) -> Bool {
    try await resume(id, seen: seen, Stamp(time))
  }

  package func release(_ id: AccountID, seen: Timestamp) async throws(StoreFailure) -> Bool {
    try await release(id, seen: seen, Stamp(seen))
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, at time: Timestamp
  ) async throws(StoreFailure) -> Bool {
    try await replaceHash(of: id, from: old, to: new, Stamp(time))
  }
}
