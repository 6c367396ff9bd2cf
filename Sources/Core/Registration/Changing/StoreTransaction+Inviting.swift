/// Makes, finds and revokes invitations.
extension StoreTransaction {
  func add(
    _ invitation: Invitation, _ mail: MailIntent?, _ stamp: Stamp
  ) throws(StoreFailure) -> InvitationAnswer {
    if let email = invitation.email, try account(email.key) != nil { return .emailTaken }
    if let mail, try bound(admitting: mail) == nil { return .tooManyMails }
    try add(invitation)
    if let mail { try write(.addMail(mail)) }
    try write(.note(AuditEntry.Draft(.invitationCreated, invitation.id, stamp)))
    return .added
  }

  func revokeInvitation(_ id: InvitationID, _ stamp: Stamp) throws(StoreFailure) -> CountedInvitation? {
    if try revoke(id, at: stamp.time) {
      try write(.note(AuditEntry.Draft(.invitationRevoked, id, stamp)))
    }
    return try countedInvitation(id, at: stamp.time)
  }

  /// Finds an invitation, and whether it admits the address. Each refusal does the same reads, so that its duration
  /// reveals no reason.
  func admittance(
    _ digest: InvitationDigest, _ email: EmailAddress, claiming share: Share?, at now: Timestamp
  ) throws(StoreFailure) -> Admittance {
    let found = try invitation(digest)
    let subject = found ?? .nobodys(at: now)
    let hasUse = try hasUse(subject, at: now)
    let oldest = try oldestHolder(of: subject.id, share ?? .daemon, at: now)
    guard let found, found.admits(email, at: now) else { return .refused(found) }
    let mayTakeOver = share.map { found.mayBeTakenOver(by: $0) } ?? false && oldest != nil
    return hasUse || mayTakeOver ? .admitted(found) : .refused(found)
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

/// Implements the operations on invitations.
extension AccountStore {
  package func add(
    _ invitation: Invitation, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InvitationAnswer {
    try await change(.addInvitation, ChangeScope(invitation: invitation.id, [mail?.id]), for: stamp.by.share) {
      (rows) throws(StoreFailure) in
      try rows.add(invitation, mail, stamp)
    }
  }

  package func revokeInvitation(_ id: InvitationID, _ stamp: Stamp) async throws(StoreFailure) -> CountedInvitation? {
    try await change(.revokeInvitation, ChangeScope(invitation: id).ofAnyClaim, for: stamp.by.share) {
      (rows) throws(StoreFailure) in
      try rows.revokeInvitation(id, stamp)
    }
  }

  package func admittance(
    _ digest: InvitationDigest, _ email: EmailAddress, claiming share: Share?, at now: Timestamp
  ) async throws(StoreFailure) -> Admittance {
    let found: @Sendable (Admittance) -> ChangeScope = { ChangeScope.about($0.invitation) }
    return try await look(.findInvitation, ChangeScope(), found) { (rows) throws(StoreFailure) in
      try rows.admittance(digest, email, claiming: share, at: now)
    }
  }

  package func find(invitation id: InvitationID) async throws(StoreFailure) -> Invitation? {
    try await look(.findInvitation, ChangeScope(invitation: id)) { (rows) throws(StoreFailure) in
      try rows.invitation(id)
    }
  }

  package func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) async throws(StoreFailure) -> [CountedInvitation] {
    try await list(.invitations) { (rows) throws(StoreFailure) in
      try rows.invitations(after: after, limit: limit, at: now)
    }
  }
}
