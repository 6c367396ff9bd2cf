/// Makes every decision of one proof of an address, without doing anything itself: takes an event and returns the next action.
///
/// The store counts the guess before anything follows from it, and its count decides: a caller that tries many codes at once
/// learns nothing about those beyond the bounds.
package struct ProofConductor: Sendable {
  package enum Event: Equatable, Sendable, PortEvents {
    case foundClaim(AddressClaim?)
    /// Whether the code is right.
    case compared(Bool)
    case guessed(GuessAnswer)
    /// The outcome of registering the claim's account.
    case registered(RegistrationOutcome)
    case found(StoredAccount?)
    case emailChanged(EmailChangeAnswer)
    case obstructed(Obstacle)
  }

  package enum Action: Equatable, Sendable {
    case findClaim(ClaimID)
    /// Compare these digits with the claim's code, in constant time.
    case compare(String, AddressClaim)
    case guess(ClaimID, CodeGuess)
    /// Register the claim's account.
    case register(AddressClaim)
    case find(AccountID)
    case changeEmail(of: AccountID, from: EmailKey, to: EmailAddress, proving: ClaimID, notice: MailIntent?)
    case finish(ProofOutcome)
  }

  private enum Phase {
    case looking
    case comparing(AddressClaim)
    case guessing(AddressClaim)
    /// Then `finished`.
    case registering
    /// Looks up the account of a claim that was proven before. Then `finished`.
    case recalling
    /// Looks up the account whose address will change. Then `changing`.
    case lookingForAccount(AddressClaim)
    /// Then `finished`, or `lookingForAccount`.
    case changing(AddressClaim)
    case finished
  }

  private let id: ClaimID
  private let code: String
  private let terms: VerificationTerms
  private let requester: Requester
  private let language: String?
  private let now: Timestamp
  private var phase = Phase.looking

  /// - Parameter language: The language of the notice; nil for the claim's own.
  package init(
    _ id: ClaimID, code: String, _ terms: VerificationTerms, by requester: Requester, language: String? = nil,
    now: Timestamp
  ) {
    self.id = id
    self.language = language
    self.code = code
    self.terms = terms
    self.requester = requester
    self.now = now
  }

  package var first: Action { .findClaim(id) }

  /// - Parameter event: The outcome of the last action. An event that does not belong to the phase is a fault of the driver.
  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.looking, .foundClaim(let claim)): return examine(claim)
    case (.comparing(let claim), .compared(let isRight)):
      let guess = CodeGuess(
        isRight: isRight && claim.hasCode, generation: claim.generation, attempts: terms.attempts)
      return go(.guessing(claim), .guess(id, guess))
    case (.guessing, .guessed(.right(let claim))): return proceed(claim)
    case (.guessing, .guessed(.wrong(let left))): return finish(.codeRejected(attemptsLeft: left))
    // a resend has given the claim another code meanwhile
    case (.guessing, .guessed(.outdated)): return go(.looking, .findClaim(id))
    case (.guessing, .guessed(.gone)): return finish(.gone)
    case (.registering, .registered(let outcome)): return finish(ProofOutcome(outcome))
    case (.recalling, .found(let found)): return finish(found.map { .proven($0.account) } ?? .gone)
    case (.lookingForAccount(let claim), .found(let found)): return change(claim, found)
    case (.changing, .emailChanged(.changed(let account))): return finish(.proven(account))
    case (.changing, .emailChanged(.taken)): return finish(.taken)
    case (.changing, .emailChanged(.gone)): return finish(.gone)
    case (_, .obstructed(let obstacle)): return finish(.obstructed(obstacle))
    case (_, .foundClaim), (_, .compared), (_, .guessed), (_, .registered), (_, .found), (_, .emailChanged):
      return finish(.obstructed(.fault(InternalFault(event, in: phase)), isPending: true))
    }
  }

  private mutating func examine(_ claim: AddressClaim?) -> Action {
    guard let claim, claim.uid == requester.uid, claim.kind != .recovery else { return finish(.gone) }
    // if callers must not learn that the address is taken, only a caller with the code does
    if claim.state == .taken, !terms.conceals { return finish(.taken) }
    let left = max(0, terms.attempts - claim.attempts)
    // neither case reveals anything about the code, so it costs no attempt
    guard let digits = ClaimCodes.digits(of: code, claim.digits), claim.state == .proven || claim.codeUntil > now else {
      return finish(.codeRejected(attemptsLeft: left))
    }
    return go(.comparing(claim), .compare(digits, claim))
  }

  private mutating func proceed(_ claim: AddressClaim) -> Action {
    switch (claim.state, claim.kind) {
    case (.open, .registration): go(.registering, .register(claim))
    case (.open, .changeOfEmail): go(.lookingForAccount(claim), .find(claim.account))
    case (.proven, .registration), (.proven, .changeOfEmail): go(.recalling, .find(claim.account))
    case (.taken, _): finish(.taken)
    case (.decoy, _), (_, .recovery): finish(.gone)
    }
  }

  private mutating func change(_ claim: AddressClaim, _ found: StoredAccount?) -> Action {
    guard let account = found?.account, account.state == .active else { return finish(.gone) }
    let draft = ClaimDraft(terms, by: requester, language: language ?? claim.language, now: now)
    let notice = terms.hasMail ? draft.mail(.emailChanged, to: account.email, account: account.id) : nil
    return go(
      .changing(claim),
      .changeEmail(of: account.id, from: account.email.key, to: claim.email, proving: claim.id, notice: notice))
  }

  private mutating func finish(_ outcome: ProofOutcome) -> Action { go(.finished, .finish(outcome)) }

  private mutating func go(_ phase: Phase, _ action: Action) -> Action {
    self.phase = phase
    return action
  }
}
