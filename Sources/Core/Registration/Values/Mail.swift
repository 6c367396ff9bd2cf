/// The id of a mail that is to be sent: a UUID of version 7. Repeats of one mail have one id, by which `Message-ID` is made.
package typealias MailID = AccountID

/// What a mail is to say.
package enum MailKind: String, Hashable, Sendable, CaseIterable {
  /// The code that proves a registration.
  case registrationCode
  /// The code that sets another password.
  case recoveryCode
  /// The code that proves the new address of an account.
  case changeCode
  /// To an owner of an account: with its address an account was asked for again.
  case registrationTried
  /// To an owner of an account: its password was changed, or recovered.
  case passwordChanged
  /// To the address before: the account has another one now.
  case emailChanged

  /// Whether somebody waits for it. What is needed most is sent first.
  package var isCode: Bool {
    switch self {
    case .registrationCode, .recoveryCode, .changeCode: true
    case .registrationTried, .passwordChanged, .emailChanged: false
    }
  }

  /// Whether it tells of what was done. Those count against no bound, and none is left out.
  package var isNotice: Bool {
    switch self {
    case .registrationCode, .recoveryCode, .changeCode, .registrationTried: false
    case .passwordChanged, .emailChanged: true
    }
  }
}

/// A mail that is to be sent, durable before a caller is answered. The text is made when it is sent; a code is in none of it.
package struct MailIntent: Hashable, Sendable {
  package let id: MailID
  package let kind: MailKind
  package let to: EmailAddress
  /// Whose code it has; a mail whose claim is over is not sent.
  package let claim: ClaimID?
  /// The account that it is about.
  package let account: AccountID?
  package let language: String?
  /// Who has caused it: users take turns, and their origins among themselves.
  package let uid: UInt32
  package let origin: Origin?
  package let createdAt: Timestamp
  /// False for that of a decoy: it is counted, waits and takes its turn as any other, and is handed to no mail system.
  package let isWanted: Bool
  /// Whether the user and origin have proven, registered or signed in to the account of that address before.
  package let isKnown: Bool

  package init(
    id: MailID, kind: MailKind, to: EmailAddress, claim: ClaimID?, account: AccountID?, language: String?, uid: UInt32,
    origin: Origin?, createdAt: Timestamp, isWanted: Bool = true, isKnown: Bool = false
  ) {
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
}

/// A mail as the store has it.
package struct StoredMail: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case waiting
    case sent
    /// The mail system has refused it for good, or an administrator has discarded it.
    case refused
    /// It was not wanted, and has had its turn. Its row goes.
    case suppressed
    /// Its claim was over before it could be sent.
    case outdated
  }

  package let intent: MailIntent
  package var state: State
  /// Tries without success.
  package var attempts: Int
  /// What was wrong the last time, in words for administrators.
  package var reason: String?
  /// Nothing is tried before; nil where nothing was noted yet.
  package var next: Timestamp?
  /// Whether another regd has a lease of it that has not run out.
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
