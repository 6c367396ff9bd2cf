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

  package func insert(_ account: StoredAccount) async throws(StoreFailure) -> InsertAnswer {
    try count()
    return try await store.insert(account)
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try count()
    return try await store.find(key)
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try count()
    return try await store.find(id)
  }

  package func activate(_ id: AccountID, at time: Timestamp) async throws(StoreFailure) -> Account? {
    try count()
    return try await store.activate(id, at: time)
  }

  package func resume(_ id: AccountID, seen: Timestamp, at time: Timestamp) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.resume(id, seen: seen, at: time)
  }

  package func release(_ id: AccountID, seen: Timestamp) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.release(id, seen: seen)
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, at time: Timestamp
  ) async throws(StoreFailure) -> Bool {
    try count()
    return try await store.replaceHash(of: id, from: old, to: new, at: time)
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
