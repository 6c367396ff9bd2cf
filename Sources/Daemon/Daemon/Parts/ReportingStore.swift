internal import Logging
internal import Methods
internal import Registration

/// Tells the log and the health what a store could not do; callers learn only what they may.
struct ReportingStore: AccountStore {
  let store: any AccountStore
  let logger: Logger
  let health: Health

  func insert(_ account: StoredAccount, request: RequestKey?, _ stamp: Stamp) async throws(StoreFailure) -> InsertAnswer
  {
    try await report("insert", .writing) { () async throws(StoreFailure) in
      try await store.insert(account, request: request, stamp)
    }
  }

  func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await report("find", .reading) { () async throws(StoreFailure) in try await store.find(key) }
  }

  func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await report("find", .reading) { () async throws(StoreFailure) in try await store.find(id) }
  }

  func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    try await report("find", .reading) { () async throws(StoreFailure) in try await store.find(request) }
  }

  func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    try await report("note", .writing) { () async throws(StoreFailure) in try await store.note(request, for: id) }
  }

  func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await report("activate", .writing) { () async throws(StoreFailure) in
      try await store.activate(id, stamp)
    }
  }

  func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await report("resume", .writing) { () async throws(StoreFailure) in
      try await store.resume(id, seen: seen, stamp)
    }
  }

  func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await report("release", .writing) { () async throws(StoreFailure) in
      try await store.release(id, seen: seen, remembered: remembered, stamp)
    }
  }

  func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    try await report("released", .reading) { () async throws(StoreFailure) in
      try await store.released(request, key, at: now)
    }
  }

  func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await report("confirm", .writing) { () async throws(StoreFailure) in
      try await store.confirm(id, at: time)
    }
  }

  func replaceHash(of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp)
    async throws(StoreFailure) -> Bool
  {
    try await report("replaceHash", .writing) { () async throws(StoreFailure) in
      try await store.replaceHash(of: id, from: old, to: new, stamp)
    }
  }

  func setPassword(of id: AccountID, to hash: PasswordHash, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await report("setPassword", .writing) { () async throws(StoreFailure) in
      try await store.setPassword(of: id, to: hash, stamp)
    }
  }

  func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await report("setEnabled", .writing) { () async throws(StoreFailure) in
      try await store.setEnabled(id, isEnabled, stamp)
    }
  }

  func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await report("delete", .writing) { () async throws(StoreFailure) in try await store.delete(id, stamp) }
  }

  func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await report("list", .reading) { () async throws(StoreFailure) in
      try await store.list(after: after, limit: limit)
    }
  }

  func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await report("pending", .reading) { () async throws(StoreFailure) in
      try await store.pending(after: after, limit: limit)
    }
  }

  func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async throws(StoreFailure) -> [ImportAnswer] {
    try await report("importing", .writing) { () async throws(StoreFailure) in
      try await store.importing(accounts, stamp)
    }
  }

  func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await report("audit", .reading) { () async throws(StoreFailure) in
      try await store.audit(after: after, limit: limit)
    }
  }

  func check() async throws(StoreFailure) {
    try await report("check", .checking) { () async throws(StoreFailure) in try await store.check() }
  }

  private func report<Value>(
    _ operation: String, _ kind: Health.Kind, _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    do {
      let value = try await body()
      health.note(.store, kind, nil)
      return value
    } catch {
      // what nobody wants any more says nothing about the store
      guard !Task.isCancelled, error != .cancelled else { throw error }
      logger.error("the store failed", metadata: ["operation": "\(operation)", "failure": "\(error)"])
      health.note(.store, kind, "\(error)")
      throw error
    }
  }
}
