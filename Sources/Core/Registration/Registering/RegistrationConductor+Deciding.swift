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
