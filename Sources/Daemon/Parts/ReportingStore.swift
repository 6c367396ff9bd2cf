internal import Logging
internal import Registration

/// Tells the log what a store could not do; callers learn only what they may.
struct ReportingStore: AccountStore {
  let store: any AccountStore
  let logger: Logger

  func insert(_ account: StoredAccount) async throws(StoreFailure) -> InsertAnswer {
    try await report("insert") { () async throws(StoreFailure) in try await store.insert(account) }
  }

  func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await report("find") { () async throws(StoreFailure) in try await store.find(key) }
  }

  func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await report("find") { () async throws(StoreFailure) in try await store.find(id) }
  }

  func activate(_ id: AccountID, at time: Timestamp) async throws(StoreFailure) -> Account? {
    try await report("activate") { () async throws(StoreFailure) in try await store.activate(id, at: time) }
  }

  func resume(_ id: AccountID, seen: Timestamp, at time: Timestamp) async throws(StoreFailure) -> Bool {
    try await report("resume") { () async throws(StoreFailure) in try await store.resume(id, seen: seen, at: time) }
  }

  func release(_ id: AccountID, seen: Timestamp) async throws(StoreFailure) -> Bool {
    try await report("release") { () async throws(StoreFailure) in try await store.release(id, seen: seen) }
  }

  func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, at time: Timestamp
  ) async throws(StoreFailure) -> Bool {
    try await report("replaceHash") { () async throws(StoreFailure) in
      try await store.replaceHash(of: id, from: old, to: new, at: time)
    }
  }

  func check() async throws(StoreFailure) {
    try await report("check") { () async throws(StoreFailure) in try await store.check() }
  }

  private func report<Value>(
    _ operation: String, _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    do {
      return try await body()
    } catch {
      logger.error("the store failed", metadata: ["operation": "\(operation)", "failure": "\(error)"])
      throw error
    }
  }
}
