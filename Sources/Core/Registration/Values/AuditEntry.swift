package import WireFormats

/// One change of one account or invitation: its kind, its time, and its requester. The store writes it in the change's
/// own transaction, and never changes or removes it afterwards, but may erase the address.
package struct AuditEntry: Hashable, Sendable {
  package enum Change: String, Sendable, CaseIterable {
    /// A new account was added, and is active.
    case registered = "account.registered"
    /// A new account was added, and the upstream still has to be asked.
    case reserved = "account.reserved"
    /// A pending registration was requested again.
    case resumed = "account.resumed"
    /// A pending account became active, because the upstream has it.
    case activated = "account.activated"
    /// A pending account was removed, because the upstream does not have it.
    case released = "account.released"
    /// A new account came from elsewhere, because an administrator imported it, or because the upstream, as the authority for
    /// sign-ins, accepted a caller without an account here.
    case imported = "account.imported"
    case disabled = "account.disabled"
    case enabled = "account.enabled"
    case deleted = "account.deleted"
    /// An administrator set another password.
    case passwordSet = "account.passwordSet"
    /// The owner set another password.
    case passwordChanged = "account.passwordChanged"
    /// The owner proved the address and set another password.
    case passwordRecovered = "account.passwordRecovered"
    /// The owner or an administrator ended all sign-ins of the account.
    case signedOut = "account.signedOut"
    /// The account got another address.
    case emailChanged = "account.emailChanged"
    /// A sign-in replaced the hash by one of the same password with the current parameters. If the upstream is the
    /// authority, the new hash may also be of the password that the upstream accepted, or of a random password that no
    /// person knows.
    case rehashed = "account.rehashed"
    /// A client (uid and origin) that the owner has used now counts as a stranger's, because too many wrong passwords came
    /// from it. At most one such entry per account and day. The account itself has not changed.
    case guessed = "account.guessed"
    /// A new account was added, and an administrator has to approve it, or an approved account waits again, because the
    /// upstream does not have it.
    case waiting = "account.waiting"
    /// An administrator has approved a waiting account.
    case approved = "account.approved"
    /// An administrator has refused a waiting account, which is gone.
    case refused = "account.refused"
    /// The owner has accepted a version of the terms.
    case termsAccepted = "terms.accepted"
    /// An administrator has added the account to groups or removed it from some, or a new account begins with groups.
    case grouped = "account.grouped"
    /// The owner or an administrator has changed the display name.
    case renamed = "account.renamed"
    case invitationCreated = "invitation.created"
    case invitationRevoked = "invitation.revoked"
  }

  /// The number of the entry: the first is 1, later ones grow, and none is used twice.
  package private(set) var number: Int
  package let time: Timestamp
  package let change: Change
  /// The changed account, or nil if the entry is about an invitation.
  package let account: AccountID?
  /// The account's address as it was typed. Nil for an invitation, or once erased: some time after the account was
  /// deleted or released, or got another address.
  package private(set) var email: String?
  /// The requester of the change, or nil if regd made it without a request. Its origin is erased with the address.
  package private(set) var by: Requester?
  /// The instance of the regd that made the change, or nil for an entry by an older version, which did not record it.
  package var regd: String?
  /// The changed invitation, or nil if the entry is about an account.
  package let invitation: InvitationID?
  /// The version of the terms that were accepted.
  package let terms: String?
  /// The groups that were added and removed, or nil for every other change.
  package let groups: GroupChange?
  /// Nil for an entry that never had an address or an origin, or whose address was erased before there were seals.
  package private(set) var seal: AuditSeal?

  package init(
    number: Int, change: Change, account: AccountID?, email: String?, stamp: Stamp, regd: String?,
    invitation: InvitationID? = nil, terms: String? = nil, groups: GroupChange? = nil, seal: AuditSeal? = nil
  ) {
    self.groups = groups
    self.seal = seal
    self.number = number
    self.change = change
    self.account = account
    self.email = email
    time = stamp.time
    by = stamp.by
    self.regd = regd
    self.invitation = invitation
    self.terms = terms
  }

  /// Erases the address, the requester's origin, which may also be an address, and the salt. Keeps their commitment.
  package mutating func eraseAddress(_ cryptography: any AuditCryptography) {
    seal = commitment(cryptography).map { AuditSeal.commitment($0) }
    email = nil
    by = by.map { Requester(uid: $0.uid, pid: $0.pid, door: $0.door) }
  }

  /// The same entry with another number, for an entry that got its number later.
  package func numbered(_ number: Int) -> AuditEntry {
    var entry = self
    entry.number = number
    return entry
  }

  /// The same entry with a new seal, if it has an address or an origin, and no seal yet.
  package func sealed() -> AuditEntry {
    guard seal == nil, email != nil || by?.origin != nil else { return self }
    var entry = self
    entry.seal = .random()
    return entry
  }

  /// An entry that is not yet written, and so has no number.
  package struct Draft: Sendable {
    package let change: Change
    /// The changed account, or nil for an entry about an invitation.
    package let account: Account?
    package let invitation: InvitationID?
    package let terms: String?
    package let groups: GroupChange?
    package let stamp: Stamp

    package init(
      _ change: Change, _ account: Account, terms: String? = nil, groups: GroupChange? = nil, _ stamp: Stamp
    ) {
      (self.change, self.account, self.terms, self.groups, self.stamp) = (change, account, terms, groups, stamp)
      invitation = nil
    }

    package init(_ change: Change, _ invitation: InvitationID, _ stamp: Stamp) {
      (self.change, self.invitation, self.stamp) = (change, invitation, stamp)
      (account, terms, groups) = (nil, nil, nil)
    }

    /// A new seal for the entry, or nil if the entry has nothing that is erased later.
    package func newSeal() -> AuditSeal? { account == nil && stamp.by?.origin == nil ? nil : .random() }

    /// - Parameter seal: The result of `newSeal`.
    package func entry(number: Int, regd: String?, seal: AuditSeal?) -> AuditEntry {
      AuditEntry(
        number: number, change: change, account: account?.id, email: account?.email.typed, stamp: stamp, regd: regd,
        invitation: invitation, terms: terms, groups: groups, seal: seal)
    }
  }
}

/// An entry as JSON. `events.list` and the leaf of the audit's tree have the same members, so both are made from this list.
extension AuditEntry {
  /// The members of an entry, in the order in which callers get them.
  package enum Member: String, CaseIterable, Sendable {
    case event, time, entry, account, invitation, terms, added, removed, email, uid, pid, origin, door, regd
    case commitment, salt

    /// Whether the member may identify a person. It is then erased some time later, and is not part of the leaf. The leaf has
    /// the commitment instead.
    package var isErasable: Bool { self == .email || self == .origin || self == .salt }

    /// Whether only readers of the audit get the member, and no subscribers to events.
    package var isOfTree: Bool { self == .commitment || self == .salt }

    /// The members of the leaf, in the order of their names.
    fileprivate static let ofLeaf = allCases.filter { !$0.isErasable }.sorted { $0.rawValue < $1.rawValue }
  }

  /// The value of a member, or nil if the entry does not have the member.
  ///
  /// - Parameter commitment: The entry's commitment, for the member of that name.
  package func value(of member: Member, commitment: [UInt8]? = nil) -> CanonicalJSON.Value? {
    switch member {
    case .event: .text(change.rawValue)
    case .time: .text(time.rfc3339)
    case .entry: .number(number)
    case .account: account.map { .text($0.description) }
    case .invitation: invitation.map { .text($0.description) }
    case .terms: terms.map { .text($0) }
    case .added: groups.map { .texts($0.added.map(\.description)) }
    case .removed: groups.map { .texts($0.removed.map(\.description)) }
    case .email: email.map { .text($0) }
    case .uid: by.map { .number(Int($0.uid)) }
    case .pid: by.map { .number(Int($0.pid)) }
    case .origin: by?.origin.map { .text($0.text) }
    case .door: by?.door.map { .text($0) }
    case .regd: regd.map { .text($0) }
    case .commitment: commitment.map { .text(Base64.encoded($0)) }
    case .salt: seal?.salt.map { .text(Base64.encoded($0)) }
    }
  }

  /// The commitment to the members `email` and `origin`, or nil for an entry that never had one of them.
  package func commitment(_ cryptography: any AuditCryptography) -> [UInt8]? {
    switch seal {
    case nil: nil
    case .commitment(let commitment): commitment
    case .salt(let salt): AuditSeal.digest(salt, email: email, origin: by?.origin?.text, cryptography)
    }
  }

  /// The bytes of the entry's leaf in the audit's tree. They remain the same when the address is erased.
  package func leaf(_ cryptography: any AuditCryptography) -> [UInt8] {
    let commitment = commitment(cryptography)
    return CanonicalJSON.object(
      Member.ofLeaf.compactMap { member in value(of: member, commitment: commitment).map { (member.rawValue, $0) } })
  }
}

/// Binds the address and the origin of an audit entry to the entry's leaf, and can be erased with them. Without the salt, not even
/// trying all addresses shows which one the entry had.
package enum AuditSeal: Hashable, Sendable {
  /// 32 random bytes, as long as the address and the origin are kept.
  case salt([UInt8])
  /// The SHA-256 of the erased salt, address and origin.
  case commitment([UInt8])

  package static func random() -> AuditSeal { .salt(CodeKey.random().bytes) }

  /// The SHA-256 of the salt and of those of the two members that the entry has, as canonical JSON.
  package static func digest(
    _ salt: [UInt8], email: String?, origin: String?, _ cryptography: any AuditCryptography
  ) -> [UInt8] {
    let members = [("email", email), ("origin", origin)]
    return cryptography.digest(
      salt
        + CanonicalJSON.object(
          members.compactMap { name, text in text.map { (name, CanonicalJSON.Value.text($0)) } }))
  }

  package var salt: [UInt8]? { if case .salt(let salt) = self { salt } else { nil } }
  package var commitment: [UInt8]? { if case .commitment(let commitment) = self { commitment } else { nil } }
}
