/// Makes every decision of starting a recovery. The same steps happen whether or not the address has an account, so
/// that callers do not learn it.
package struct RecoveryStart: Conductor, Sendable {
  package enum Event: Equatable, Sendable, PortEvents {
    case found(StoredAccount?)
    case added(ClaimAnswer)
    case obstructed(Obstacle)
  }

  package enum Action: ConductedAction, Equatable, Sendable {
    case find(EmailKey)
    case add(AddressClaim, MailIntent)
    case finish(ClaimOutcome)
  }

  enum Phase: ConductorPhase {
    case looking
    case adding(AddressClaim)
    case finished
  }

  private let email: EmailAddress
  private let draft: ClaimDraft
  private let now: Timestamp
  private let isKnown: @Sendable (Account) -> Bool
  var phase = Phase.looking

  /// - Parameter isKnown: Whether the account's owner has been at the requester's place (user and origin).
  package init(
    email: EmailAddress, _ terms: VerificationTerms, by requester: Requester, language: String?, now: Timestamp,
    isKnown: @escaping @Sendable (Account) -> Bool = { _ in false }
  ) {
    self.email = email
    self.now = now
    self.isKnown = isKnown
    draft = ClaimDraft(terms, by: requester, language: language, now: now)
  }

  package var first: Action { .find(email.key) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.looking, .found(let found)):
      // a pending or disabled account recovers nothing
      let account = found.flatMap { $0.account.state == .active ? $0.account : nil }
      // the claim shows the address as the caller wrote it, but the mail goes to the address as its owner wrote it
      let claim = draft.claim(
        .recovery, email, account: account?.id ?? AccountID(at: now), isDecoy: account == nil)
      let mail = draft.mail(
        .recoveryCode, to: account?.email ?? email, claim: claim.id, account: account?.id, isWanted: account != nil,
        isKnown: account.map(isKnown) ?? false)
      return go(.adding(claim), .add(claim, mail))
    case (.adding(let claim), .added(.added)): return finish(.claimed(claim))
    case (_, .obstructed(let obstacle)): return finish(.obstructed(obstacle))
    case (_, .found), (_, .added): return finish(.obstructed(fault(event)))
    }
  }
}

/// Makes every decision of ending a recovery with a code and a new password.
package struct RecoveryFinish: Conductor, Sendable {
  package enum Event: Equatable, Sendable, PortEvents {
    case guess(CodeGuessing.Event)
    case hashed(PasswordHash)
    case recovered(Account?)
    case found(StoredAccount?)
    case verified(PasswordVerdict)
    case obstructed(Obstacle)
  }

  package enum Action: ConductedAction, Equatable, Sendable {
    case guess(CodeGuessing.Action)
    case hash
    case recover(ClaimID, of: AccountID, to: PasswordHash, notice: MailIntent?)
    case find(AccountID)
    /// Compare the new password with this hash of this account. A wrong password counts as a guess at the account.
    case verify(PasswordHash, Account)
    case finish(ProofOutcome)
  }

  enum Phase: ConductorPhase {
    case guessing
    /// Looks up the claim's account. Then `hashing`. If the code was used before, then `recognising`, because a repeat
    /// with the same password gets the same answer.
    case lookingForAccount(AddressClaim)
    case hashing(AddressClaim, Account)
    case recovering
    case recognising(Account)
    case finished
  }

  private let id: ClaimID
  private let terms: VerificationTerms
  private let requester: Requester
  private let language: String?
  private let now: Timestamp
  private var guess: CodeGuessing
  /// The guess of the code from its beginning, or nil once it was repeated.
  private var repeated: CodeGuessing?
  var phase = Phase.guessing

  /// - Parameters:
  ///   - language: The language of the notice, or nil for the claim's language.
  ///   - problems: Returns the problems of the new password for an account with this address.
  package init(
    _ id: ClaimID, code: String, _ terms: VerificationTerms, by requester: Requester, language: String? = nil,
    now: Timestamp, problems: @escaping @Sendable (EmailAddress) -> [Problem]
  ) {
    self.id = id
    self.language = language
    self.terms = terms
    self.requester = requester
    self.now = now
    guess = CodeGuessing(id, code: code, terms, by: requester, now: now) { claim in
      guard claim.kind == .recovery else { return .gone }
      // a password that breaks rules is refused before the code is compared, so it costs no attempt
      let problems = problems(claim.email)
      return problems.isEmpty ? nil : .obstructed(.invalid(problems))
    }
    repeated = guess
  }

  package var first: Action { .guess(guess.first) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.guessing, .guess(let event)):
      switch guess.next(event) {
      case .go(let action): return .guess(action)
      case .right(let claim): return go(.lookingForAccount(claim), .find(claim.account))
      case .finish(let outcome): return finish(outcome)
      }
    case (.lookingForAccount, .found(nil)): return finish(.gone)
    case (.lookingForAccount(let claim), .found(let found?)):
      guard found.account.state == .active else { return finish(.gone) }
      return claim.state == .proven
        ? go(.recognising(found.account), .verify(found.passwordHash, found.account))
        : go(.hashing(claim, found.account), .hash)
    case (.hashing(let claim, let account), .hashed(let hash)):
      let draft = ClaimDraft(terms, by: requester, language: language ?? claim.language, now: now)
      var proven = account
      proven.isProven = true  // by the code
      let notice = terms.hasMail ? draft.notice(.passwordChanged, proven, about: account.id) : nil
      return go(.recovering, .recover(id, of: account.id, to: hash, notice: notice))
    case (.recovering, .recovered(let account?)): return finish(.proven(account))
    case (.recovering, .recovered(nil)): return startOver()
    case (.recognising(let account), .verified(.right)): return finish(.proven(account))
    case (.recognising, .verified(.wrong)): return finish(.gone)
    // no guess is counted for a removed claim, so a failure of the store would reveal that this claim exists
    case (.guessing, .obstructed) where guess.isAtHiddenClaim: return finish(.gone)
    case (_, .obstructed(let obstacle)): return finish(.obstructed(obstacle))
    case (_, .guess), (_, .hashed), (_, .recovered), (_, .found), (_, .verified):
      return finish(.obstructed(fault(event), isPending: true))
    }
  }

  /// Looks at the claim again, because it was open a moment ago and no longer is. If another call with the same code
  /// has finished the recovery, this call is a repeat of that call.
  private mutating func startOver() -> Action {
    guard let again = repeated else { return finish(.gone) }
    (guess, repeated) = (again, nil)
    return go(.guessing, first)
  }
}
