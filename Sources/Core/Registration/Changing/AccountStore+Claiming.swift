/// Implements the operations on claims and mails, and the changes that owners make.
extension AccountStore {
  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, invitation: InvitationID?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    var scope = ChangeScope(claim, [mail.id])
    if let invitation {
      // the claim may take over another claim's use, and only the store knows which one
      scope.invitations = [invitation]
      scope.isOfAnyClaim = true
    }
    return try await change(.addClaim, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.add(claim, mail, invitation: invitation, stamp)
    }
  }

  package func find(_ id: ClaimID, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await look(.findClaim, ChangeScope(claims: [id]), ChangeScope.about) { (rows) throws(StoreFailure) in
      try rows.claim(id, at: now)
    }
  }

  package func find(claimOf request: RequestKey, at now: Timestamp) async throws(StoreFailure) -> AddressClaim? {
    try await look(.findClaim, ChangeScope(request: request), ChangeScope.about) { (rows) throws(StoreFailure) in
      try rows.claim(of: request, at: now)
    }
  }

  package func wrongCodes(at key: EmailKey, limit: Int, _ now: Timestamp) async throws(StoreFailure) -> WrongCodes {
    // no concern: a guess whose commit is in doubt changes the counts by one only
    try await look(.wrongCodes, ChangeScope()) { (rows) throws(StoreFailure) in
      try rows.wrongCodes(at: key, limit: limit, now)
    }
  }

  package func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Bool {
    var scope = ChangeScope(claim, [mail?.id])
    scope.invitations = Set([seen.invitation].compactMap(\.self))
    return try await change(.renewClaim, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.renew(claim, seen: seen, mail, stamp)
    }
  }

  package func end(_ id: ClaimID) async throws(StoreFailure) {
    try await change(.endClaim, ChangeScope(claims: [id]), for: .daemon) { (rows) throws(StoreFailure) in
      try rows.end(id)
    }
  }

  package func claims(after: ClaimID?, limit: Int, at now: Timestamp) async throws(StoreFailure) -> [AddressClaim] {
    try await list(.claims) { (rows) throws(StoreFailure) in try rows.claims(after: after, limit: limit, at: now) }
  }

  // MARK: Proofs, and what owners change

  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    var scope = ChangeScope([account])
    scope.claims = [id]
    scope.mails = Set([notice?.id].compactMap(\.self))
    return try await change(.prove, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.prove(id, account, notice, stamp)
    }
  }

  package func acceptTerms(
    of id: AccountID, _ terms: AcceptedTerms, having hash: PasswordHash, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    try await change(.acceptTerms, ChangeScope(id), for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.acceptTerms(of: id, terms, having: hash, stamp)
    }
  }

  package func recover(
    _ id: ClaimID, of account: AccountID, to hash: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(claims: [id], mails: [notice?.id])
    scope.ids = [account]
    return try await change(.recover, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.recover(id, of: account, to: hash, epoch: epoch, notice, stamp)
    }
  }

  package func changePassword(
    of id: AccountID, from old: PasswordHash, to new: PasswordHash, epoch: SessionEpoch, _ notice: MailIntent?,
    _ stamp: Stamp
  ) async throws(StoreFailure) -> Account? {
    var scope = ChangeScope(mails: [notice?.id])
    scope.ids = [id]
    return try await change(.changePassword, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.changePassword(of: id, from: old, to: new, epoch: epoch, notice, stamp)
    }
  }

  package func changeEmail(
    of id: AccountID, from old: EmailKey, having hash: PasswordHash?, to new: EmailAddress, proving claim: ClaimID?,
    _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> EmailChangeAnswer {
    var scope = ChangeScope(claims: [claim].compactMap(\.self), mails: [notice?.id]).widened([old, new.key])
    scope.ids = [id]
    return try await change(.changeEmail, scope, for: stamp.by.share) { (rows) throws(StoreFailure) in
      try rows.changeEmail(of: id, from: old, having: hash, to: new, proving: claim, notice, stamp)
    }
  }

  // MARK: Mails

  package func add(_ mail: MailIntent) async throws(StoreFailure) {
    try await change(.addMail, ChangeScope(mails: [mail.id]), for: mail.share) { (rows) throws(StoreFailure) in
      try rows.write(.addMail(mail))
    }
  }

  package func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail] {
    try await list(.mails) { (rows) throws(StoreFailure) in try rows.mails(after: after, limit: limit) }
  }

  package func find(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await look(.findMail, ChangeScope(mails: [id]), ChangeScope.about) { (rows) throws(StoreFailure) in
      try rows.mail(id)
    }
  }

  package func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await change(.leaseMail, ChangeScope(mails: [id]), for: .daemon) { (rows) throws(StoreFailure) in
      try rows.lease(mail: id)
    }
  }

  package func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool {
    try await change(.putOffMail, ChangeScope(mails: [mail.intent.id]), for: .daemon) { (rows) throws(StoreFailure) in
      try rows.putOff(mail: mail)
    }
  }

  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool {
    try await change(.endMail, ChangeScope(mails: [id]), for: .daemon) { (rows) throws(StoreFailure) in
      try rows.end(mail: id, state, reason: reason)
    }
  }
}
