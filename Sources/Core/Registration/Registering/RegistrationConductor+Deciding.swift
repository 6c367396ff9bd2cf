/// Decides how the registration continues after each finding.
extension RegistrationConductor {
  mutating func begin() -> Action {
    if let proof { return go(.proving(proof.account), first) }
    return go(request == nil ? .looking : .lookingForRequest, first)
  }

  /// Continues with a reservation that an earlier attempt at this registration made.
  mutating func proceed(_ holder: StoredAccount) -> Action {
    guard hasUpstream else { return activate(holder) }
    let seen = holder.account.updatedAt
    let mark = max(now, Timestamp(microseconds: seen.microseconds + 1))
    return go(.resuming(holder), .resume(holder.account.id, seen: seen, at: mark))
  }

  /// Continues after a look-up has found the request: the caller repeats a registration, or has given two of them the same
  /// name.
  mutating func compare(_ known: KnownRequest) -> Action {
    // happens only if the account was released while the upstream registered it, and was then made again under its request
    guard proof == nil else { return finish(.taken) }
    guard known.account.email.key == email.key else { return finish(.conflict) }
    // no sign-in replaces the hash of a pending account
    let subject = known.account.state == .pending ? GuessSubject.account(known.account.id) : .request
    return go(.comparing(known), .verify(known.passwordHash, of: subject))
  }

  /// Continues with the account that has the address. If it is pending, this registration may be a repeat of that account's.
  mutating func meet(_ holder: StoredAccount) -> Action {
    if holder.account.state == .pending {
      return go(.recognising(holder), .verify(holder.passwordHash, of: .account(holder.account.id)))
    }
    return request.map { go(.lookingAgain, .findRequest($0)) } ?? finish(otherwise ?? .taken)
  }

  /// Continues with the account that has the address of the proven claim, and that an earlier proof of this claim or another
  /// claim has made.
  mutating func meetProven(_ holder: StoredAccount) -> Action {
    guard let proof, holder.account.id == proof.account.account.id else { return finish(.taken) }
    return holder.account.state == .pending ? proceed(holder) : finish(.registered(holder.account))
  }

  /// Ends the claim if the upstream has refused its registration for good.
  mutating func endClaim(_ outcome: RegistrationOutcome) -> Action {
    guard let proof, outcome == .taken || outcome == .obstructed(.network(.rejected)) else {
      return finish(outcome)
    }
    return go(.ending(then: outcome), .endClaim(proof.claim))
  }

  /// Compares the password with the released registrations of this request. One of them may be this registration; then
  /// the upstream is asked for the same account under the same id.
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
    go(
      .releasing(then: outcome),
      .release(
        account.account.id, seen: account.account.updatedAt, remembered: remembered && request != nil && proof == nil))
  }
}
