/// The changes that add, renew and end claims and mails.
extension StoreTransaction {
  func add(
    _ claim: AddressClaim, _ mail: MailIntent, invitation: InvitationID?, _ stamp: Stamp
  ) throws(StoreFailure) -> ClaimAnswer {
    if let request = claim.request, let known = try claimOrAccount(of: request, at: stamp.time) { return known }
    // locks the account: a change of its password waits for this transaction, and then ends the claim
    if let fence = claim.fence, claim.isOutdated(try lockedAccount(fence)) { return .outdated }
    var claim = claim
    claim.invitation = invitation
    if let invitation, try !holdUse(of: invitation, claim, mail, at: stamp.time) { return .invitationRejected }
    try write(.addClaim(claim, mail, at: stamp.time))
    return .added
  }

  /// Gives the claim a use of the invitation. If no use is left, the claim may take over the use of the oldest claim by
  /// the same user and origin, and that claim is removed. So a person who mistyped an address can try again. A claim
  /// whose mail the address's bound does not admit takes no use, but takes one when its mail is sent later. A known
  /// share's own bound has no effect here. The number of uses is visible, and would reveal whether the address has an
  /// account.
  ///
  /// - Returns: Whether there was a use for the claim.
  private func holdUse(
    of id: InvitationID, _ claim: AddressClaim, _ mail: MailIntent, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    guard let invitation = try invitation(id), invitation.admits(claim.email, at: now) else { return false }
    let isMailed = try bound(admitting: mail) == .shared
    if try isMailed ? takeUse(of: invitation, for: .claim(claim), at: now) : hasUse(invitation, at: now) {
      return true
    }
    guard invitation.mayBeTakenOver(by: claim.share), let oldest = try oldestHolder(of: id, claim.share, at: now) else {
      return false
    }
    guard isMailed else { return true }
    guard try moveUse(from: oldest, to: claim) else { return false }
    try write(.removeClaim(oldest))
    return true
  }

  /// Whether a code may be mailed for the claim: the claim has a use of its invitation, takes one now, or needs none.
  private func mayBeMailed(
    _ claim: AddressClaim, _ mail: MailIntent, at now: Timestamp
  ) throws(StoreFailure) -> Bool {
    guard let id = claim.invitation, claim.mayHoldUse, try !hasUse(for: claim.id) else { return true }
    guard let invitation = try invitation(id), invitation.admits(claim.email, at: now),
      try bound(admitting: mail) == .shared
    else { return false }
    return try takeUse(of: invitation, for: .claim(claim), at: now)
  }

  func renew(
    _ claim: AddressClaim, seen: AddressClaim, _ mail: MailIntent?, _ stamp: Stamp
  ) throws(StoreFailure) -> Bool {
    guard let found = try self.claim(claim.id, at: stamp.time), found.generation == seen.generation,
      found.resendAt == seen.resendAt, mail == nil || !found.isHidden
    else { return false }
    var mail = mail
    if let letter = mail, try !mayBeMailed(found, letter, at: stamp.time) { mail = nil }
    try write(.renewClaim(claim, seen: found, mail, at: stamp.time))
    return true
  }

  func end(_ id: ClaimID) throws(StoreFailure) {
    if try hasClaim(id) { try write(.removeClaim(id)) }
  }

  func lease(mail id: MailID) throws(StoreFailure) -> StoredMail? {
    guard let found = try mail(id), found.state == .waiting else { return nil }
    if !found.isClaimedElsewhere { try write(.leaseMail(id)) }
    return found
  }

  func putOff(mail: StoredMail) throws(StoreFailure) -> Bool {
    guard let found = try self.mail(mail.intent.id), found.state == .waiting, !found.isClaimedElsewhere else {
      return false
    }
    try write(.putOffMail(mail))
    return true
  }

  func end(mail id: MailID, _ state: StoredMail.State, reason: String?) throws(StoreFailure) -> Bool {
    guard try mail(id)?.state == .waiting else { return false }
    try write(.endMail(id, state, reason: reason))
    return true
  }
}

extension AddressClaim {
  /// The bound that admitted the mail with the renewed claim's code.
  ///
  /// - Parameters:
  ///   - seen: The claim before the renewal.
  ///   - mail: The renewal's mail, if it has one.
  ///   - part: The bound that admitted this mail, or nil if none did.
  package func mailed(after seen: AddressClaim, _ mail: MailIntent?, by part: MailBounds.Part?) -> MailBounds.Part? {
    guard mail != nil else { return seen.mailed }
    let earlier = seen.generation == generation ? seen.mailed : nil
    return earlier == .shared ? .shared : part ?? earlier
  }
}

extension CodeGuess {
  /// The answer to a guess at a claim, as `ClaimStore.guess` defines it.
  ///
  /// - Parameter claim: The claim, locked so that no other guess of its code can come in between.
  package func answer(at claim: AddressClaim?) -> GuessAnswer {
    guard let claim else { return .gone }
    guard claim.generation == generation else { return .outdated }
    guard !isRight else { return .right(claim) }
    return .wrong(attemptsLeft: claim.isHidden ? 0 : max(0, attempts - claim.attempts - 1))
  }
}
