/// Makes every decision of one proof of an address. The store counts the guess of the code before anything else is done.
package struct ProofConductor: Conductor, Sendable {
  package enum Event: Equatable, Sendable, PortEvents {
    case guess(CodeGuessing.Event)
    /// The outcome of registering the claim's account.
    case registered(RegistrationOutcome)
    case found(StoredAccount?)
    case emailChanged(EmailChangeAnswer)
    case obstructed(Obstacle)
  }

  package enum Action: ConductedAction, Equatable, Sendable {
    case guess(CodeGuessing.Action)
    /// Register the claim's account.
    case register(AddressClaim)
    case find(AccountID)
    case changeEmail(of: AccountID, from: EmailKey, to: EmailAddress, proving: ClaimID, notice: MailIntent?)
    case finish(ProofOutcome)
  }

  enum Phase: ConductorPhase {
    /// Guesses the code. Then `registering`, `recalling` or `lookingForAccount`.
    case guessing
    /// Registers the claim's account. Then `finished`.
    case registering
    /// Looks up the account of a claim that was proven before. Then `finished`.
    case recalling(AddressClaim)
    /// Looks up the account whose address will change. Then `changing`.
    case lookingForAccount(AddressClaim)
    /// Changes the account's address. Then `finished`.
    case changing(AddressClaim)
    case finished
  }

  private let terms: VerificationTerms
  private let requester: Requester
  private let language: String?
  private let now: Timestamp
  private var guess: CodeGuessing
  /// The guess of the code from its beginning, or nil once it was repeated.
  private var repeated: CodeGuessing?
  var phase = Phase.guessing

  /// - Parameter language: The language of the notice, or nil for the claim's language.
  package init(
    _ id: ClaimID, code: String, _ terms: VerificationTerms, by requester: Requester, language: String? = nil,
    now: Timestamp
  ) {
    self.language = language
    self.terms = terms
    self.requester = requester
    self.now = now
    guess = CodeGuessing(id, code: code, terms, by: requester, now: now) { claim in
      if claim.kind == .recovery { return .gone }
      // if callers must not learn that the address is taken, only a caller with the right code learns it
      return claim.state == .taken && !terms.conceals ? .taken : nil
    }
    repeated = guess
  }

  package var first: Action { .guess(guess.first) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.guessing, .guess(let event)):
      switch guess.next(event) {
      case .go(let action): return .guess(action)
      case .right(let claim): return proceed(claim)
      case .finish(let outcome): return finish(outcome)
      }
    case (.registering, .registered(let outcome)): return finish(ProofOutcome(outcome))
    case (.recalling(let claim), .found(let found)): return finish(found.map { proven($0.account, by: claim) } ?? .gone)
    case (.lookingForAccount(let claim), .found(let found)): return change(claim, found)
    case (.changing(let claim), .emailChanged(.changed(let account))): return finish(proven(account, by: claim))
    case (.changing, .emailChanged(.taken)): return finish(.taken)
    case (.changing, .emailChanged(.gone)): return startOver()
    case (_, .obstructed(let obstacle)): return finish(.obstructed(obstacle))
    case (_, .guess), (_, .registered), (_, .found), (_, .emailChanged):
      return finish(.obstructed(fault(event), isPending: true))
    }
  }

  private mutating func proceed(_ claim: AddressClaim) -> Action {
    switch (claim.state, claim.kind) {
    case (.open, .registration): go(.registering, .register(claim))
    case (.open, .changeOfEmail): go(.lookingForAccount(claim), .find(claim.account))
    case (.proven, .registration), (.proven, .changeOfEmail): go(.recalling(claim), .find(claim.account))
    case (.taken, _): finish(.taken)
    case (.decoy, _), (_, .recovery): finish(.gone)
    }
  }

  private func proven(_ account: Account, by claim: AddressClaim) -> ProofOutcome {
    .proven(account.proven(in: claim.kind == .changeOfEmail ? claim.epoch : .first))
  }

  private mutating func change(_ claim: AddressClaim, _ found: StoredAccount?) -> Action {
    guard let account = found?.account, account.state == .active else { return finish(.gone) }
    let draft = ClaimDraft(terms, by: requester, language: language ?? claim.language, now: now)
    let notice = terms.hasMail ? draft.notice(.emailChanged, account, about: account.id) : nil
    return go(
      .changing(claim),
      .changeEmail(of: account.id, from: account.email.key, to: claim.email, proving: claim.id, notice: notice))
  }

  /// Looks at the claim again, because it was open a moment ago and no longer is. If another call with the same code
  /// has changed the address, this call is a repeat of that call.
  private mutating func startOver() -> Action {
    guard let again = repeated else { return finish(.gone) }
    (guess, repeated) = (again, nil)
    return go(.guessing, first)
  }
}
