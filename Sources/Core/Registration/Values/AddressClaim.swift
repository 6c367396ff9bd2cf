/// A caller's request to own an address, or to recover the account that has it. A claim waits for the code that proves it,
/// until it expires.
///
/// A claim is not an account, and does not block the address for other callers.
package struct AddressClaim: Hashable, Sendable {
  /// The effect of proving the claim.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Registers an account with the address.
    case registration
    /// Sets another password for the account that has the address.
    case recovery
    /// Gives an account this address instead of its present one.
    case changeOfEmail
  }

  package enum State: String, Hashable, Sendable, CaseIterable {
    /// The right code proves the claim.
    case open
    /// The claim was proven, and `account` has the address.
    case proven
    /// Another account has the address, because another claim or registration was faster.
    case taken
    /// There was nothing to prove when the claim was made: no account to recover, or a taken address that callers must not learn
    /// about. Every code is wrong, and no mail contains one.
    case decoy
  }

  package let id: ClaimID
  package let kind: Kind
  /// The claimed address. Its owner proves the claim by the code that regd mails there.
  package let email: EmailAddress
  /// The account that a registration will make, chosen in advance so that every request to the upstream has the same id, or the
  /// account that is recovered or gets another address. A decoy's id belongs to no account.
  package let account: AccountID
  /// The hash of the registration's password, or of the password that the owner gave to change the address, or nil for
  /// a recovery.
  package let passwordHash: PasswordHash?
  /// The user who made the claim. Only this user may prove it.
  package let uid: UInt32
  package let origin: Origin?
  /// The caller's own id for the registration, by which regd recognizes a repeat.
  package let request: RequestKey?
  /// The language of the mails, as the caller named it (BCP 47).
  package let language: String?
  /// The invitation by which a registration was claimed, or nil for none. The store sets this (`Accounts.add`).
  package var invitation: InvitationID?
  /// Whether the claim was made while callers must not learn which addresses have accounts (`registration.conceal`).
  package let isConcealed: Bool
  /// The terms that the registering person has accepted. The account gets them.
  package let terms: AcceptedTerms?
  /// The name that the registering person has given. The account gets it, and the claim loses it once it is not open any more.
  package var displayName: DisplayName?
  /// For a change of address: the account's epoch when the owner gave the password.
  package let epoch: SessionEpoch
  package let createdAt: Timestamp
  /// When the claim expires. Afterwards it has no effect.
  package let expiresAt: Timestamp
  /// The number of digits of the present code.
  package var digits: Int
  package var state: State
  /// The number of the present code. It starts at 1 and grows with each new code.
  package var generation: Int
  /// When the present code expires.
  package var codeUntil: Timestamp
  /// Wrong codes so far, over all generations.
  package var attempts: Int
  /// No mail can be requested again before this time.
  package var resendAt: Timestamp
  /// The bound of `MailBounds` that admitted the mail with the present code, or nil if none did. Also set for a decoy,
  /// whose mail is not sent. The store sets this.
  ///
  /// Whether a known share's own bound admits a mail depends on whether the address has an account. All properties that
  /// callers can observe therefore treat `own` as nil.
  package var mailed: MailBounds.Part?
  /// Whether the claim had to give way to newer claims although its code was mailed (`isHiddenInsteadOfRemoved`). To a
  /// caller a hidden claim looks removed until its correct code is given. The first wrong code ends it, and is not counted
  /// for the address, because the count shows in the length of new codes.
  package var isHidden = false

  package init(
    id: ClaimID, kind: Kind, email: EmailAddress, account: AccountID, passwordHash: PasswordHash?, uid: UInt32,
    origin: Origin?, request: RequestKey?, language: String?, createdAt: Timestamp, expiresAt: Timestamp, digits: Int,
    state: State, generation: Int = 1, codeUntil: Timestamp, attempts: Int = 0, resendAt: Timestamp,
    mailed: MailBounds.Part? = .shared, terms: AcceptedTerms? = nil, epoch: SessionEpoch = SessionEpoch(stored: nil),
    invitation: InvitationID? = nil, isConcealed: Bool = false, displayName: DisplayName? = nil
  ) {
    self.displayName = displayName
    (self.invitation, self.isConcealed) = (invitation, isConcealed)
    self.terms = terms
    self.epoch = epoch
    self.id = id
    self.kind = kind
    self.email = email
    self.account = account
    self.passwordHash = passwordHash
    self.uid = uid
    self.origin = origin
    self.request = request
    self.language = language
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.digits = digits
    self.state = state
    self.generation = generation
    self.codeUntil = codeUntil
    self.attempts = attempts
    self.resendAt = resendAt
    self.mailed = mailed
  }

  /// Whether the present code was mailed, or would have been if the claim were not a decoy.
  package var isMailed: Bool { mailed != nil }

  /// Whether the claim keeps its room as one whose code was mailed.
  package var ranksAsMailed: Bool { mailed == .shared || isHidden }

  /// Whether the store hides the claim where `ClaimBounds` would remove it. Otherwise other callers could end an
  /// owner's recovery, whose code was mailed by a known share's own bound, with a hundred claims. If the
  /// claim kept its place instead, a caller with the same share could conclude that the address has an account.
  package var isHiddenInsteadOfRemoved: Bool { kind == .recovery && state == .open && mailed == .own && !isHidden }

  /// Whether a right code exists: the code was mailed, was not spent, and the claim is not a decoy.
  package var hasCode: Bool { isMailed && state != .decoy && !isSpent }

  /// Whether the present code was ended by a wrong guess (`afterWrongGuess`).
  package var isSpent: Bool { codeUntil == Self.spent }

  /// The end of a spent code, which no other code has. So a store needs no further column.
  private static let spent = Timestamp(microseconds: 0)

  /// Ends the present code after a wrong guess. Until the mail is sent again, no code proves the claim, and no guess counts.
  private mutating func spend() {
    // a guess that was compared before belongs to another code from now on
    generation += 1
    codeUntil = Self.spent
  }

  /// The claim after a wrong guess. If too many wrong codes were entered for all addresses together, the guess ends a
  /// short code. Otherwise an attacker could make claims in advance to have a supply of short codes.
  ///
  /// - Parameter wrong: The wrong codes over all addresses before this guess (`WrongCodes.overAll`).
  func afterWrongGuess(amongAll wrong: Int) -> AddressClaim {
    var claim = self
    claim.attempts += 1
    // also of a proven claim, because a repeat of its proof returns the account and a stamp
    if digits < CodeBounds.longDigits, wrong >= CodeBounds.all { claim.spend() }
    return claim
  }

  /// Whether a claim in this state keeps its use of an invitation, if it has one, until the claim expires. A concealed
  /// claim keeps its use when another account gets the address, because a free use would reveal that this happened.
  package var mayHoldUse: Bool {
    switch state {
    case .open, .decoy: true
    case .taken: isConcealed
    case .proven: false
    }
  }

  package var share: Share { Share(uid: uid, origin: origin) }

  /// The account that must still have the hash `passwordHash` when the claim is added, or nil if the claim depends on
  /// no password.
  package var fence: AccountID? { kind == .changeOfEmail && passwordHash != nil ? account : nil }

  /// - Parameter found: The account of `fence`, as the store has it now.
  /// - Returns: Whether the account is gone, not active, or has another password.
  package func isOutdated(_ found: StoredAccount?) -> Bool {
    found?.account.state != .active || found?.passwordHash != passwordHash
  }
}

/// The id of a claim: 128 random bits, which no other caller can guess. As text, it has 32 hexadecimal digits in lower
/// case.
package struct ClaimID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  package let description: String

  package init() {
    var random = SystemRandomNumberGenerator()
    description = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// - Returns: Nil if the text is not such an id.
  package init?(_ text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    description = text
  }

  package static func < (one: ClaimID, other: ClaimID) -> Bool { one.description < other.description }
}

/// A guess of a claim's code, already compared. The store answers it in the transaction that counts it, so that a
/// caller that sends many guesses at once gets no more answers than the claim allows.
package struct CodeGuess: Hashable, Sendable {
  package let isRight: Bool
  /// The number of the code with which the guess was compared.
  package let generation: Int
  /// A claim ends after this many wrong codes.
  package let attempts: Int

  package init(isRight: Bool, generation: Int, attempts: Int) {
    self.isRight = isRight
    self.generation = generation
    self.attempts = attempts
  }
}
