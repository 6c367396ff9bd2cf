/// Invitations, and which uses of them are left. One use admits one account.
///
/// The transaction that adds an account, or the claim for one, also takes the use. So if two callers try the last use,
/// one of them gets `invitationRejected`. A claim holds its use while it `mayHoldUse` (`AddressClaim`), until it
/// expires. Then the use is free, even before a sweep. A claim whose mail was not admitted holds no use. A released
/// registration (`Accounts.release`) gives its use back, but a deleted or refused account does not.
extension Accounts {
  /// Adds an invitation, with the mail that contains its code.
  ///
  /// A change. After `unknown`, a list shows whether it was added.
  package func add(
    _ invitation: Invitation, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InvitationAnswer {
    try await write(.addInvitation, ChangeScope(invitation: invitation.id, [mail?.id]), for: stamp.by.share) {
      (rows) throws(StoreFailure) in
      if let email = invitation.email, try rows.account(email.key) != nil { return .emailTaken }
      if let mail, try rows.bound(admitting: mail) == nil { return .tooManyMails }
      try rows.add(invitation)
      if let mail { try rows.write(.addMail(mail)) }
      try rows.write(.note(AuditEntry.Draft(.invitationCreated, invitation.id, stamp)))
      return .added
    }
  }

  /// Revokes an invitation. The claims that were made with the invitation, and whose accounts do not exist, end at
  /// once: every operation treats them as absent. The duration of the change does not depend on their number.
  ///
  /// An idempotent change.
  ///
  /// - Returns: The invitation afterwards, or nil if there is no such invitation.
  package func revokeInvitation(_ id: InvitationID, _ stamp: Stamp) async throws(StoreFailure) -> CountedInvitation? {
    try await write(.revokeInvitation, ChangeScope(invitation: id).ofAnyClaim, for: stamp.by.share) {
      (rows) throws(StoreFailure) in
      if try rows.revoke(id, at: stamp.time) {
        try rows.write(.note(AuditEntry.Draft(.invitationRevoked, id, stamp)))
      }
      return try rows.countedInvitation(id, at: stamp.time)
    }
  }

  /// The invitation with this digest, and whether it now admits the address. A look-up. Every refusal takes the same
  /// time, whatever its reason and however many uses the invitation has had.
  ///
  /// - Parameter share: The caller's share (user and origin) if a claim is to hold the use, perhaps by taking it over
  ///   from the share's oldest claim. Nil if an account is to have the use.
  package func admittance(
    _ digest: InvitationDigest, _ email: EmailAddress, claiming share: Share?, at now: Timestamp
  ) async throws(StoreFailure) -> Admittance {
    let found: @Sendable (Admittance) -> ChangeScope = { ChangeScope.about($0.invitation) }
    return try await read(.findInvitation, ChangeScope(), found) { (rows) throws(StoreFailure) in
      let found = try rows.invitation(digest)
      let subject = found ?? .nobodys(at: now)
      let hasUse = try rows.hasUse(subject, at: now)
      let oldest = try rows.oldestHolder(of: subject.id, share ?? .daemon, at: now)
      guard let found, found.admits(email, at: now) else { return .refused(found) }
      let mayTakeOver = share.map { found.mayBeTakenOver(by: $0) } ?? false && oldest != nil
      return hasUse || mayTakeOver ? .admitted(found) : .refused(found)
    }
  }

  /// The invitation with this id, in any state. A look-up.
  package func find(invitation id: InvitationID) async throws(StoreFailure) -> Invitation? {
    try await read(.findInvitation, ChangeScope(invitation: id)) { (rows) throws(StoreFailure) in
      try rows.invitation(id)
    }
  }

  /// Invitations in the order of their ids, starting after `after`. A list.
  ///
  /// - Parameter limit: The most invitations to return, at least 1.
  package func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) async throws(StoreFailure) -> [CountedInvitation] {
    try await scan(.invitations) { (rows) throws(StoreFailure) in
      try rows.invitations(after: after, limit: limit, at: now)
    }
  }
}

extension Invitation {
  /// Whether a new claim may take over the use that the oldest claim of the same share (user and origin) holds. All of
  /// a user's callers without an origin are one share, and would take uses from each other. Without an origin, this is
  /// therefore allowed only for an invitation with one use.
  func mayBeTakenOver(by share: Share) -> Bool { share.origin != nil || uses == 1 }

  /// A substitute for an invitation that does not exist. It causes the same reads, and admits no address.
  fileprivate static func nobodys(at now: Timestamp) -> Invitation {
    Invitation(
      id: InvitationID(at: now), digest: InvitationDigest([]), email: nil, domain: nil, uses: 1, createdAt: now,
      expiresAt: now, note: nil, by: 0, isMailed: false)
  }
}
