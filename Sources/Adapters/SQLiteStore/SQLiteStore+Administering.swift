package import Registration

/// What administrators ask of the store.
extension SQLiteStore {
  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      try Self.setPassword(of: id, to: hash, .passwordSet, nil, stamp, connection, &changes)
    }
  }

  package func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      let (from, to): (Account.State, Account.State) = isEnabled ? (.disabled, .active) : (.active, .disabled)
      try connection.run(
        "UPDATE account SET state = ?3, updated_at = max(updated_at, ?4) WHERE id = ?1 AND state = ?2",
        [id.description, from.rawValue, to.rawValue, stamp.time.rfc3339])
      let isChanged = connection.changes == 1
      let account = try AccountRow.find(connection, id)?.account
      if isChanged, let account { try changes.note(isEnabled ? .enabled : .disabled, account, stamp) }
      return account
    }
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      guard let account = try AccountRow.find(connection, id)?.account,
        try !AuditRow.has(connection, .guessed, of: id, since: stamp.time.advanced(by: .seconds(-86_400)))
      else { return false }
      try changes.note(.guessed, account, stamp)
      return true
    }
  }

  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      guard let found = try AccountRow.find(connection, id) else { return .gone }
      let account = found.account
      guard try !DeliveryRow.isClaimedElsewhere(connection, id, than: changes.claimant) else { return .claimed }
      guard hash == nil || hash == found.passwordHash else { return .changed }
      try connection.run("DELETE FROM account WHERE id = ?1", [id.description])
      try ReleasedRow.forget(connection, account.email.key)
      try ClaimRow.forget(connection, account)
      try MailRow.forget(connection, account)
      try changes.note(.deleted, account, stamp)
      try AuditAddressRow.end(connection, of: id, stamp.time)
      return .deleted
    }
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await list { (connection) throws(SQLiteFailure) in
      try AccountRow.list(connection, after: after, limit: limit)
    }
  }

  package func importing(
    _ accounts: [StoredAccount], _ stamp: Stamp
  ) async throws(StoreFailure) -> [ImportAnswer] {
    try await change(Concern(accounts), for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      try connection.withPages(Self.importPages) { () throws(SQLiteFailure) in
        var answers: [ImportAnswer] = []
        let hasClaims = try ClaimRow.isAnyOpen(connection)
        for account in accounts {
          let answer = try Self.importing(account, connection)
          if answer == .imported {
            try changes.note(.imported, account.account, stamp)
            if hasClaims, account.account.state != .pending { try ClaimRow.end(connection, for: account.account) }
          }
          answers.append(answer)
        }
        return answers
      }
    }
  }

  /// Accounts of another system come in the order of their file and not of their ids: each is on a page of its own, and so is its entry
  /// in the audit's index.
  private static let importPages = 8192

  private static func importing(
    _ account: StoredAccount, _ connection: Connection
  ) throws(SQLiteFailure) -> ImportAnswer {
    // most are new, and need no look-up
    if try AccountRow.insert(connection, account, idMayBeTaken: true) { return .imported }
    do throws(SQLiteFailure) {
      if let holder = try AccountRow.find(connection, by: .emailKey, account.account.email.key.value) {
        return holder.answer(toImporting: account)
      }
    } catch {
      // the address is taken by a row that cannot be read: no reason to leave out the others
      guard let row = error.row else { throw error }
      connection.damage?.note(row)
      return .emailTaken
    }
    return try AccountRow.exists(connection, account.account.id) ? .idTaken : .emailTaken
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await list { (connection) throws(SQLiteFailure) in
      try AuditRow.list(connection, after: after, limit: limit)
    }
  }
}
