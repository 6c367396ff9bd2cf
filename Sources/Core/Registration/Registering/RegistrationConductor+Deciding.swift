/// What follows from what was found out.
extension RegistrationConductor {
  mutating func begin() -> Action {
    if let proof { return go(.proving(proof.account), first) }
    return go(request == nil ? .looking : .lookingForRequest, first)
  }

  /// The reservation is this registration's, made by an earlier attempt.
  mutating func proceed(_ holder: StoredAccount) -> Action {
    guard hasUpstream else { return activate(holder) }
    let seen = holder.account.updatedAt
    let mark = max(now, Timestamp(microseconds: seen.microseconds + 1))
    return go(.resuming(holder), .resume(holder.account.id, seen: seen, at: mark))
  }

  /// The caller has asked for this before, or has given two registrations one name.
  mutating func compare(_ known: KnownRequest) -> Action {
    // only an account that was released while the upstream took it, and was made anew under its request since
    guard proof == nil else { return finish(.taken) }
    guard known.account.email.key == email.key else { return finish(.conflict) }
    // of a pending account nobody sets another password at a sign-in
    let subject = known.account.state == .pending ? GuessSubject.account(known.account.id) : .request
    return go(.comparing(known), .verify(known.passwordHash, of: subject))
  }

  /// An account has the address. A pending one may be this very registration, asked for again.
  mutating func meet(_ holder: StoredAccount) -> Action {
    if holder.account.state == .pending {
      return go(.recognising(holder), .verify(holder.passwordHash, of: .account(holder.account.id)))
    }
    return request.map { go(.lookingAgain, .findRequest($0)) } ?? finish(.taken)
  }

  /// An account has the address of the claim that was proven: by an earlier proof of it, or another one.
  mutating func meetProven(_ holder: StoredAccount) -> Action {
    guard let proof, holder.account.id == proof.account.account.id else { return finish(.taken) }
    return holder.account.state == .pending ? proceed(holder) : finish(.registered(holder.account))
  }

  /// A claim that the upstream has refused for good is over.
  mutating func endClaim(_ outcome: RegistrationOutcome) -> Action {
    guard let proof, outcome == .taken || outcome == .network(.rejected, isPending: false) else {
      return finish(outcome)
    }
    return go(.ending(then: outcome), .endClaim(proof.claim))
  }

  /// A registration that was released from this request may be this very one: then the upstream is asked for the same
  /// account, by the same id.
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

  mutating func finish(_ outcome: RegistrationOutcome) -> Action { go(.finished, .finish(outcome)) }

  mutating func go(_ phase: Phase, _ action: Action) -> Action {
    self.phase = phase
    return action
  }
}
