/// The tables of the memory store, in Swift collections. Each operation changes them directly, without a commit. A
/// class, because a struct would be copied with all its tables for each operation.
package final class MemoryTransaction {
  private var accounts: [AccountID: StoredAccount] = [:]
  private var ids: [EmailKey: AccountID] = [:]
  private var requests: [RequestKey: (account: AccountID, hash: PasswordHash)] = [:]
  var memory = ReleasedMemory()
  private var leases = Leases()
  var claimTable = ClaimTable()
  var wrongCodes = WrongCodeTable()
  var mailTable = MailTable()
  var invitationTable = InvitationTable()
  var entries: [AuditEntry] = []
  /// For each entry, the hashes that are kept with its leaf.
  var hashes: [[UInt8]] = []
  private var frontier = AuditFrontier()
  var headAt: Timestamp?
  /// The accounts whose addresses are to be erased from the first `upTo` audit entries. `since`: when the account lost
  /// the address.
  private var erasures: [(account: AccountID, upTo: Int, since: Timestamp)] = []
  let codeKey: CodeKey
  let cryptography: any AuditCryptography
  private let observer: AuditObserver
  private let clock: @Sendable () -> ContinuousClock.Instant
  package var claimant: Claimant

  package init(
    _ claimant: Claimant, _ codeKey: CodeKey, _ cryptography: any AuditCryptography,
    observer: @escaping AuditObserver, now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.claimant = claimant
    self.codeKey = codeKey
    self.cryptography = cryptography
    self.observer = observer
    clock = now
  }

  /// Copies the rows. Later changes of one of the two transactions do not change the other.
  init(copying other: MemoryTransaction) {
    (accounts, ids, requests, memory) = (other.accounts, other.ids, other.requests, other.memory)
    (leases, claimTable, wrongCodes) = (other.leases, other.claimTable, other.wrongCodes)
    (mailTable, invitationTable) = (other.mailTable, other.invitationTable)
    (entries, hashes, frontier, erasures) = (other.entries, other.hashes, other.frontier, other.erasures)
    (headAt, cryptography) = (other.headAt, other.cryptography)
    (codeKey, observer, clock, claimant) = (other.codeKey, other.observer, other.clock, other.claimant)
  }

  var now: ContinuousClock.Instant { clock() }

  func note(_ draft: AuditEntry.Draft) {
    let entry = draft.entry(number: entries.count + 1, regd: claimant.name, seal: draft.newSeal())
    entries.append(entry)
    hashes.append(frontier.append(cryptography.leafHash(entry.leaf(cryptography)), cryptography))
    if draft.change == .reserved, let id = entry.account { leases.reserve(id, for: draft.stamp.by.share) }
    observer(entry)
  }

  /// Schedules the erasure of an account's addresses from the audit entries so far, because the account has lost its
  /// address.
  func endAddresses(of id: AccountID, at time: Timestamp) { erasures.append((id, entries.count, time)) }

  func eraseAddresses(_ isOver: (Timestamp) -> Bool) {
    for erasure in erasures where isOver(erasure.since) {
      for index in entries.indices.prefix(erasure.upTo) where entries[index].account == erasure.account {
        entries[index].eraseAddress(cryptography)
      }
    }
    erasures.removeAll { isOver($0.since) }
  }
}

// MARK: - Accounts and requests

extension MemoryTransaction: StoreTransaction {
  package func account(_ key: EmailKey) -> StoredAccount? { ids[key].flatMap { accounts[$0] } }

  package func account(_ id: AccountID) -> StoredAccount? { accounts[id] }

  package func lockedAccount(_ id: AccountID) -> StoredAccount? { accounts[id] }

  package func accounts(_ state: Account.State?, after: AccountID?, limit: Int) -> [StoredAccount] {
    let all = accounts.values.filter { state == nil || $0.account.state == state }.sorted {
      $0.account.id < $1.account.id
    }
    return Array(all.drop { stored in after.map { stored.account.id <= $0 } ?? false }.prefix(limit))
  }

  package func members(of group: GroupName, after: AccountID?, limit: Int) -> [StoredAccount] {
    Array(accounts(nil, after: after, limit: .max).filter { $0.account.groups.contains(group) }.prefix(limit))
  }

  package func groups(after: GroupName?, limit: Int, counting most: Int) -> Page<GroupName, CountedGroup> {
    var counts: [GroupName: Int] = [:]
    for name in accounts.values.flatMap(\.account.groups.names) { counts[name, default: 0] += 1 }
    let names = counts.keys.filter { name in after.map { name > $0 } ?? true }.sorted()
    var found: [CountedGroup] = []
    var total = 0
    for name in names.prefix(limit) where total < most {
      found.append(CountedGroup(name, members: counts[name] ?? 0))
      total += counts[name] ?? 0
    }
    return Page(elements: found, hasMore: found.count < names.count)
  }

  package func add(_ account: StoredAccount, _ request: RequestKey?, seen: [AccountID]?) -> InsertAnswer {
    if let known = request.flatMap({ self.request($0) }) { return .requestKnown(known) }
    if let holder = self.account(account.account.email.key) { return .taken(holder) }
    if let request, let seen, let last = memory.last(request, account.account.email.key), !seen.contains(last) {
      return .releasedMeanwhile(last)
    }
    add(account)
    if let request { _ = note(request, for: account.account.id) }
    return .inserted
  }

  package func add(_ accounts: [StoredAccount]) -> [ImportAnswer] {
    accounts.map { account in
      if let holder = self.account(account.account.email.key) { return holder.answer(toImporting: account) }
      if self.accounts[account.account.id] != nil { return .idTaken }
      add(account)
      return .imported
    }
  }

  private func add(_ account: StoredAccount) {
    ids[account.account.email.key] = account.account.id
    accounts[account.account.id] = account
  }

  package func update(
    _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount, at time: Timestamp
  ) -> Account? {
    guard var found = accounts[id], expected.state == nil || found.account.state == expected.state,
      expected.passwordHash == nil || found.passwordHash == expected.passwordHash
    else { return nil }
    switch update {
    case .mark: break
    case .state(let state):
      found.account.state = state
      if !state.keepsRegistrant { found.registrant = nil }
    case .terms(let terms): found.account.terms = terms
    case .groups(let groups): found.account.groups = groups
    case .displayName(let name): found.account.displayName = name
    case .disabled(let epoch): (found.account.state, found.account.epoch) = (.disabled, epoch)
    case .password(let hash, let epoch):
      (found.passwordHash, found.confirmedAt) = (hash, time)
      found.account.epoch = epoch ?? found.account.epoch
    case .recovered(let hash, let epoch):
      (found.passwordHash, found.confirmedAt) = (hash, time)
      (found.account.epoch, found.account.isProven) = (epoch, true)
    case .epoch(let epoch): found.account.epoch = epoch
    case .email(let email, let isProven):
      found.account.isProven = isProven
      ids[found.account.email.key] = nil
      ids[email.key] = id
      found.account.email = email
    }
    // `updatedAt` never decreases, even if the clock was set back
    found.account.updatedAt = max(found.account.updatedAt, time)
    accounts[id] = found
    return found.account
  }

  package func waiting(by registrant: Registrant) -> WaitingCounts {
    let all = accounts.values.lazy.filter { $0.account.state == .waiting }.compactMap(\.registrant)
    let ofUser = all.filter { $0.uid == registrant.uid }
    return WaitingCounts(
      ofAll: all.count, ofUser: ofUser.count, ofOrigin: ofUser.count { $0.origin == registrant.origin })
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) -> Bool {
    guard let found = accounts[id] else { return false }
    accounts[id]?.confirmedAt = time.map { max($0, found.confirmedAt ?? $0) }
    return true
  }

  package func remove(_ id: AccountID) {
    guard let found = accounts.removeValue(forKey: id) else { return }
    leases.forget(id)
    ids[found.account.email.key] = nil
    requests = requests.filter { $0.value.account != id }
  }

  package func request(_ request: RequestKey) -> KnownRequest? {
    guard let known = requests[request], let found = accounts[known.account] else { return nil }
    return KnownRequest(account: found.account, passwordHash: known.hash)
  }

  package func note(_ request: RequestKey, for id: AccountID) -> KnownRequest? {
    if self.request(request) == nil, let found = accounts[id] { requests[request] = (id, found.passwordHash) }
    return self.request(request)
  }

  package func remember(_ id: AccountID, at time: Timestamp) {
    guard let email = accounts[id]?.account.email else { return }
    let released = requests.filter { $0.value.account == id }.mapValues {
      ReleasedRegistration(id: id, email: email, passwordHash: $0.hash)
    }
    memory.note(released, of: leases.share(of: id).origin, at: time)
  }

  package func forgetReleased(_ key: EmailKey) { memory.forget(key) }

  package func released(_ request: RequestKey, _ key: EmailKey, at now: Timestamp) -> [ReleasedRegistration] {
    memory.released(request, key, at: now)
  }

  // MARK: Deliveries

  package func isClaimedElsewhere(_ id: AccountID) -> Bool { leases.isAnother(id, than: claimant, now) }

  package func claimDelivery(of id: AccountID) { leases.claim(id, claimant, now) }

  package func putOff(_ id: AccountID, _ delivery: Delivery) { leases.end(id, delivery) }

  package func forgetDelivery(of id: AccountID) { leases.forget(id) }

  package func pendingAccounts(after: AccountID?, limit: Int) -> [PendingAccount] {
    let pending = accounts.values.filter { $0.account.state == .pending }.sorted { $0.account.id < $1.account.id }
    return pending.drop { stored in after.map { stored.account.id <= $0 } ?? false }.prefix(limit).map {
      withDelivery($0)
    }
  }

  package func pendingAccount(_ id: AccountID) -> PendingAccount? {
    guard let found = accounts[id], found.account.state == .pending else { return nil }
    return withDelivery(found)
  }

  private func withDelivery(_ stored: StoredAccount) -> PendingAccount {
    let id = stored.account.id
    return PendingAccount(
      stored, delivery: leases.delivery(of: id), isClaimedElsewhere: isClaimedElsewhere(id),
      share: leases.share(of: id))
  }
}

/// Keeps for each account the regd that may ask the upstream for it, the outcome of the last request to the upstream,
/// and the share (user and origin) that reserved the account.
struct Leases {
  private struct Row {
    var claim: (instance: String, end: ContinuousClock.Instant)?
    var delivery: Delivery?
  }

  private var rows: [AccountID: Row] = [:]
  private var shares: [AccountID: Share] = [:]

  /// Whether another regd has an unexpired claim of the account.
  func isAnother(_ id: AccountID, than claimant: Claimant, _ now: ContinuousClock.Instant) -> Bool {
    rows[id]?.claim.map { $0.instance != claimant.instance && $0.end > now } ?? false
  }

  func delivery(of id: AccountID) -> Delivery? { rows[id]?.delivery }

  mutating func claim(_ id: AccountID, _ claimant: Claimant, _ now: ContinuousClock.Instant) {
    rows[id, default: Row()].claim = (claimant.instance, now + claimant.lease)
  }

  mutating func end(_ id: AccountID, _ delivery: Delivery) { rows[id] = Row(claim: nil, delivery: delivery) }

  mutating func reserve(_ id: AccountID, for share: Share) { shares[id] = share }

  /// The share that reserved the account, or regd's own share if none did.
  func share(of id: AccountID) -> Share { shares[id] ?? .daemon }

  mutating func forget(_ id: AccountID) {
    rows[id] = nil
    shares[id] = nil
  }
}
