/// Makes the claim and the mails of one caller's request.
struct ClaimDraft {
  private let terms: VerificationTerms
  private let requester: Requester?
  private let language: String?
  private let now: Timestamp

  init(_ terms: VerificationTerms, by requester: Requester?, language: String?, now: Timestamp) {
    self.terms = terms
    self.requester = requester
    self.language = language
    self.now = now
  }

  /// An id for an account that the claim will make, or that does not exist.
  func newAccount() -> AccountID { AccountID(at: now) }

  func claim(
    _ kind: AddressClaim.Kind, _ email: EmailAddress, account: AccountID, hash: PasswordHash? = nil,
    request: RequestKey? = nil, isDecoy: Bool, terms accepted: AcceptedTerms? = nil,
    displayName: DisplayName? = nil, epoch: SessionEpoch = SessionEpoch(stored: nil)
  ) -> AddressClaim {
    let end = now.advanced(by: terms.life(of: kind))
    return AddressClaim(
      id: ClaimID(), kind: kind, email: email, account: account, passwordHash: hash, uid: requester.share.uid ?? 0,
      origin: requester?.origin, request: request, language: language, createdAt: now, expiresAt: end,
      digits: terms.digits, state: isDecoy ? .decoy : .open, codeUntil: min(end, now.advanced(by: terms.code)),
      resendAt: now.advanced(by: terms.resend), terms: accepted, epoch: epoch, isConcealed: terms.conceals,
      displayName: displayName)
  }

  /// A notice to an account's owner. If the owner has proven the address, no bound prevents the notice. For an account
  /// that is older than the record of proofs, the present configuration decides.
  ///
  /// - Parameter id: The account that the mail is about, or nil if the account will be gone.
  func notice(_ kind: MailKind, _ account: Account, about id: AccountID?) -> MailIntent {
    mail(kind, to: account.email, account: id, isProven: account.isProven ?? terms.isRequired)
  }

  /// - Parameter isProven: Whether the recipient has proven the address. Matters only for a notice.
  func mail(
    _ kind: MailKind, to email: EmailAddress, claim: ClaimID? = nil, account: AccountID? = nil,
    invitation: InvitationID? = nil, isWanted: Bool = true, isKnown: Bool = false, isProven: Bool = false
  ) -> MailIntent {
    MailIntent(
      id: MailID(at: now), kind: kind, to: email, claim: claim, account: account, invitation: invitation,
      language: language, uid: requester.share.uid ?? 0, origin: requester?.origin, createdAt: now, isWanted: isWanted,
      isKnown: isKnown, isProven: isProven)
  }
}

extension Timestamp {
  /// Whole seconds until `then`, rounded up, but at least one.
  func seconds(until then: Timestamp) -> Int {
    max(1, Int((then.microseconds - microseconds + 999_999) / 1_000_000))
  }
}

/// The settings of the configuration for proving addresses (`registration`, `mail`).
package struct VerificationTerms: Equatable, Sendable {
  /// Whether an account exists only after its address was proven.
  package var isRequired: Bool
  /// Whether no caller learns that an address has an account.
  package var conceals: Bool
  /// How long a claim is valid.
  package var claim: Duration
  /// How long a code is valid.
  package var code: Duration
  /// The number of digits of a code.
  package var digits: Int
  /// A claim ends after this many wrong codes.
  package var attempts: Int
  /// The shortest time between two mails for one claim.
  package var resend: Duration
  /// Whether there is a mail system.
  package var hasMail: Bool

  package init(
    isRequired: Bool = false, conceals: Bool = false, claim: Duration = .seconds(86_400),
    code: Duration = .seconds(900), digits: Int = 6, attempts: Int = 5, resend: Duration = .seconds(60),
    hasMail: Bool = false
  ) {
    self.isRequired = isRequired
    self.conceals = conceals
    self.claim = claim
    self.code = code
    self.digits = digits
    self.attempts = attempts
    self.resend = resend
    self.hasMail = hasMail
  }

  /// How long a claim of the kind is valid. A recovery is valid only as long as its one code.
  func life(of kind: AddressClaim.Kind) -> Duration { kind == .recovery ? code : claim }
}
