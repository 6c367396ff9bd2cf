/// Makes every decision of sending a claim's mail again: with the same code while the code is valid, otherwise with a
/// new one. A code that was never mailed is also replaced, because its recipient does not know it.
package struct ResendConductor: Conductor, Sendable {
  package enum Event: Equatable, Sendable, PortEvents {
    /// `digits`: the number of digits of a new code.
    case foundClaim(AddressClaim?, digits: Int)
    case found(StoredAccount?)
    case renewed(Bool)
    case obstructed(Obstacle)
  }

  package enum Action: ConductedAction, Equatable, Sendable {
    case findClaim(ClaimID)
    case find(AccountID)
    case renew(AddressClaim, seen: AddressClaim, MailIntent?)
    case finish(ClaimOutcome)
  }

  enum Phase: ConductorPhase {
    case looking
    /// Looks up the account to recover, because the mail goes to the address as the account has it. Then `renewing`.
    case lookingForAccount(AddressClaim, digits: Int)
    case renewing(AddressClaim)
    case finished
  }

  private let id: ClaimID
  private let terms: VerificationTerms
  private let requester: Requester
  private let language: String?
  private let now: Timestamp
  private let isKnown: @Sendable (Account) -> Bool
  var phase = Phase.looking

  /// - Parameters:
  ///   - language: The language of the mail, or nil for the claim's language.
  ///   - isKnown: Whether the account's owner has already used the requester's user and origin.
  package init(
    _ id: ClaimID, _ terms: VerificationTerms, by requester: Requester, language: String? = nil, now: Timestamp,
    isKnown: @escaping @Sendable (Account) -> Bool = { _ in false }
  ) {
    self.language = language
    self.id = id
    self.terms = terms
    self.requester = requester
    self.now = now
    self.isKnown = isKnown
  }

  package var first: Action { .findClaim(id) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.looking, .foundClaim(let claim, let digits)): return examine(claim, digits)
    case (.lookingForAccount(let claim, let digits), .found(let found)):
      let account = found.flatMap { $0.account.state == .active ? $0.account : nil }
      return renew(
        claim, digits, to: account?.email ?? claim.email, isWanted: account != nil && claim.state == .open,
        isKnown: account.map(isKnown) ?? false)
    case (.renewing(let claim), .renewed(true)): return finish(.claimed(claim))
    // another call has just had the mail sent again, or the claim has got another code
    case (.renewing, .renewed(false)): return go(.looking, .findClaim(id))
    case (_, .obstructed(let obstacle)): return finish(.obstructed(obstacle))
    case (_, .foundClaim), (_, .found), (_, .renewed):
      return finish(.obstructed(fault(event)))
    }
  }

  private mutating func examine(_ seen: AddressClaim?, _ digits: Int) -> Action {
    guard let seen, seen.uid == requester.uid, !seen.isHidden else { return finish(.gone) }
    switch seen.state {
    case .proven: return finish(.gone)
    case .taken where !terms.conceals: return finish(.taken)
    case .open, .taken, .decoy: break
    }
    // a resend time further ahead than `resend` comes from a wrong clock, and is ignored
    guard seen.resendAt <= now || seen.resendAt > now.advanced(by: terms.resend) else {
      return finish(.tooSoon(retryAfterSeconds: now.seconds(until: seen.resendAt)))
    }
    guard seen.kind == .recovery else { return renew(seen, digits, to: seen.email, isWanted: seen.state == .open) }
    return go(.lookingForAccount(seen, digits: digits), .find(seen.account))
  }

  /// - Parameter isWanted: Whether there is something to prove. If false, the mail is counted, but not sent.
  private mutating func renew(
    _ seen: AddressClaim, _ digits: Int, to email: EmailAddress, isWanted: Bool, isKnown: Bool = false
  ) -> Action {
    var claim = seen
    claim.resendAt = now.advanced(by: terms.resend)
    let codeUntil = min(seen.expiresAt, now.advanced(by: terms.code))
    if seen.codeUntil <= now || isReplaced(seen, digits, codeUntil) {
      claim.generation += 1
      claim.digits = digits
      claim.codeUntil = codeUntil
    }
    let mail = ClaimDraft(terms, by: requester, language: language ?? claim.language, now: now).mail(
      seen.kind.code, to: email, claim: claim.id, account: claim.account, isWanted: isWanted, isKnown: isKnown)
    return go(.renewing(claim), .renew(claim, seen: seen, mail))
  }

  /// Whether the claim gets another code although the present one has not expired.
  private func isReplaced(_ seen: AddressClaim, _ digits: Int, _ codeUntil: Timestamp) -> Bool {
    switch seen.mailed {
    case .shared: false
    case nil: true
    // If the address has no account, the code was not mailed and is replaced. The outcome must look the same here.
    case .own: seen.digits != digits || seen.codeUntil != codeUntil
    }
  }
}

extension AddressClaim.Kind {
  /// The kind of mail that contains the claim's code.
  var code: MailKind {
    switch self {
    case .registration: .registrationCode
    case .recovery: .recoveryCode
    case .changeOfEmail: .changeCode
    }
  }
}
