/// The id of a mail: a UUID of version 7. All repeats of a mail have the same id, from which `Message-ID` is made.
package typealias MailID = AccountID

/// The purpose of a mail.
package enum MailKind: String, Hashable, Sendable, CaseIterable {
  /// The code that proves a registration.
  case registrationCode
  /// The code that sets another password.
  case recoveryCode
  /// The code that proves the new address of an account.
  case changeCode
  /// Notifies an account's owner that a person tried to register the address again.
  case registrationTried
  /// Notifies an account's owner that the password was changed or recovered.
  case passwordChanged
  /// Notifies the previous address that the account has another address now.
  case emailChanged
  /// Brings the code of an invitation.
  case invitation
  /// Notifies the registering person that an administrator has to approve the account.
  case accountWaiting
  /// Notifies the owner that the account was approved.
  case accountApproved
  /// Notifies the registering person that the account was refused, and is gone.
  case accountRefused

  /// Whether the mail has a code for which a person waits. Such mails are sent first.
  package var isCode: Bool {
    switch self {
    case .registrationCode, .recoveryCode, .changeCode: true
    case .registrationTried, .passwordChanged, .emailChanged, .invitation, .accountWaiting, .accountApproved,
      .accountRefused:
      false
    }
  }

  /// Whether the mail is a notice, which reports a change that was made. No bound keeps a notice from being sent to a recipient
  /// who has proven the address (`MailIntent.isBounded`).
  package var isNotice: Bool {
    switch self {
    case .registrationCode, .recoveryCode, .changeCode, .registrationTried, .invitation: false
    case .passwordChanged, .emailChanged, .accountWaiting, .accountApproved, .accountRefused: true
    }
  }
}

/// A mail to be sent, made durable before the caller gets its answer. The text is written only when the mail is sent, so the
/// intent contains no code.
package struct MailIntent: Hashable, Sendable {
  package let id: MailID
  package let kind: MailKind
  package let to: EmailAddress
  /// The claim whose code the mail contains. A mail whose claim has ended is not sent.
  package let claim: ClaimID?
  /// The account that the mail is about.
  package let account: AccountID?
  /// The invitation whose code the mail contains. A mail whose invitation has ended is not sent.
  package let invitation: InvitationID?
  package private(set) var language: String?
  /// The user who caused the mail. In the mail queue users take turns, and so do the origins of a user.
  package let uid: UInt32
  package let origin: Origin?
  package let createdAt: Timestamp
  /// Whether the mail is really sent. A decoy's mail is counted and waits for its turn like any other, but is then
  /// handed to no mail system.
  package let isWanted: Bool
  /// Whether the requester of the mail (the same user and origin) has already registered the account of the address,
  /// signed in to it, or proven the address.
  package let isKnown: Bool
  private var proof: Proof

  /// Whether the recipient has proven the address. Stores do not keep this, because only the addition of the mail
  /// depends on it. Comparisons therefore ignore it.
  private struct Proof: Hashable, Sendable {
    let isGiven: Bool
    static func == (_: Proof, _: Proof) -> Bool { true }
    func hash(into _: inout Hasher) {}
  }

  /// The intent as a store keeps it.
  var kept: MailIntent {
    var kept = self
    kept.proof = Proof(isGiven: false)
    return kept
  }

  /// - Parameter isProven: Whether the recipient has proven the address.
  package init(
    id: MailID, kind: MailKind, to: EmailAddress, claim: ClaimID?, account: AccountID?,
    invitation: InvitationID? = nil, language: String?, uid: UInt32,
    origin: Origin?, createdAt: Timestamp, isWanted: Bool = true, isKnown: Bool = false, isProven: Bool = false
  ) {
    proof = Proof(isGiven: isProven)
    self.invitation = invitation
    self.id = id
    self.kind = kind
    self.to = to
    self.claim = claim
    self.account = account
    self.language = language
    self.uid = uid
    self.origin = origin
    self.createdAt = createdAt
    self.isWanted = isWanted
    self.isKnown = isKnown
  }

  package var share: Share { Share(uid: uid, origin: origin) }

  /// The same mail in the language of the person who registered the account, if that language is known.
  package func written(for registrant: Registrant?) -> MailIntent {
    var mail = self
    mail.language = registrant?.language ?? language
    return mail
  }

  /// Whether `MailBounds` limit the mail. They limit every mail, except a notice to a recipient who has proven the address: a
  /// stranger can cause notices to any other address.
  package var isBounded: Bool { !kind.isNotice || !proof.isGiven }
}

/// A mail as the store keeps it.
package struct StoredMail: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case waiting
    case sent
    /// The mail system refused the mail for good, or an administrator discarded it.
    case refused
    /// The mail belonged to a decoy, and its turn to be sent came. The store removes the row.
    case suppressed
    /// The claim or invitation of the mail had ended before the mail could be sent.
    case outdated
  }

  package let intent: MailIntent
  package var state: State
  /// The number of failed tries.
  package var attempts: Int
  /// Why the last try failed, in words for administrators.
  package var reason: String?
  /// The time before which the mail is not tried again, or nil if no try is recorded yet.
  package var next: Timestamp?
  /// Whether another regd has a lease that has not expired.
  package var isClaimedElsewhere: Bool

  package init(
    _ intent: MailIntent, state: State = .waiting, attempts: Int = 0, reason: String? = nil, next: Timestamp? = nil,
    isClaimedElsewhere: Bool = false
  ) {
    self.intent = intent
    self.state = state
    self.attempts = attempts
    self.reason = reason
    self.next = next
    self.isClaimedElsewhere = isClaimedElsewhere
  }
}
