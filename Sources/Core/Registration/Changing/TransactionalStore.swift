/// A store that does transactions, and is an `AccountStore` by them.
package protocol TransactionalStore: AccountStore {
  associatedtype Transaction: StoreTransaction

  /// Does `body` in one transaction, when it is the share's turn; does it again where another transaction was in the way. Commits
  /// nothing where nothing was changed.
  ///
  /// - Parameters:
  ///   - concern: What is not known for as long as its commit is in doubt.
  ///   - isLate: Whether it ignores cancellation.
  func change<Value: Sendable>(
    _ concern: Concern, for share: Share, evenIfLate isLate: Bool,
    _ body: @escaping @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value

  /// Looks something up. If a commit in doubt concerns what was asked for or what was found, settles it and looks again.
  ///
  /// - Parameters:
  ///   - concern: What was asked for.
  ///   - found: What an answer is about.
  /// - Throws: `unknown` where the commit cannot be settled: what may be there is not called absent.
  func look<Value: Sendable>(
    _ concern: Concern, _ found: @Sendable (Value) -> Concern,
    _ body: @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value

  /// Reads a page, beside look-ups: one account does not wait behind a thousand. Settles a commit in doubt first.
  func list<Value: Sendable>(
    _ body: @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value
}

// MARK: - Registering and signing in

extension TransactionalStore {
  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await change(Concern([account], request), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.insert(account, request: request, stamp)
    }
  }

  package func find(_ key: EmailKey) async throws(StoreFailure) -> StoredAccount? {
    try await look(Concern(key), Concern.about) { (rows) throws(Transaction.Failure) in try rows.account(key) }
  }

  package func find(_ id: AccountID) async throws(StoreFailure) -> StoredAccount? {
    try await look(Concern(id)) { (rows) throws(Transaction.Failure) in try rows.account(id) }
  }

  package func find(_ request: RequestKey) async throws(StoreFailure) -> KnownRequest? {
    // which request a claim has that is being proven is known to the store alone
    try await look(Concern(request: request, anyClaim: true), Concern.about) { (rows) throws(Transaction.Failure) in
      try rows.request(request)
    }
  }

  package func note(_ request: RequestKey, for id: AccountID) async throws(StoreFailure) -> NoteAnswer {
    // a caller that has given up was told that the registration is pending, and has to find it by its request
    try await change(Concern(id, request), for: Share(uid: request.uid), evenIfLate: true) {
      (rows) throws(Transaction.Failure) in
      try rows.noteKnown(request, for: id)
    }
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.activate(id, stamp)
    }
  }

  package func release(
    _ id: AccountID, seen: Timestamp, remembered: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.release(id, seen: seen, remembered: remembered, stamp)
    }
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) async throws(StoreFailure) -> [ReleasedRegistration] {
    // the account itself is looked up first
    try await look(Concern(key)) { (rows) throws(Transaction.Failure) in try rows.released(request, key, at: now) }
  }

  package func replaceHash(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    // the hash records what the authority has said, whether or not a caller still waits
    try await change(Concern(id), for: stamp.by.share, evenIfLate: true) { (rows) throws(Transaction.Failure) in
      try rows.replaceHash(of: id, from: old, to: new, stamp)
    }
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: .daemon, evenIfLate: true) { (rows) throws(Transaction.Failure) in
      try rows.confirm(id, at: time)
    }
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.noteGuessed(id, stamp)
    }
  }

  // MARK: The outbox

  package func resume(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> ResumeAnswer {
    try await change(Concern(id), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.resume(id, seen: seen, stamp)
    }
  }

  package func renew(_ id: AccountID, seen: Timestamp, for share: Share) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: share) { (rows) throws(Transaction.Failure) in try rows.renew(id, seen: seen) }
  }

  package func putOff(
    _ id: AccountID, seen: Timestamp, _ delivery: Delivery
  ) async throws(StoreFailure) -> Bool {
    // it records what has happened, also where regd is told to stop meanwhile
    try await change(Concern(id), for: .daemon, evenIfLate: true) { (rows) throws(Transaction.Failure) in
      try rows.putOff(id, seen: seen, delivery)
    }
  }

  package func pending(after: AccountID?, limit: Int) async throws(StoreFailure) -> [PendingAccount] {
    try await list { (rows) throws(Transaction.Failure) in try rows.pendingAccounts(after: after, limit: limit) }
  }

  package func find(pending id: AccountID) async throws(StoreFailure) -> PendingAccount? {
    try await look(Concern(id)) { (rows) throws(Transaction.Failure) in try rows.pendingAccount(id) }
  }
}

// MARK: - Administering

extension TransactionalStore {
  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.setPassword(of: id, to: hash, stamp)
    }
  }

  package func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.setEnabled(id, isEnabled, stamp)
    }
  }

  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    try await change(Concern(id), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.delete(id, having: hash, stamp)
    }
  }

  package func importing(
    _ accounts: [StoredAccount], _ stamp: Stamp
  ) async throws(StoreFailure) -> [ImportAnswer] {
    try await change(Concern(accounts), for: stamp.by.share) { (rows) throws(Transaction.Failure) in
      try rows.importing(accounts, stamp)
    }
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await list { (rows) throws(Transaction.Failure) in try rows.accounts(after: after, limit: limit) }
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await list { (rows) throws(Transaction.Failure) in try rows.audit(after: after, limit: limit) }
  }

  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await list { (rows) throws(Transaction.Failure) in try rows.audit(of: id, limit: limit) }
  }

  package func history(of id: AccountID, limit: Int) async throws(StoreFailure) -> AccountHistory? {
    try await list { (rows) throws(Transaction.Failure) in try rows.history(of: id, limit: limit) }
  }

  // MARK: The defaults

  func change<Value: Sendable>(
    _ concern: Concern, for share: Share,
    _ body: @escaping @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await change(concern, for: share, evenIfLate: false, body)
  }

  func look<Value: Sendable>(
    _ concern: Concern, _ body: @Sendable (inout Transaction) throws(Transaction.Failure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await look(concern, { _ in Concern() }, body)
  }
}
