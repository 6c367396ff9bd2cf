package import Registration

/// The transaction of a look-up or of a change. There is only one writer, so a change does each of its writes at once.
package final class SQLiteTransaction {
  let connection: Connection
  /// The regd that has the store open.
  let claimant: Claimant
  let codeKey: CodeKey
  let cryptography: any AuditCryptography
  /// The audit entries that the observer receives after the commit.
  private(set) var entries: [AuditEntry] = []
  /// The addresses of the changed accounts, whose claims the transaction may have ended.
  private(set) var keys: Set<EmailKey> = []
  package var failure: SQLiteFailure?

  init(
    _ connection: Connection, _ claimant: Claimant, _ codeKey: CodeKey, _ cryptography: any AuditCryptography
  ) {
    (self.connection, self.claimant, self.codeKey, self.cryptography) = (connection, claimant, codeKey, cryptography)
  }

  func note(_ draft: AuditEntry.Draft) throws(SQLiteFailure) {
    entries.append(try AuditRow.write(connection, draft, by: claimant.name, cryptography))
    if let account = draft.account { keys.insert(account.email.key) }
  }

  func end(claimsOf accounts: [Account]) throws(SQLiteFailure) {
    if accounts.count > 1, try !ClaimRow.isAnyOpen(connection) { return }
    for account in accounts {
      try ClaimRow.end(connection, for: account)
      keys.insert(account.email.key)
    }
  }
}

// MARK: - Accounts and requests

extension SQLiteTransaction: DatabaseTransaction {
  package func account(_ key: EmailKey) throws(StoreFailure) -> StoredAccount? {
    try kept(AccountRow.find(connection, by: .emailKey, key.value))
  }

  package func account(_ id: AccountID) throws(StoreFailure) -> StoredAccount? {
    try kept(AccountRow.find(connection, id))
  }

  package func lockedAccount(_ id: AccountID) throws(StoreFailure) -> StoredAccount? { try account(id) }

  package func accounts(
    _ state: Account.State?, after: AccountID?, limit: Int
  ) throws(StoreFailure) -> [StoredAccount] {
    try kept(AccountRow.list(connection, state, after: after, limit: limit))
  }

  package func members(
    of group: GroupName, after: AccountID?, limit: Int
  ) throws(StoreFailure) -> [StoredAccount] {
    try kept(AccountRow.list(connection, of: group, after: after, limit: limit))
  }

  package func groups(
    after: GroupName?, limit: Int, counting most: Int
  ) throws(StoreFailure) -> Page<GroupName, CountedGroup> {
    try kept(AccountRow.groups(connection, after: after, limit: limit, counting: most))
  }

  package func add(
    _ account: StoredAccount, _ request: RequestKey?, seen: [AccountID]?
  ) throws(StoreFailure) -> InsertAnswer {
    try keeping { () throws(SQLiteFailure) in
      if let request, let known = try RequestRow.find(connection, request) { return .requestKnown(known) }
      guard try AccountRow.insert(connection, account) else {
        let holder = try AccountRow.find(connection, by: .emailKey, account.account.email.key.value)
        guard let holder else { throw .damaged("a key is taken, but no account has it") }
        return .taken(holder)
      }
      if let request, let seen, let last = try ReleasedRow.last(connection, request, account.account.email.key),
        !seen.contains(last)
      {
        try AccountRow.remove(connection, account.account.id)
        return .releasedMeanwhile(last)
      }
      try RequestRow.note(connection, request, account.account.id)
      return .inserted
    }
  }

  package func add(_ accounts: [StoredAccount]) throws(StoreFailure) -> [ImportAnswer] {
    try keeping { () throws(SQLiteFailure) in
      var answers: [ImportAnswer] = []
      for account in accounts { answers.append(try adding(account)) }
      return answers
    }
  }

  private func adding(_ account: StoredAccount) throws(SQLiteFailure) -> ImportAnswer {
    // most accounts are new, and need no look-up
    if try AccountRow.insert(connection, account, idMayBeTaken: true) { return .imported }
    do throws(SQLiteFailure) {
      let holder = try AccountRow.find(connection, by: .emailKey, account.account.email.key.value)
      if let holder { return holder.answer(toImporting: account) }
    } catch {
      // an unreadable row has the address, which is no reason to reject the other records
      guard let row = error.row else { throw error }
      connection.damage?.note(row)
      return .emailTaken
    }
    return try AccountRow.exists(connection, account.account.id) ? .idTaken : .emailTaken
  }

  package func update(
    _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount, at time: Timestamp
  ) throws(StoreFailure) -> Account? {
    try kept(AccountRow.update(connection, id, update, ifIs: expected, time))
  }

  package func waiting(by registrant: Registrant) throws(StoreFailure) -> WaitingCounts {
    try kept(AccountRow.waiting(connection, by: registrant))
  }

  package func confirm(_ id: AccountID, at time: Timestamp?) throws(StoreFailure) -> Bool {
    try keeping { () throws(SQLiteFailure) in
      // skips an account that already has this `confirmed_at`, so that no commit is needed
      try connection.run(
        """
        UPDATE account SET confirmed_at = ?2
        WHERE id = ?1 AND CASE WHEN ?2 IS NULL THEN confirmed_at IS NOT NULL ELSE ifnull(confirmed_at < ?2, TRUE) END
        """, [id.description, time?.rfc3339])
      return try AccountRow.exists(connection, id)
    }
  }

  package func remove(_ id: AccountID) throws(StoreFailure) {
    try kept(AccountRow.remove(connection, id))
  }

  package func request(_ request: RequestKey) throws(StoreFailure) -> KnownRequest? {
    try kept(RequestRow.find(connection, request))
  }

  package func note(_ request: RequestKey, for id: AccountID) throws(StoreFailure) -> KnownRequest? {
    try keeping { () throws(SQLiteFailure) in
      try RequestRow.note(connection, request, id)
      return try RequestRow.find(connection, request)
    }
  }

  package func remember(_ id: AccountID, at time: Timestamp) throws(StoreFailure) {
    try kept(ReleasedRow.remember(connection, id, time))
  }

  package func forgetReleased(_ key: EmailKey) throws(StoreFailure) {
    try kept(ReleasedRow.forget(connection, key))
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) throws(StoreFailure) -> [ReleasedRegistration] {
    try kept(ReleasedRow.find(connection, request, key, now))
  }

  // MARK: Deliveries

  package func isClaimedElsewhere(_ id: AccountID) throws(StoreFailure) -> Bool {
    try kept(DeliveryRow.isClaimedElsewhere(connection, id, than: claimant))
  }

  package func claimDelivery(of id: AccountID) throws(StoreFailure) {
    try kept(DeliveryRow.claim(connection, id, claimant))
  }

  package func putOff(_ id: AccountID, _ delivery: Delivery) throws(StoreFailure) {
    try kept(DeliveryRow.putOff(connection, id, delivery))
  }

  package func forgetDelivery(of id: AccountID) throws(StoreFailure) {
    try kept(DeliveryRow.forget(connection, id))
  }

  package func pendingAccounts(after: AccountID?, limit: Int) throws(StoreFailure) -> [PendingAccount] {
    try kept(DeliveryRow.list(connection, after: after, limit: limit, claimant))
  }

  package func pendingAccount(_ id: AccountID) throws(StoreFailure) -> PendingAccount? {
    try kept(DeliveryRow.find(connection, id, claimant))
  }
}
