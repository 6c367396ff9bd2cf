/// The shortest correct store: the reference for all others, and a backend for rehearsing (`store.backend: memory`).
/// Accounts are gone with the process. Never fails, and never waits.
package actor MemoryStore: AccountStore {
  var accounts: [AccountID: StoredAccount] = [:]
  var ids: [EmailKey: AccountID] = [:]
  private var requests: [RequestKey: (account: AccountID, hash: PasswordHash)] = [:]
  var memory = ReleasedMemory()
  private var leases = Leases()
  package nonisolated let codeKey = CodeKey.random()
  var claims = ClaimTable()
  var wrongCodes = WrongCodeTable()
  var mails = MailTable()
  var entries: [AuditEntry] = []
  /// Up to which entry the addresses of an account are to go, and since when.
  var erasures: [(account: AccountID, upTo: Int, since: Timestamp)] = []
  private let observer: AuditObserver
  let now: @Sendable () -> ContinuousClock.Instant
  private(set) var claimant: Claimant

  /// - Parameters:
  ///   - claimant: The regd that has it open.
  ///   - observer: Called with each change.
  ///   - now: The clock of claims.
  package init(
    _ claimant: Claimant = Claimant(), observer: @escaping AuditObserver = { _ in },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.claimant = claimant
    self.observer = observer
    self.now = now
  }

  /// Does something as if another regd had asked for it, that has the same memory open.
  package func acting<Value: Sendable>(
    as other: Claimant, _ body: @Sendable (isolated MemoryStore) -> Value
  ) -> Value {
    // nothing comes in between: no operation of the store waits
    let mine = claimant
    claimant = other
    defer { claimant = mine }
    return body(self)
  }

  package func insert(_ account: StoredAccount, request: RequestKey?, _ stamp: Stamp) -> InsertAnswer {
    if let known = request.flatMap({ find($0) }) { return .requestKnown(known) }
    if let holder = find(account.account.email.key) { return .taken(holder) }
    add(account)
    if account.account.state == .pending { leases.claim(account.account.id, claimant, now()) }
    note(request, account)
    write(account.account.state == .pending ? .reserved : .registered, account.account, stamp)
    if account.account.state != .pending { claims.end(for: account.account) }
    return .inserted
  }

  package func find(_ key: EmailKey) -> StoredAccount? { ids[key].flatMap { accounts[$0] } }

  package func find(_ id: AccountID) -> StoredAccount? { accounts[id] }

  package func find(_ request: RequestKey) -> KnownRequest? {
    guard let known = requests[request], let found = accounts[known.account] else { return nil }
    return KnownRequest(account: found.account, passwordHash: known.hash)
  }

  package func note(_ request: RequestKey, for id: AccountID) -> NoteAnswer {
    guard let found = accounts[id] else { return .gone }
    if let known = find(request), known.account.id != id { return .known(known) }
    note(request, found)
    return .noted
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) -> Account? {
    guard let found = accounts[id], found.account.state != .disabled else { return nil }
    leases.forget(id)
    claims.end(for: found.account)
    return found.account.state == .active ? found.account : change(id, .activated, stamp) { $0.account.state = .active }
  }

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) -> ResumeAnswer {
    guard let found = accounts[id]?.account, found.state == .pending else { return .gone }
    guard !isClaimedElsewhere(id) else { return .claimed }
    guard found.updatedAt == seen else { return .gone }
    _ = change(id, .resumed, stamp) { _ in }
    leases.claim(id, claimant, now())
    return .resumed
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) -> Bool {
    guard isPending(id, since: seen), !isClaimedElsewhere(id) else { return false }
    leases.claim(id, claimant, now())
    return true
  }

  package func release(_ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp) -> Bool {
    guard let found = accounts[id]?.account, isPending(id, since: seen), !isClaimedElsewhere(id) else { return false }
    if remembered {
      for (request, known) in requests where known.account == id {
        memory.note(
          request, ReleasedRegistration(id: id, email: found.email, passwordHash: known.hash), at: stamp.time)
      }
    }
    remove(found, .released, stamp)
    return true
  }

  package func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) -> [ReleasedRegistration] {
    memory.released(request, key, at: now)
  }

  package func replaceHash(of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp) -> Bool {
    guard accounts[id]?.passwordHash == old else { return false }
    return change(id, .rehashed, stamp) { $0.set(new, stamp) } != nil
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) -> Bool {
    guard let found = accounts[id] else { return false }
    accounts[id]?.confirmedAt = time.map { max($0, found.confirmedAt ?? $0) }
    return true
  }

  package func setPassword(of id: AccountID, to hash: PasswordHash, _ stamp: Stamp) -> Account? {
    claims.endRest(of: id)
    return change(id, .passwordSet, stamp) { $0.set(hash, stamp) }
  }

  package func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) -> Account? {
    let (from, to): (Account.State, Account.State) = isEnabled ? (.disabled, .active) : (.active, .disabled)
    guard let found = accounts[id]?.account, found.state == from else { return accounts[id]?.account }
    return change(id, isEnabled ? .enabled : .disabled, stamp) { $0.account.state = to }
  }

  package func delete(_ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp) -> DeleteAnswer {
    guard let stored = accounts[id] else { return .gone }
    let found = stored.account
    guard !isClaimedElsewhere(id) else { return .claimed }
    guard hash == nil || hash == stored.passwordHash else { return .changed }
    remove(found, .deleted, stamp)
    memory.forget(found.email.key)
    claims.forget(found)
    mails.forget(found)
    return .deleted
  }

  package func list(after: AccountID?, limit: Int) -> [StoredAccount] {
    let all = accounts.values.sorted { $0.account.id < $1.account.id }
    return Array(all.drop { stored in after.map { stored.account.id <= $0 } ?? false }.prefix(limit))
  }

  package func pending(after: AccountID?, limit: Int) -> [PendingAccount] {
    let pending = accounts.values.filter { $0.account.state == .pending }.sorted { $0.account.id < $1.account.id }
    return pending.drop { stored in after.map { stored.account.id <= $0 } ?? false }.prefix(limit).map {
      withDelivery($0)
    }
  }

  package func find(pending id: AccountID) -> PendingAccount? {
    guard let found = accounts[id], found.account.state == .pending else { return nil }
    return withDelivery(found)
  }

  package func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) -> Bool {
    guard isPending(id, since: seen) else { return false }
    leases.end(id, delivery)
    return true
  }

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) -> [ImportAnswer] {
    accounts.map { account in
      if let holder = find(account.account.email.key) { return holder.answer(toImporting: account) }
      if find(account.account.id) != nil { return .idTaken }
      add(account)
      write(.imported, account.account, stamp)
      if account.account.state != .pending { claims.end(for: account.account) }
      return .imported
    }
  }

  package func audit(after: Int, limit: Int) -> [AuditEntry] { Array(entries.dropFirst(after).prefix(limit)) }

  package func check() {}

  func add(_ account: StoredAccount) {
    ids[account.account.email.key] = account.account.id
    accounts[account.account.id] = account
  }

  private func remove(_ account: Account, _ kind: AuditEntry.Change, _ stamp: Stamp) {
    accounts[account.id] = nil
    leases.forget(account.id)
    ids[account.email.key] = nil
    requests = requests.filter { $0.value.account != account.id }
    write(kind, account, stamp)
    erase(account.id, since: stamp.time)
  }

  /// Whether it is pending and has not changed since it was read.
  private func isPending(_ id: AccountID, since seen: Timestamp) -> Bool {
    accounts[id].map { $0.account.state == .pending && $0.account.updatedAt == seen } ?? false
  }

  private func isClaimedElsewhere(_ id: AccountID) -> Bool { leases.isAnother(id, than: claimant, now()) }

  private func withDelivery(_ stored: StoredAccount) -> PendingAccount {
    let id = stored.account.id
    return PendingAccount(stored, delivery: leases.delivery(of: id), isClaimedElsewhere: isClaimedElsewhere(id))
  }

  func note(_ request: RequestKey?, _ account: StoredAccount) {
    guard let request, find(request) == nil else { return }
    requests[request] = (account.account.id, account.passwordHash)
  }

  func change(
    _ id: AccountID, _ kind: AuditEntry.Change, _ stamp: Stamp, _ body: (inout StoredAccount) -> Void
  ) -> Account? {
    guard var found = accounts[id] else { return nil }
    body(&found)
    // the clock may have been set back
    found.account.updatedAt = max(found.account.updatedAt, stamp.time)
    accounts[id] = found
    write(kind, found.account, stamp)
    return found.account
  }

  func write(_ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp) {
    let entry = AuditEntry(
      number: entries.count + 1, change: change, account: account.id, email: account.email.typed, stamp: stamp,
      regd: claimant.name)
    entries.append(entry)
    observer(entry)
  }
}

extension StoredAccount {
  mutating func set(_ hash: PasswordHash, _ stamp: Stamp) {
    passwordHash = hash
    confirmedAt = stamp.time
  }

  /// The answer to importing `other`, whose address this account has.
  package func answer(toImporting other: StoredAccount) -> ImportAnswer {
    account.id == other.account.id || passwordHash == other.passwordHash ? .present : .emailTaken
  }
}
