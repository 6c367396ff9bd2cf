package import Registration

/// What a claim proves, and what owners change. The account's row is locked first; the claim is decided on behind the lock that
/// all changes take last.
extension PostgreSQLStore {
  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    let claimant = claimant
    var concern = Concern([account])
    concern.claims = [id]
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      let now = stamp.time
      guard let claim = try ClaimRow.find(connection, id, now), claim.kind == .registration else { return .gone }
      if let holder = try Self.holder(connection, account.account) {
        // the account was made active by an earlier try whose answer was lost
        if holder.account.id == account.account.id, holder.account.state != .pending,
          try ClaimRow.hasOpen(connection, holder.account.email.key)
        {
          changes.add(ClaimRow.ending(for: [holder.account]))
        }
        return .taken(holder)
      }
      guard claim.state == .open else { return .gone }
      let answer = try Self.insert(
        connection, account, claim.request, requiring: ClaimRow.isOpen(id, now), stamp, claimant, &changes)
      switch answer {
      case .inserted: return .added
      case .taken(let holder): return .taken(holder)
      case .requestKnown(let known):
        return try AccountRow.find(connection, known.account.id).map { .taken($0) } ?? .gone
      }
    }
  }

  private static func holder(_ connection: Connection, _ account: Account) throws(ServerFailure) -> StoredAccount? {
    if let holder = try AccountRow.find(connection, account.email.key) { return holder }
    return try AccountRow.find(connection, account.id)
  }

  package func recover(
    _ id: ClaimID, of about: AccountID, to hash: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var concern = Concern(claims: [id], mails: [notice?.id])
    concern.ids = [about]
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      guard let claim = try ClaimRow.find(connection, id, stamp.time), claim.kind == .recovery, claim.state == .open,
        claim.account == about,
        let account = try Self.setPassword(connection, of: claim.account, to: hash, stamp)
      else { return nil }
      changes.require(ClaimRow.proving(id, stamp.time))
      changes.add(ClaimRow.endingRest(of: account.id))
      if let notice { changes.add(MailRow.insertion(notice)) }
      changes.note(.passwordRecovered, account, stamp)
      return account
    }
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var concern = Concern(claims: [], mails: [notice?.id])
    concern.ids = [id]
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      guard let account = try Self.setPassword(connection, of: id, from: old, to: new, stamp) else { return nil }
      changes.add(ClaimRow.endingRest(of: id))
      if let notice { changes.add(MailRow.insertion(notice)) }
      changes.note(.passwordChanged, account, stamp)
      return account
    }
  }

  /// - Parameter old: Nil for any.
  /// - Returns: Nil unless the account is active and has this hash.
  private static func setPassword(
    _ connection: Connection, of id: AccountID, from old: PasswordHash? = nil, to new: PasswordHash, _ stamp: Stamp
  ) throws(ServerFailure) -> Account? {
    try AccountRow.update(
      connection, id, set: "password_hash = $2, updated_at = greatest(updated_at, $3), confirmed_at = $3::timestamptz",
      where: "state = 'active' AND password_hash = coalesce($4, password_hash)",
      [.text(new.phc), .init(stamp.time), .init(old?.phc)])?.account
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    var concern = Concern(claims: [claim].compactMap(\.self), mails: [notice?.id])
    concern.ids = [id]
    concern.keys = [old, new.key]
    return try await change(concern, for: stamp.by.share) { (connection, changes) throws(ServerFailure) in
      if let claim {
        guard let found = try ClaimRow.find(connection, claim, stamp.time), found.kind == .changeOfEmail,
          found.account == id
        else { return .gone }
        guard found.state != .taken else { return .taken }
        guard found.state == .open else { return .gone }
      }
      guard let found = try AccountRow.lock(connection, id), found.account.email.key == old,
        found.account.state == .active, hash == nil || hash == found.passwordHash
      else { return .gone }
      if let holder = try AccountRow.find(connection, new.key), holder.account.id != id { return .taken }
      // an account that gets the address meanwhile is met by its constraint, and seen when this is done again
      let changed = try AccountRow.update(
        connection, id, set: "email = $2, email_key = $3, updated_at = greatest(updated_at, $4)",
        [.text(new.typed), .text(new.key.value), .init(stamp.time)])
      guard let account = changed?.account else { return .gone }
      try ReleasedRow.forget(connection, old)
      if let claim { changes.require(ClaimRow.proving(claim, stamp.time)) }
      changes.add(ClaimRow.endingRest(of: id))
      if let notice { changes.add(MailRow.insertion(notice)) }
      changes.add(AuditRow.endingAddresses(of: id, at: stamp.time))
      changes.note(.emailChanged, account, stamp)
      changes.add(ClaimRow.ending(for: [account]))
      return .changed(account)
    }
  }
}
