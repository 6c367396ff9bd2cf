package import Registration

/// The life of a process that dies at one of its calls to the outside: from then on nothing is done, and nobody hears of
/// it.
package actor Life {
  private var callsUntilDeath: Int
  private let diesAfter: Bool

  /// - Parameters:
  ///   - call: At which call, from 1; nil for never.
  ///   - after: Whether that call is still done, and only its answer is lost.
  package init(diesAt call: Int?, after: Bool) {
    callsUntilDeath = call ?? .max
    diesAfter = after
  }

  package var isOver: Bool { callsUntilDeath == 0 }

  enum Turn {
    case live, doAndDie, dead
  }

  func turn() -> Turn {
    guard callsUntilDeath > 0 else { return .dead }
    callsUntilDeath -= 1
    return callsUntilDeath > 0 ? .live : diesAfter ? .doAndDie : .dead
  }
}

/// The upstream of a process that dies.
package struct MortalNetwork: NetworkService {
  private let network: any NetworkService
  private let life: Life

  package init(_ network: any NetworkService, _ life: Life) {
    self.network = network
    self.life = life
  }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await live { () async throws(NetworkFailure) in try await network.isAvailable(email) }
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    try await live { () async throws(NetworkFailure) in try await network.register(registration) }
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await live { () async throws(NetworkFailure) in try await network.signIn(email, password) }
  }

  private func live<Value>(
    _ body: () async throws(NetworkFailure) -> Value
  ) async throws(NetworkFailure) -> Value {
    switch await life.turn() {
    case .live: return try await body()
    case .doAndDie:
      _ = try await body()
      throw .timeout
    case .dead: throw .timeout
    }
  }
}

/// A store of a process that dies.
package actor MortalStore: AccountStore {
  private let store: any AccountStore
  private let life: Life

  package init(_ store: any AccountStore, _ life: Life) {
    self.store = store
    self.life = life
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

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await live { () async throws(StoreFailure) in
      try await store.release(id, seen: seen, remembered: remembered, stamp)
    }
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    try await live { () async throws(StoreFailure) in
      try await store.released(request, key, at: now)
    }
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await live { () async throws(StoreFailure) in
      try await store.confirm(id, at: time)
    }
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

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await live { () async throws(StoreFailure) in try await store.pending(after: after, limit: limit) }
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
    switch await life.turn() {
    case .live: return try await body()
    case .doAndDie: _ = try await body()
    case .dead: break
    }
    throw .unavailable(detail: "the process is dead")
  }
}
