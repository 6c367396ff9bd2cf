package import Registration

/// What administrators ask of the store.
extension PostgreSQLStore {
  package func setPassword(
    of id: AccountID, to hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      let set = try AccountRow.update(
        connection, id,
        set: "password_hash = $2, updated_at = greatest(updated_at, $3), confirmed_at = $3::timestamptz",
        [.text(hash.phc), .text(stamp.time.rfc3339)])
      guard let account = set?.account else { return nil }
      changes.note(.passwordSet, account, stamp)
      changes.add(ClaimRow.endingRest(of: id))
      return account
    }
  }

  package func setEnabled(
    _ id: AccountID, _ isEnabled: Bool, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      let (from, to): (Account.State, Account.State) = isEnabled ? (.disabled, .active) : (.active, .disabled)
      let changed = try AccountRow.update(
        connection, id, set: "state = $3, updated_at = greatest(updated_at, $4)", where: "state = $2",
        [.text(from.rawValue), .text(to.rawValue), .text(stamp.time.rfc3339)])
      guard let account = changed?.account else { return try AccountRow.find(connection, id)?.account }
      changes.note(isEnabled ? .enabled : .disabled, account, stamp)
      return account
    }
  }

  package func noteGuessed(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Bool {
    try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      // with the lock: of several regd that note it at once one does
      guard let account = try AccountRow.lock(connection, id)?.account,
        try !AuditRow.has(connection, .guessed, of: id, since: stamp.time.advanced(by: .seconds(-86_400)))
      else { return false }
      changes.note(.guessed, account, stamp)
      return true
    }
  }

  package func delete(
    _ id: AccountID, having hash: PasswordHash?, _ stamp: Stamp
  ) async throws(StoreFailure) -> DeleteAnswer {
    let claimant = claimant
    return try await change(Concern(id), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      guard let found = try AccountRow.lock(connection, id) else { return .gone }
      let account = found.account
      guard try !DeliveryRow.isClaimedElsewhere(connection, id, than: claimant) else { return .claimed }
      guard hash == nil || hash == found.passwordHash else { return .changed }
      try connection.run("DELETE FROM account WHERE id = $1", [.text(id.description)])
      try ReleasedRow.forget(connection, account.email.key)
      changes.note(.deleted, account, stamp)
      changes.add(AuditRow.endingAddresses(of: id, at: stamp.time))
      changes.add(ClaimRow.forgetting(account))
      changes.add(MailRow.forgetting(account))
      return .deleted
    }
  }

  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await list { (connection) throws(ServerFailure) in
      try AccountRow.list(connection, after: after, limit: limit)
    }
  }

  package func importing(
    _ accounts: [StoredAccount], _ stamp: Stamp
  ) async throws(StoreFailure) -> [ImportAnswer] {
    try await change(Concern(accounts), for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      // one id may come twice: what a later record meets is decided behind the earlier ones
      let insertions = accounts.map { AccountRow.insertion($0, orNothing: true) }
      let inserted = try connection.run(insertions).map { $0.changedRows == 1 }
      var answers: [ImportAnswer] = []
      var ending: [Account] = []
      for (account, isInserted) in zip(accounts, inserted) {
        if isInserted { changes.note(.imported, account.account, stamp) }
        if isInserted, account.account.state != .pending { ending.append(account.account) }
        answers.append(isInserted ? .imported : try Self.reason(connection, account))
      }
      if !ending.isEmpty { changes.add(ClaimRow.ending(for: ending)) }
      return answers
    }
  }

  /// Why an account was not inserted.
  private static func reason(_ connection: Connection, _ account: StoredAccount) throws(ServerFailure) -> ImportAnswer {
    do throws(ServerFailure) {
      if let holder = try AccountRow.find(connection, account.account.email.key) {
        return holder.answer(toImporting: account)
      }
    } catch {
      // the address is taken by a row that cannot be read: no reason to leave out the others
      guard let row = error.row else { throw error }
      connection.damage?.note(row)
      return .emailTaken
    }
    return .idTaken
  }

  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await list { (connection) throws(ServerFailure) in
      try AuditRow.list(connection, after: after, limit: limit)
    }
  }

  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await list { (connection) throws(ServerFailure) in
      try AuditRow.list(connection, of: id, limit: limit)
    }
  }
}
