/// Makes every decision of one registration without doing anything itself: it takes an event and returns the next
/// action.
///
/// The order is: reserve (add a pending account), ask the upstream, activate, acknowledge. Without an upstream the
/// account is active at once. The reservation is released (removed) if the upstream certainly did nothing, and kept if
/// the upstream may have acted. A repeat of a request that has made an account gets the same answer, and makes no
/// second account.
package struct RegistrationConductor: Conductor {
  /// The step whose event the conductor waits for. `finished` may also follow any phase. `begin()` is the first phase:
  /// `proving` for a claim, `lookingForRequest` with a request, otherwise `looking`.
  enum Phase: ConductorPhase {
    /// Looks up the request's account. Then `comparing` or `looking`.
    case lookingForRequest
    /// Compares the password with the one with which the request was first made. Then `resuming` or `activating`.
    case comparing(KnownRequest)
    /// Looks up the account that has the address. Then `lookingForReleased`, `hashing`, `recognising` or `lookingAgain`.
    case looking
    /// Looks up whether the request has made an account since the first look-up. Then `comparing`.
    case lookingAgain
    /// Looks up the released registrations of this request. Then `recalling` or `hashing`.
    case lookingForReleased
    /// Compares the password with that of a released registration. Then `inserting`, `recalling` or `hashing`.
    case recalling(ReleasedRegistration, then: ArraySlice<ReleasedRegistration>)
    /// Hashes the password. Then `inserting`.
    case hashing
    /// Compares the password with that of the pending account. Then `noting`, `resuming` or `activating`.
    case recognising(StoredAccount)
    /// Notes in the store that the request belongs to the reservation. Then `resuming`, `activating`, `comparing` or `begin()`.
    case noting(StoredAccount)
    /// Takes over the reservation for this attempt, unless another regd claims it. Then `asking` or `begin()`.
    case resuming(StoredAccount)
    /// Adds the account. Then `asking`, `comparing`, `recognising`, `lookingAgain` or `begin()`.
    case inserting(StoredAccount)
    /// Asks the upstream. `isResumed`: the reservation comes from an earlier attempt, and the upstream may know it. Then
    /// `activating` or `releasing`.
    case asking(StoredAccount, isResumed: Bool)
    /// Makes the account active. Then `comparing`.
    case activating
    /// Releases the reservation. Then `finished`.
    case releasing(then: RegistrationOutcome)
    /// Adds the account of a proven claim. Then the same phases as after `inserting`.
    case proving(StoredAccount)
    case finished
  }

  let email: EmailAddress
  let hasUpstream: Bool
  let mayDefer: Bool
  let now: Timestamp
  let request: RequestKey?
  private let needsApproval: Bool
  private let terms: AcceptedTerms?
  /// The epoch of a new account.
  private let epoch: SessionEpoch
  private let isProven: Bool
  /// The groups and the display name of a new account.
  private let groups: Groups
  private let displayName: DisplayName?
  /// The outcome of a new registration that may not continue, or nil if it may. A registration that has begun continues
  /// in any case.
  let otherwise: RegistrationOutcome?
  /// The proven claim, with the account that it makes.
  let proof: (claim: ClaimID, account: StoredAccount)?
  var phase: Phase

  /// - Parameters:
  ///   - email: The valid address of a valid entry.
  ///   - hasUpstream: Whether an upstream must agree.
  ///   - mayDefer: Whether a registration is accepted even while the upstream cannot be asked.
  ///   - now: The creation time of a new account.
  ///   - request: The caller's name for this registration.
  ///   - needsApproval: Whether a new account waits for an administrator.
  ///   - terms: The terms that the caller has accepted.
  ///   - isDisabled: Whether a new account becomes disabled, and not active.
  ///   - isProven: Whether the caller has proven the address, by a mailed invitation.
  ///   - groups: The groups of a new account.
  ///   - displayName: The display name of a new account.
  ///   - otherwise: The outcome if the registration is a new one, or nil if a new one continues.
  package init(
    email: EmailAddress, hasUpstream: Bool, mayDefer: Bool = false, now: Timestamp, request: RequestKey? = nil,
    needsApproval: Bool = false, terms: AcceptedTerms? = nil, isDisabled: Bool = false,
    isProven: Bool = false, groups: Groups = .none, displayName: DisplayName? = nil,
    otherwise: RegistrationOutcome? = nil
  ) {
    (self.groups, self.displayName) = (groups, displayName)
    self.isProven = isProven
    epoch = isDisabled ? .firstOfDisabled : .first
    self.email = email
    self.needsApproval = needsApproval
    self.terms = terms
    self.otherwise = otherwise
    self.mayDefer = mayDefer
    self.hasUpstream = hasUpstream
    self.now = now
    self.request = request
    proof = nil
    phase = request == nil ? .looking : .lookingForRequest
  }

  /// Registers the account of a claim whose code was correct, without looking up or hashing anything first.
  ///
  /// - Parameters:
  ///   - claim: A claim of kind `registration`. The result is nil for other kinds.
  ///   - now: The creation time of a new account.
  ///   - groups: The groups that the claim's invitation gives.
  package init?(
    proving claim: AddressClaim, hasUpstream: Bool, mayDefer: Bool = false, now: Timestamp,
    needsApproval: Bool = false, groups: Groups = .none
  ) {
    guard claim.kind == .registration, let hash = claim.passwordHash else { return nil }
    (self.groups, displayName) = (groups, claim.displayName)
    isProven = true
    email = claim.email
    self.needsApproval = needsApproval
    terms = claim.terms
    epoch = .first
    otherwise = nil
    self.mayDefer = mayDefer
    self.hasUpstream = hasUpstream
    self.now = now
    request = claim.request
    let account = Account(
      id: claim.account, email: claim.email, state: needsApproval ? .waiting : hasUpstream ? .pending : .active,
      createdAt: now, updatedAt: now, terms: claim.terms, isProven: true, groups: groups,
      displayName: claim.displayName)
    let stored = StoredAccount(account: account, passwordHash: hash)
    proof = (claim.id, stored)
    phase = .proving(stored)
  }

  /// The first action: the proof of a claim, or a look-up, which may save the costly hash. Only the store's constraints
  /// decide whether the address is free.
  package var first: Action {
    if let proof { return .prove(proof.claim, proof.account) }
    return request.map { .findRequest($0) } ?? .find(email.key)
  }

  /// - Parameter event: The outcome of the last action. An event that does not belong to the phase is an internal fault, which
  ///   ends the registration. No event follows `finish`.
  package mutating func next(_ event: Event) -> Action {
    switch phase {
    case .lookingForRequest, .comparing, .looking, .lookingAgain, .lookingForReleased, .recalling, .recognising:
      identify(event)
    case .hashing, .noting, .resuming, .inserting, .proving: reserve(event)
    case .asking, .activating, .releasing: settle(event)
    case .finished: end(event)
    }
  }

  /// Finds out whether the registration is known, and whether the address is free.
  private mutating func identify(_ event: Event) -> Action {
    switch (phase, event) {
    case (.lookingForRequest, .foundRequest(nil)): return go(.looking, .find(email.key))
    case (.lookingForRequest, .foundRequest(let known?)), (.lookingAgain, .foundRequest(let known?)):
      return compare(known)
    case (.lookingAgain, .foundRequest(nil)), (.recognising, .verified(.wrong)): return finish(otherwise ?? .taken)
    case (.comparing(let known), .verified(.right)):
      guard known.account.state == .pending else { return finish(.registered(known.account)) }
      return proceed(StoredAccount(account: known.account, passwordHash: known.passwordHash))
    case (.comparing, .verified(.wrong)): return finish(.conflict)
    case (.looking, .found(let holder?)): return meet(holder)
    case (.looking, .found(nil)):
      if let otherwise { return finish(otherwise) }
      // released registrations matter only to an upstream, which recognizes an earlier request by its id
      guard hasUpstream, let request else { return go(.hashing, .hash) }
      return go(.lookingForReleased, .findReleased(request, email.key))
    case (.lookingForReleased, .foundReleased(let released)): return recall(released[...])
    case (.recalling(let released, _), .verified(.right)):
      return insert(StoredAccount(account: new(released.id, released.email), passwordHash: released.passwordHash))
    case (.recalling(_, let others), .verified(.wrong)),
      (.recalling(_, let others), .obstructed(.hashing(.unreadableHash))):
      return recall(others)
    case (.recognising(let holder), .verified(.right)):
      guard let request else { return proceed(holder) }
      return go(.noting(holder), .note(request, for: holder.account.id))
    default: return end(event)
    }
  }

  private func new(_ id: AccountID, _ email: EmailAddress) -> Account {
    Account(
      id: id, email: email, state: needsApproval ? .waiting : hasUpstream ? .pending : .active, createdAt: now,
      updatedAt: now, terms: terms, epoch: epoch, isProven: isProven, groups: groups, displayName: displayName)
  }

  /// Makes a reservation, or takes over an earlier one.
  private mutating func reserve(_ event: Event) -> Action {
    switch (phase, event) {
    case (.hashing, .hashed(let hash)):
      return insert(StoredAccount(account: new(AccountID(at: now), email), passwordHash: hash))
    case (.inserting(let account), .inserted(.inserted)):
      return account.account.state == .pending ? ask(account, isResumed: false) : finish(.registered(account.account))
    case (.inserting, .inserted(.invitationRejected)): return finish(.invitationRejected)
    case (.inserting, .inserted(.tooManyWaiting)), (.proving, .proved(.tooManyWaiting)):
      return finish(.obstructed(.tooManyWaiting))
    case (.inserting, .inserted(.taken(let holder))): return meet(holder)
    // another attempt at this registration has released its reservation since the look-up
    case (.inserting, .inserted(.releasedMeanwhile)): return begin()
    case (.inserting, .inserted(.requestKnown(let known))), (.noting, .noted(.known(let known))):
      return compare(known)
    case (.proving(let account), .proved(.added)):
      return account.account.state == .pending ? ask(account, isResumed: false) : finish(.registered(account.account))
    case (.proving, .proved(.taken(let holder))): return meetProven(holder)
    case (.proving, .proved(.gone)): return finish(.claimGone)
    // the store does not know whether the commit was done
    case (.inserting, .obstructed(.store(.unknown(let detail)))), (.proving, .obstructed(.store(.unknown(let detail)))):
      return finish(.obstructed(.store(.unknown(detail: detail)), isPending: true))
    case (.inserting, .joined(let outcome)), (.resuming, .joined(let outcome)), (.proving, .joined(let outcome)):
      return finish(outcome)
    case (.noting(let holder), .noted(.noted)): return proceed(holder)
    case (.resuming(var holder), .resumed(let mark?)):
      holder.account.updatedAt = mark
      return ask(holder, isResumed: true)
    // Accepted only if a delivery was put off before. Otherwise the other regd's first request may still end with a
    // release.
    case (.resuming(let holder), .claimedElsewhere(let wasPutOff)):
      return finish(mayDefer && wasPutOff ? .deferred(holder.account, .timeout) : .unended)
    // the reservation was released, activated or resumed meanwhile, so everything is looked up again
    case (.noting, .noted(.gone)), (.resuming, .resumed(nil)), (.inserting, .gaveUp), (.resuming, .gaveUp),
      (.proving, .gaveUp):
      return begin()
    case (.noting, .obstructed(.store(let failure))), (.resuming, .obstructed(.store(let failure))):
      return finish(.obstructed(.store(failure), isPending: true))
    default: return end(event)
    }
  }

  /// Lets the upstream decide, and carries out its decision in the store.
  private mutating func settle(_ event: Event) -> Action {
    switch (phase, event) {
    case (.asking(let account, _), .upstreamAnswered(.registered)): return activate(account)
    case (.asking(let account, _), .upstreamAnswered(.taken)): return release(account, then: .taken)
    case (.asking(let account, _), .takenPerhaps):
      return finish(mayDefer ? .deferred(account.account, .failed) : .obstructed(.network(.failed), isPending: true))
    case (.asking(let account, _), .obstructed(.network(let failure))) where mayDefer && failure.isWorthPuttingOff:
      return finish(.deferred(account.account, failure))
    case (.asking(let account, let isResumed), .obstructed(.network(let failure))):
      if failure.mayHaveActed || isResumed { return finish(.obstructed(.network(failure), isPending: true)) }
      return release(account, then: .obstructed(.network(failure)), remembered: failure.wasPerhapsSent)
    case (.activating, .activated(.active(let account))): return finish(.registered(account))
    case (.activating, .activated(.taken)): return finish(.taken)
    case (.activating, .activated(.requestKnown(let known))): return compare(known)
    case (.activating, .obstructed(.store(let failure))):
      return finish(.obstructed(.store(failure), isPending: true))
    case (.releasing(let outcome), .released(true)): return finish(outcome)
    // the reservation still exists: the store failed, or a repeat has resumed it
    case (.releasing(.obstructed(let obstacle, _)), .released(false)),
      (.releasing(.obstructed(let obstacle, _)), .obstructed(.store)):
      return finish(.obstructed(obstacle, isPending: true))
    case (.releasing(let outcome), .released(false)): return finish(outcome)
    case (.releasing, .obstructed(.store(let failure))):
      return finish(.obstructed(.store(failure), isPending: true))
    default: return end(event)
    }
  }

  /// Ends the registration after an obstacle or an unexpected event.
  private mutating func end(_ event: Event) -> Action {
    switch event {
    case .obstructed(let obstacle): finish(.obstructed(obstacle))
    case .foundRequest, .found, .foundReleased, .hashed, .verified, .inserted, .proved, .noted, .resumed,
      .claimedElsewhere, .joined, .gaveUp, .upstreamAnswered, .takenPerhaps, .activated, .released:
      finish(.obstructed(fault(event), isPending: true))
    }
  }
}

/// The decisions on how a registration continues.
extension RegistrationConductor {
  mutating func begin() -> Action {
    if let proof { return go(.proving(proof.account), first) }
    return go(request == nil ? .looking : .lookingForRequest, first)
  }

  /// Continues with a reservation (pending account) that an earlier attempt at this registration made.
  mutating func proceed(_ holder: StoredAccount) -> Action {
    guard hasUpstream else { return activate(holder) }
    let seen = holder.account.updatedAt
    let mark = max(now, Timestamp(microseconds: seen.microseconds + 1))
    return go(.resuming(holder), .resume(holder.account.id, seen: seen, at: mark))
  }

  /// Continues with the account that the request already has. The caller repeats a registration, or has given two
  /// registrations the same id.
  mutating func compare(_ known: KnownRequest) -> Action {
    // the claim's account was released while the upstream registered it, and the request has made another account since
    guard proof == nil else { return finish(.taken) }
    guard known.account.email.key == email.key else { return finish(.conflict) }
    // a pending account still has the request's hash, because no sign-in replaces it
    let subject = known.account.state == .pending ? GuessSubject.account(known.account.id) : .request
    return go(.comparing(known), .verify(known.passwordHash, of: subject))
  }

  /// Continues with the account that has the address. If the account is pending, this registration may be a repeat of
  /// the one that made it.
  mutating func meet(_ holder: StoredAccount) -> Action {
    if holder.account.state == .pending {
      return go(.recognising(holder), .verify(holder.passwordHash, of: .account(holder.account.id)))
    }
    return request.map { go(.lookingAgain, .findRequest($0)) } ?? finish(otherwise ?? .taken)
  }

  /// Continues with the account that already has the address of the proven claim. Perhaps an earlier proof of this
  /// claim made that account.
  mutating func meetProven(_ holder: StoredAccount) -> Action {
    guard let proof, holder.account.id == proof.account.account.id else { return finish(.taken) }
    return holder.account.state == .pending ? proceed(holder) : finish(.registered(holder.account))
  }

  /// Compares the password with those of the request's released registrations. If one password is the same, regd asks
  /// the upstream for the same account under the same id again.
  mutating func recall(_ released: ArraySlice<ReleasedRegistration>) -> Action {
    guard let next = released.first else { return go(.hashing, .hash) }
    return go(.recalling(next, then: released.dropFirst()), .recognise(next.passwordHash))
  }

  mutating func insert(_ account: StoredAccount) -> Action {
    go(.inserting(account), .insert(account, request: request))
  }

  mutating func ask(_ account: StoredAccount, isResumed: Bool) -> Action {
    go(.asking(account, isResumed: isResumed), .ask(UpstreamRegistration(account)))
  }

  mutating func activate(_ account: StoredAccount) -> Action {
    go(.activating, .activate(account, request: request))
  }

  mutating func release(
    _ account: StoredAccount, then outcome: RegistrationOutcome, remembered: Bool = true
  ) -> Action {
    let isFinal = outcome == .taken || outcome == .obstructed(.network(.rejected))
    return go(
      .releasing(then: outcome),
      .release(
        account.account.id, seen: account.account.updatedAt, remembered: remembered && request != nil && proof == nil,
        endingClaim: proof != nil && isFinal))
  }
}
