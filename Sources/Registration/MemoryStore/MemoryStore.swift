/// The shortest correct store: the reference for all others, and a backend for rehearsing (`store.backend: memory`).
/// Its accounts go with the process.
package actor MemoryStore: AccountStore {
  private var accounts: [AccountID: StoredAccount] = [:]
  private var ids: [EmailKey: AccountID] = [:]

  package init() {}

  package func insert(_ account: StoredAccount) -> InsertAnswer {
    if let holder = find(account.account.email.key) { return .taken(holder) }
    ids[account.account.email.key] = account.account.id
    accounts[account.account.id] = account
    return .inserted
  }

  package func find(_ key: EmailKey) -> StoredAccount? { ids[key].flatMap { accounts[$0] } }

  package func find(_ id: AccountID) -> StoredAccount? { accounts[id] }

  package func activate(_ id: AccountID, at time: Timestamp) -> Account? {
    guard var found = accounts[id], found.account.state != .disabled else { return nil }
    if found.account.state == .pending {
      found.account.state = .active
      found.account.updatedAt = time
      accounts[id] = found
    }
    return found.account
  }

  package func resume(_ id: AccountID, seen: Timestamp, at time: Timestamp) -> Bool {
    guard let found = accounts[id]?.account, found.state == .pending, found.updatedAt == seen else { return false }
    accounts[id]?.account.updatedAt = time
    return true
  }

  package func release(_ id: AccountID, seen: Timestamp) -> Bool {
    guard let found = accounts[id], found.account.state == .pending, found.account.updatedAt == seen else {
      return false
    }
    accounts[id] = nil
    ids[found.account.email.key] = nil
    return true
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, at time: Timestamp
  ) -> Bool {
    guard var found = accounts[id], found.passwordHash == old else { return false }
    found.passwordHash = new
    found.account.updatedAt = time
    accounts[id] = found
    return true
  }

  package func check() {}
}
