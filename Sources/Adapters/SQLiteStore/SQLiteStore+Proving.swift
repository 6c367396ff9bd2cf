package import Registration

/// What the owner of an address may do, who has proven to be it.
extension SQLiteStore {
  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    var concern = Concern([account])
    concern.claims = [id]
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      guard let claim = try ClaimRow.find(connection, id, at: stamp.time), claim.kind == .registration else {
        return .gone
      }
      if let holder = try Self.holder(connection, account.account) {
        // the account was made active by an earlier try whose answer was lost
        if holder.account.id == account.account.id, holder.account.state != .pending {
          try ClaimRow.end(connection, for: holder.account)
        }
        return .taken(holder)
      }
      guard claim.state == .open else { return .gone }
      switch try Self.insert(account, claim.request, stamp, connection, &changes) {
      case .inserted: return .added
      case .taken(let holder): return .taken(holder)
      case .requestKnown(let known):
        return try AccountRow.find(connection, known.account.id).map { .taken($0) } ?? .gone
      }
    }
  }

  /// The account that stands in this one's way.
  private static func holder(_ connection: Connection, _ account: Account) throws(SQLiteFailure) -> StoredAccount? {
    if let found = try AccountRow.find(connection, by: .emailKey, account.email.key.value) { return found }
    return try AccountRow.find(connection, account.id)
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var concern = Concern(claims: [id], mails: [notice?.id])
    concern.ids = [account]
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      guard let claim = try ClaimRow.find(connection, id, at: stamp.time), claim.kind == .recovery,
        claim.state == .open, claim.account == account,
        try AccountRow.find(connection, claim.account)?.account.state == .active
      else { return nil }
      try ClaimRow.setState(connection, id, .proven)
      return try Self.setPassword(
        of: claim.account, to: hash, .passwordRecovered, notice, stamp, connection, &changes)
    }
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var concern = Concern(id)
    concern.mails = Set([notice?.id].compactMap(\.self))
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      guard let found = try AccountRow.find(connection, id), found.passwordHash == old, found.account.state == .active
      else { return nil }
      return try Self.setPassword(of: id, to: new, .passwordChanged, notice, stamp, connection, &changes)
    }
  }

  /// Sets the password of an account, and ends what its owner has asked for before.
  ///
  /// - Returns: The account as it is afterwards; nil if there is none.
  static func setPassword(
    of id: AccountID, to hash: PasswordHash, _ change: AuditEntry.Change, _ notice: MailIntent?, _ stamp: Stamp,
    _ connection: Connection, _ changes: inout Changes
  ) throws(SQLiteFailure) -> Account? {
    try connection.run(
      "UPDATE account SET password_hash = ?2, updated_at = max(updated_at, ?3), confirmed_at = ?3 WHERE id = ?1",
      [id.description, hash.phc, stamp.time.rfc3339])
    guard let account = try AccountRow.find(connection, id)?.account else { return nil }
    try ClaimRow.endRest(connection, of: id)
    if let notice { try MailRow.insert(connection, notice) }
    try changes.note(change, account, stamp)
    return account
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    var concern = Concern(id)
    concern.keys = [old, new.key]
    concern.claims = Set([claim].compactMap(\.self))
    concern.mails = Set([notice?.id].compactMap(\.self))
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(SQLiteFailure) in
      if let claim {
        guard let found = try ClaimRow.find(connection, claim, at: stamp.time), found.kind == .changeOfEmail,
          found.account == id
        else { return .gone }
        guard found.state != .taken else { return .taken }
        guard found.state == .open else { return .gone }
      }
      guard let found = try AccountRow.find(connection, id), found.account.email.key == old,
        found.account.state == .active, hash == nil || hash == found.passwordHash
      else { return .gone }
      if let holder = try AccountRow.find(connection, by: .emailKey, new.key.value), holder.account.id != id {
        return .taken
      }
      if let claim { try ClaimRow.setState(connection, claim, .proven) }
      try ClaimRow.endRest(connection, of: id)
      if let notice { try MailRow.insert(connection, notice) }
      try ReleasedRow.forget(connection, old)
      try AuditAddressRow.end(connection, of: id, stamp.time)
      let account = try AccountRow.move(connection, id, to: new, stamp.time)
      try changes.note(.emailChanged, account, stamp)
      try ClaimRow.end(connection, for: account)
      return .changed(account)
    }
  }
}
