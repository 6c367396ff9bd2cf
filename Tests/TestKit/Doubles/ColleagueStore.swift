package import Registration

/// A memory store as another regd sees it that has it open.
package struct ColleagueStore: AccountStore {
  let memory: MemoryStore
  let claimant: Claimant

  package init(_ memory: MemoryStore, _ claimant: Claimant) {
    self.memory = memory
    self.claimant = claimant
  }

  package func insert(_ account: StoredAccount, request: RequestKey?, _ stamp: Stamp) async -> InsertAnswer {
    await memory.acting(as: claimant) { $0.insert(account, request: request, stamp) }
  }

  package func find(_ key: EmailKey) async -> StoredAccount? { await memory.find(key) }

  package func find(_ id: AccountID) async -> StoredAccount? { await memory.find(id) }

  package func find(_ request: RequestKey) async -> KnownRequest? { await memory.find(request) }

  package func note(_ request: RequestKey, for id: AccountID) async -> NoteAnswer {
    await memory.note(request, for: id)
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async -> Account? {
    await memory.acting(as: claimant) { $0.activate(id, stamp) }
  }

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async -> ResumeAnswer {
    await memory.acting(as: claimant) { $0.resume(id, seen: seen, stamp) }
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async -> Bool {
    await memory.acting(as: claimant) { $0.renew(id, seen: seen, for: share) }
  }

  package func release(_ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp) async -> Bool {
    await memory.acting(as: claimant) { $0.release(id, seen: seen, remembered: remembered, stamp) }
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async -> [ReleasedRegistration] { await memory.released(request, key, at: now) }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async -> Bool {
    await memory.acting(as: claimant) { $0.replaceHash(of: id, from: old, to: new, stamp) }
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async -> Bool { await memory.confirm(id, at: time) }

  package func pending(after: AccountID?, limit: Int) async -> [PendingAccount] {
    await memory.acting(as: claimant) { $0.pending(after: after, limit: limit) }
  }

  package func find(pending id: AccountID) async -> PendingAccount? {
    await memory.acting(as: claimant) { $0.find(pending: id) }
  }

  package func putOff(_ id: AccountID, seen: Timestamp, _ delivery: Delivery) async -> Bool {
    await memory.acting(as: claimant) { $0.putOff(id, seen: seen, delivery) }
  }

  package func setPassword(of id: AccountID, to hash: PasswordHash, _ stamp: Stamp) async -> Account? {
    await memory.acting(as: claimant) { $0.setPassword(of: id, to: hash, stamp) }
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async -> Bool {
    await memory.acting(as: claimant) { $0.noteGuessed(id, stamp) }
  }

  package func setEnabled(_ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp) async -> Account? {
    await memory.acting(as: claimant) { $0.setEnabled(id, isEnabled, stamp) }
  }

  package func delete(_ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp) async -> DeleteAnswer {
    await memory.acting(as: claimant) { $0.delete(id, having: hash, stamp) }
  }

  package func list(after: AccountID?, limit: Int) async -> [StoredAccount] {
    await memory.list(after: after, limit: limit)
  }

  package func importing(_ accounts: [StoredAccount], _ stamp: Stamp) async -> [ImportAnswer] {
    await memory.acting(as: claimant) { $0.importing(accounts, stamp) }
  }

  package func audit(after: Int, limit: Int) async -> [AuditEntry] { await memory.audit(after: after, limit: limit) }

  package func check() async {}
}
