package import Registration

/// The transaction of a look-up or of a change. There is only one writer, so a change does each of its writes at once.
package struct SQLiteTransaction {
  let connection: Connection
  /// The regd that has the store open.
  let claimant: Claimant
  let codeKey: CodeKey
  /// The audit entries that the observer receives after the commit.
  private(set) var entries: [AuditEntry] = []
  /// The addresses of the changed accounts, whose claims the transaction may have ended.
  private(set) var keys: Set<EmailKey> = []

  init(_ connection: Connection, _ claimant: Claimant, _ codeKey: CodeKey) {
    (self.connection, self.claimant, self.codeKey) = (connection, claimant, codeKey)
  }

  mutating func note(_ draft: AuditEntry.Draft) throws(SQLiteFailure) {
    entries.append(try AuditRow.write(connection, draft, by: claimant.name))
    if let account = draft.account { keys.insert(account.email.key) }
  }

  mutating func end(claimsOf accounts: [Account]) throws(SQLiteFailure) {
    if accounts.count > 1, try !ClaimRow.isAnyOpen(connection) { return }
    for account in accounts {
      try ClaimRow.end(connection, for: account)
      keys.insert(account.email.key)
    }
  }
}

// MARK: - Accounts and requests

extension SQLiteTransaction: StoreTransaction {
  package func account(_ key: EmailKey) throws(SQLiteFailure) -> StoredAccount? {
    try AccountRow.find(connection, by: .emailKey, key.value)
  }

  package func account(_ id: AccountID) throws(SQLiteFailure) -> StoredAccount? { try AccountRow.find(connection, id) }

  package func lockedAccount(_ id: AccountID) throws(SQLiteFailure) -> StoredAccount? { try account(id) }

  package func accounts(
    _ state: Account.State?, after: AccountID?, limit: Int
  ) throws(SQLiteFailure) -> [StoredAccount] {
    try AccountRow.list(connection, state, after: after, limit: limit)
  }

  package func members(
    of group: GroupName, after: AccountID?, limit: Int
  ) throws(SQLiteFailure) -> [StoredAccount] {
    try AccountRow.list(connection, of: group, after: after, limit: limit)
  }

  package func groups(
    after: GroupName?, limit: Int, counting most: Int
  ) throws(SQLiteFailure) -> Page<GroupName, CountedGroup> {
    try AccountRow.groups(connection, after: after, limit: limit, counting: most)
  }

  package mutating func add(
    _ account: StoredAccount, _ request: RequestKey?, seen: [AccountID]?
  ) throws(SQLiteFailure) -> InsertAnswer {
    if let request, let known = try RequestRow.find(connection, request) { return .requestKnown(known) }
    guard try AccountRow.insert(connection, account) else {
      guard let holder = try self.account(account.account.email.key) else { throw .damaged("a key is taken by nobody") }
      return .taken(holder)
    }
    if let request, let seen, let last = try ReleasedRow.last(connection, request, account.account.email.key),
      !seen.contains(last)
    {
      try remove(account.account.id)
      return .releasedMeanwhile(last)
    }
    try RequestRow.note(connection, request, account.account.id)
    return .inserted
  }

  package mutating func add(_ accounts: [StoredAccount]) throws(SQLiteFailure) -> [ImportAnswer] {
    var answers: [ImportAnswer] = []
    for account in accounts { answers.append(try adding(account)) }
    return answers
  }

  private func adding(_ account: StoredAccount) throws(SQLiteFailure) -> ImportAnswer {
    // most accounts are new, and need no look-up
    if try AccountRow.insert(connection, account, idMayBeTaken: true) { return .imported }
    do throws(SQLiteFailure) {
      if let holder = try self.account(account.account.email.key) { return holder.answer(toImporting: account) }
    } catch {
      // an unreadable row has the address, which is no reason to reject the other records
      guard let row = error.row else { throw error }
      connection.damage?.note(row)
      return .emailTaken
    }
    return try AccountRow.exists(connection, account.account.id) ? .idTaken : .emailTaken
  }

  package mutating func update(
    _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount, at time: Timestamp
  ) throws(SQLiteFailure) -> Account? {
    try AccountRow.update(connection, id, update, ifIs: expected, time)
  }

  package func waiting(by registrant: Registrant) throws(SQLiteFailure) -> WaitingCounts {
    try AccountRow.waiting(connection, by: registrant)
  }

  package mutating func confirm(_ id: AccountID, at time: Timestamp?) throws(SQLiteFailure) -> Bool {
    // skips an account that already has this `confirmed_at`, so that no commit is needed
    try connection.run(
      """
      UPDATE account SET confirmed_at = ?2
      WHERE id = ?1 AND CASE WHEN ?2 IS NULL THEN confirmed_at IS NOT NULL ELSE ifnull(confirmed_at < ?2, TRUE) END
      """, [id.description, time?.rfc3339])
    return try AccountRow.exists(connection, id)
  }

  package mutating func remove(_ id: AccountID) throws(SQLiteFailure) {
    try connection.run("DELETE FROM account WHERE id = ?1", [id.description])
  }

  package func request(_ request: RequestKey) throws(SQLiteFailure) -> KnownRequest? {
    try RequestRow.find(connection, request)
  }

  package mutating func note(_ request: RequestKey, for id: AccountID) throws(SQLiteFailure) -> KnownRequest? {
    try RequestRow.note(connection, request, id)
    return try RequestRow.find(connection, request)
  }

  package mutating func remember(_ id: AccountID, at time: Timestamp) throws(SQLiteFailure) {
    try ReleasedRow.remember(connection, id, time)
  }

  package mutating func forgetReleased(_ key: EmailKey) throws(SQLiteFailure) {
    try ReleasedRow.forget(connection, key)
  }

  package func released(
    _ request: RequestKey, _ key: EmailKey, at now: Timestamp
  ) throws(SQLiteFailure) -> [ReleasedRegistration] {
    try ReleasedRow.find(connection, request, key, now)
  }

  // MARK: Deliveries

  package func isClaimedElsewhere(_ id: AccountID) throws(SQLiteFailure) -> Bool {
    try DeliveryRow.isClaimedElsewhere(connection, id, than: claimant)
  }

  package mutating func claimDelivery(of id: AccountID) throws(SQLiteFailure) {
    try DeliveryRow.claim(connection, id, claimant)
  }

  package mutating func putOff(_ id: AccountID, _ delivery: Delivery) throws(SQLiteFailure) {
    try DeliveryRow.putOff(connection, id, delivery)
  }

  package mutating func forgetDelivery(of id: AccountID) throws(SQLiteFailure) {
    try DeliveryRow.forget(connection, id)
  }

  package func pendingAccounts(after: AccountID?, limit: Int) throws(SQLiteFailure) -> [PendingAccount] {
    try DeliveryRow.list(connection, after: after, limit: limit, claimant)
  }

  package func pendingAccount(_ id: AccountID) throws(SQLiteFailure) -> PendingAccount? {
    try DeliveryRow.find(connection, id, claimant)
  }
}
