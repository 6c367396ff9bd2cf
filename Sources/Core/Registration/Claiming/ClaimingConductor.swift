/// Makes every decision of one registration whose address has to be proven first, without doing anything itself: it
/// takes an event and returns the next action. The result is a claim of the address, not yet an account.
///
/// If callers must not learn whether an address is taken, the same steps happen for a free and for a taken address: a
/// look-up, a hash, a claim with a mail in one transaction, and a second look-up.
package struct ClaimingConductor: Conductor, Sendable {
  package enum Event: Equatable, Sendable, PortEvents {
    case foundClaim(AddressClaim?)
    case foundRequest(KnownRequest?)
    case found(StoredAccount?)
    case hashed(PasswordHash)
    case verified(PasswordVerdict)
    case added(ClaimAnswer)
    case ended
    case obstructed(Obstacle)
  }

  package enum Action: ConductedAction, Equatable, Sendable {
    case findClaim(RequestKey)
    case findRequest(RequestKey)
    case find(EmailKey)
    case hash
    /// Compare the entry's password with this hash. A wrong password counts as a guess at the subject.
    case verify(PasswordHash, of: GuessSubject)
    case add(AddressClaim, MailIntent)
    /// Remove a claim whose address another account got meanwhile. The claim's mail will not be sent.
    case end(ClaimID)
    case finish(RegistrationOutcome)
  }

  enum Phase: ConductorPhase {
    /// Looks up the request's claim. Then `comparing` or `lookingForRequest`.
    case lookingForClaim
    /// Looks up the request's account, which exists if its claim was proven. Then `comparing` or `looking`.
    case lookingForRequest
    /// Compares the password with that of the request's earlier call. If they are equal, `then` is the outcome.
    case comparing(then: RegistrationOutcome)
    /// Looks up the account that has the address. Then `hashing`.
    case looking
    /// Hashes the password. `holder` is the account that has the address, if any. The caller must not find out about
    /// this account. Then `adding`.
    case hashing(holder: Account?)
    /// Adds the claim. Then `comparing` or `lookingAgain`.
    case adding(AddressClaim)
    /// Looks up the address again: another account may have got it since the first look-up, before this claim was
    /// added. Then `ending`, if there is such an account.
    case lookingAgain(AddressClaim)
    /// Removes the claim, because `holder` has the address. Then `adding` a decoy, if callers must not learn of
    /// `holder`.
    case ending(AddressClaim, holder: Account)
    case finished
  }

  private let email: EmailAddress
  private let terms: VerificationTerms
  private let requester: Requester?
  private let request: RequestKey?
  private let language: String?
  private let now: Timestamp
  private let accepted: AcceptedTerms?
  private let displayName: DisplayName?
  private let otherwise: RegistrationOutcome?
  private let isKnown: @Sendable (Account) -> Bool
  var phase: Phase

  /// - Parameters:
  ///   - accepted: The operator's terms that the caller has accepted.
  ///   - otherwise: The outcome if the request has neither claim nor account, or nil to make a claim in that case.
  ///   - isKnown: Whether the account's owner has already used the requester's user and origin.
  package init(
    email: EmailAddress, _ terms: VerificationTerms, by requester: Requester?, request: RequestKey?,
    language: String?, accepted: AcceptedTerms? = nil, displayName: DisplayName? = nil,
    otherwise: RegistrationOutcome? = nil, now: Timestamp,
    isKnown: @escaping @Sendable (Account) -> Bool = { _ in false }
  ) {
    (self.accepted, self.displayName, self.otherwise) = (accepted, displayName, otherwise)
    self.email = email
    self.terms = terms
    self.requester = requester
    self.request = request
    self.language = language
    self.now = now
    self.isKnown = isKnown
    phase = request == nil ? .looking : .lookingForClaim
  }

  package var first: Action {
    if let request { return .findClaim(request) }
    return otherwise.map { .finish($0) } ?? .find(email.key)
  }

  /// - Parameter event: The outcome of the last action. An event that does not belong to the phase is a fault of the driver.
  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.lookingForClaim, .foundClaim(let claim?)): return compare(claim)
    case (.lookingForClaim, .foundClaim(nil)):
      guard let request else { return go(.looking, .find(email.key)) }
      return go(.lookingForRequest, .findRequest(request))
    case (.lookingForRequest, .foundRequest(let known?)): return compare(known)
    case (.lookingForRequest, .foundRequest(nil)):
      return otherwise.map { finish($0) } ?? go(.looking, .find(email.key))
    case (.comparing(let outcome), .verified(.right)): return finish(outcome)
    case (.comparing, .verified(.wrong)): return finish(.conflict)
    case (.looking, .found(let holder)):
      guard holder == nil || terms.conceals else { return finish(.taken) }
      return go(.hashing(holder: holder?.account), .hash)
    case (.hashing(let holder), .hashed(let hash)): return add(hash, holder)
    case (.adding(let claim), .added(.added)): return go(.lookingAgain(claim), .find(email.key))
    case (.lookingAgain(let claim), .found(let holder)): return lookAgain(claim, holder?.account)
    // The claim is durable already. If another account has the address, the store will refuse the proof.
    case (.lookingAgain(let claim), .obstructed), (.ending(let claim, _), .obstructed): return finish(.claimed(claim))
    case (.ending(let claim, let holder), .ended):
      guard terms.conceals, let hash = claim.passwordHash else { return finish(.taken) }
      return add(hash, holder)
    case (.adding, .added(.requestKnown(let claim))): return compare(claim)
    case (.adding, .added(.requestHasAccount(let known))): return compare(known)
    case (.adding, .added(.invitationRejected)): return finish(.invitationRejected)
    case (_, .obstructed(let obstacle)): return finish(.obstructed(obstacle))
    case (_, .foundClaim), (_, .foundRequest), (_, .found), (_, .hashed), (_, .verified), (_, .added),
      (_, .ended):
      return finish(.obstructed(fault(event), isPending: true))
    }
  }

  private mutating func compare(_ claim: AddressClaim) -> Action {
    guard claim.email.key == email.key, let hash = claim.passwordHash else { return finish(.conflict) }
    return go(.comparing(then: .claimed(claim)), .verify(hash, of: .claim(claim.id)))
  }

  /// The request already has an account, because its claim was proven. That account is the outcome if the password is
  /// right.
  private mutating func compare(_ known: KnownRequest) -> Action {
    guard known.account.email.key == email.key else { return finish(.conflict) }
    return go(.comparing(then: .registered(known.account)), .verify(known.passwordHash, of: .request))
  }

  private mutating func add(_ hash: PasswordHash, _ holder: Account?) -> Action {
    let draft = ClaimDraft(terms, by: requester, language: language, now: now)
    let claim = draft.claim(
      .registration, email, account: AccountID(at: now), hash: hash, request: request, isDecoy: holder != nil,
      terms: accepted, displayName: displayName)
    // sent to the address as its owner wrote it, because another spelling may lead to another mailbox
    let mail =
      holder.map { draft.mail(.registrationTried, to: $0.email, account: $0.id, isKnown: isKnown($0)) }
      ?? draft.mail(.registrationCode, to: email, claim: claim.id, account: claim.account)
    return go(.adding(claim), .add(claim, mail))
  }

  private mutating func lookAgain(_ claim: AddressClaim, _ holder: Account?) -> Action {
    guard let holder, holder.id != claim.account, claim.state == .open else { return finish(.claimed(claim)) }
    return go(.ending(claim, holder: holder), .end(claim.id))
  }
}

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
      language: language,
      uid: requester.share.uid ?? 0, origin: requester?.origin, createdAt: now, isWanted: isWanted,
      isKnown: isKnown, isProven: isProven)
  }
}

extension Timestamp {
  /// Whole seconds until `then`, rounded up, but at least one.
  func seconds(until then: Timestamp) -> Int {
    max(1, Int((then.microseconds - microseconds + 999_999) / 1_000_000))
  }
}
