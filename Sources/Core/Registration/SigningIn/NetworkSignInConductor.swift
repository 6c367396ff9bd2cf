/// Decides each step of a sign-in when the upstream is the authority for passwords.
///
/// The upstream is asked first. regd then stores the hash of a password that the upstream has accepted, and makes the
/// hash of a rejected password useless, so that the stored hash can be used while the upstream is unreachable. These
/// changes are best effort, because the caller's answer does not depend on them. Only the upstream can declare a
/// password wrong. A hash never does.
package struct NetworkSignInConductor: Conductor {
  /// The step whose event the conductor waits for. The first group of phases leads to the other groups only through
  /// `noting`, so that the throttle learns the outcome first.
  indirect enum Phase: ConductorPhase {
    /// The typed text is not an address. Hashes the password anyway, so that the time reveals nothing, and does not ask
    /// the upstream. Then `noting`.
    case pretending
    /// Looks up the account. Then `asking` or `noting`.
    case looking(EmailAddress)
    /// Asks the upstream. Then `awaiting` or `recalling`, or `noting`, followed by `comparing`, `hashing`, `forgetting` or
    /// `refusing`.
    case asking(EmailAddress, StoredAccount?)
    /// The upstream is unreachable, with this failure, so the password is compared with the stored hash. Then `recalling` or
    /// `noting`.
    case recalling(StoredAccount?, NetworkFailure)
    /// The upstream has rejected an account that it may not have yet, so the password is compared with the registration's hash.
    /// Then `noting`.
    case awaiting(StoredAccount)
    /// Tells the throttle the outcome before anything that takes time. Then the given phase and action.
    case noting(then: Phase, SignInAction)

    // MARK: The upstream has answered for an account that the store has

    /// The upstream has accepted the password, which is compared with the stored hash. Then `remembering` or `confirming`.
    case comparing(StoredAccount)
    /// Replaces the stored hash by one of this password. `isAnother`: the stored hash is of another password, whose sign-ins
    /// end.
    case remembering(StoredAccount, isAnother: Bool)
    /// Another call has replaced the stored hash meanwhile, so the account is looked up again, once. Then `comparing`.
    case recurring(StoredAccount)
    /// The store notes that the upstream has accepted the hash's password, because the last such note is older than a day.
    case confirming(StoredAccount)
    /// The upstream allows no sign-in to the account, so the stored hash is no longer used in place of the upstream.
    case refusing
    /// The upstream has rejected the password. If the stored hash is of this password, a hash of a random password
    /// replaces it. Then `forgetting`.
    case forgetting(StoredAccount?)

    // MARK: The upstream has an account that the store lacks

    /// Hashes the password. Then `adopting`.
    case hashing(EmailAddress, upstreamID: String)
    /// Adds the account. `isSecond`: under a second id, because another account has the first one. Then `adopting` or
    /// `meeting`.
    case adopting(StoredAccount, isSecond: Bool)
    /// Another call has added an account with this address meanwhile, which is looked up. Then `comparing` or `adopting`.
    case meeting(StoredAccount, isSecond: Bool)
    case finished
  }

  package let first: SignInAction
  private let offline: SignInAuthority.Offline
  private let cachedDays: Int
  private let now: Timestamp
  private let epoch: SessionEpoch
  private var hasRecurred = false
  var phase: Phase

  /// - Parameters:
  ///   - email: The typed address, or nil if the text is not an address. The password is then hashed anyway, and the
  ///     sign-in rejected.
  ///   - cachedDays: How many days a hash that the upstream has confirmed may be used in place of the upstream.
  ///   - now: The creation time of an account that only the upstream has.
  ///   - epoch: A new epoch, for an account that gets another password, and for an account that only the upstream has,
  ///     because an account with its id may have existed here before.
  package init(
    email: EmailAddress?, offline: SignInAuthority.Offline, cachedDays: Int = 30, now: Timestamp, epoch: SessionEpoch
  ) {
    first = email.map { .find($0.key) } ?? .verify(nil)
    phase = email.map { .looking($0) } ?? .pretending
    self.cachedDays = cachedDays
    self.offline = offline
    self.now = now
    self.epoch = epoch
  }

  package mutating func next(_ event: SignInEvent) -> SignInAction {
    switch phase {
    case .pretending, .looking, .asking, .recalling, .awaiting, .noting: ask(event)
    case .comparing, .remembering, .recurring, .confirming, .refusing, .forgetting: remember(event)
    case .hashing, .adopting, .meeting: adopt(event)
    case .finished: finish(.obstructed(fault(event)))
    }
  }

  /// Gets the answer of the upstream, or of the stored hash while the upstream is unreachable.
  private mutating func ask(_ event: SignInEvent) -> SignInAction {
    switch (phase, event) {
    case (.pretending, .verified): return note(.wrong, then: .refused(.rejected))
    case (.looking(let typed), .found(let found)):
      return go(.asking(typed, found), .ask(found?.account.email ?? typed))
    case (.asking(_, let found?), .upstreamAnswered(.accepted)):
      let action = welcome(found)
      return note(.right, go: phase, action)
    case (.asking(let email, nil), .upstreamAnswered(.accepted(let id))):
      return note(.right, go: .hashing(email, upstreamID: id), .hash)
    case (.asking(_, let found?), .upstreamAnswered(.rejected)) where found.account.isUnregistered:
      // the upstream may not have the account yet, and only a caller with the correct password finds that out
      return go(.awaiting(found), .verify(found.passwordHash))
    case (.asking(_, let found), .upstreamAnswered(.rejected)):
      return note(.wrong, go: .forgetting(found), .verifyAnyway(found?.passwordHash))
    case (.asking(_, let found?), .upstreamAnswered(.refused)):
      return note(.unknown, go: .refusing, .confirm(found.account.id, isRight: false))
    case (.asking(_, nil), .upstreamAnswered(.refused)): return note(.unknown, then: .obstructed(.network(.rejected)))
    case (.asking(_, let found), .obstructed(.network(let failure)))
    where offline == .cached && failure.isWorthPuttingOff:
      let standIn = found.flatMap { isFresh($0, days: cachedDays) ? $0 : nil }
      return go(.recalling(standIn, failure), .verify(standIn?.passwordHash))
    case (.awaiting(let found), .verified(.right)): return note(.right, then: SignInOutcome(toOwnerOf: found.account))
    case (.awaiting, .verified(.wrong)), (.awaiting, .obstructed(.hashing(.unreadableHash))):
      return note(.wrong, then: .refused(.rejected))
    case (.recalling(let found?, _), .verified(.right)):
      // does not renew an outdated hash, because the store would note that the upstream has just confirmed the new one
      return note(.right, then: SignInOutcome(toOwnerOf: found.account))
    case (.recalling(_, let failure), .verified): return note(.wrong, then: .obstructed(.network(failure)))
    case (.recalling(_?, let failure), .obstructed(.hashing(.unreadableHash))):
      // continues as without a hash, and does the same work
      return go(.recalling(nil, failure), .verify(nil))
    case (.noting(let phase, let action), .noted): return go(phase, action)
    case (.noting, .obstructed): return finish(.obstructed(fault(event)))
    case (_, .obstructed(let obstacle)): return note(.unknown, then: .obstructed(obstacle))
    default: return finish(.obstructed(fault(event)))
    }
  }

  /// Keeps an account's hash consistent with the upstream's answers, best effort.
  private mutating func remember(_ event: SignInEvent) -> SignInAction {
    switch (phase, event) {
    case (.comparing(let found), .verified(.right(isOutdated: false))):
      if isFresh(found, days: 1) { return end(found) }
      return go(.confirming(found), .confirm(found.account.id, isRight: true))
    case (.comparing(let found), .verified(let verdict)):
      return go(.remembering(found, isAnother: verdict == .wrong), .hash)
    case (.comparing(let found), .obstructed(.hashing(.unreadableHash))):
      return go(.remembering(found, isAnother: true), .hash)
    case (.remembering(let found, let isAnother), .hashed(let hash)):
      return .replaceHash(
        of: found.account.id, from: found.passwordHash, to: hash, epoch: isAnother ? epoch : nil)
    case (.forgetting(let found?), .hashed(let hash)):
      return .replaceHash(of: found.account.id, from: found.passwordHash, to: hash, epoch: nil)
    case (.remembering(var found, let isAnother), .hashReplaced(let time?)):
      found.account.updatedAt = max(found.account.updatedAt, time)
      if isAnother { found.account.epoch = epoch }
      return end(found)
    case (.remembering(let found, isAnother: true), .hashReplaced(nil)) where !hasRecurred:
      // the other call may have given the account another epoch, to which this sign-in's stamp must belong
      hasRecurred = true
      return go(.recurring(found), .find(found.account.email.key))
    case (.recurring(let found), .found(let again)):
      guard let again, again.account.id == found.account.id else { return end(found) }
      return welcome(again)
    case (.comparing(let found), .obstructed), (.remembering(let found, _), .hashReplaced(nil)),
      (.remembering(let found, _), .obstructed), (.recurring(let found), .obstructed),
      (.confirming(let found), .confirmed), (.confirming(let found), .obstructed):
      return end(found)
    case (.refusing, .confirmed), (.refusing, .obstructed): return finish(.obstructed(.network(.rejected)))

    case (.forgetting(let found?), .verified(.right)) where found.account.mayRenewHash: return .hashNobodys
    case (.forgetting(_?), .obstructed(.hashing(.unreadableHash))): return go(.forgetting(nil), .verifyAnyway(nil))
    case (.forgetting(let found?), .obstructed(.hashing)):
      // a hash that could not be compared may be of the rejected password, so it is no longer used in place of the
      // upstream
      return go(.forgetting(nil), .confirm(found.account.id, isRight: false))
    case (.forgetting, .verified), (.forgetting, .hashReplaced), (.forgetting, .confirmed), (.forgetting, .obstructed):
      return finish(.refused(.rejected))
    default: return finish(.obstructed(fault(event)))
    }
  }

  /// Adds an account that only the upstream has.
  private mutating func adopt(_ event: SignInEvent) -> SignInAction {
    switch (phase, event) {
    case (.hashing(let email, let id), .hashed(let hash)):
      return adopt(email, AccountID(id) ?? AccountID(at: now), hash, isSecond: false)
    case (.adopting(let account, _), .adopted(.imported)): return finish(.signedIn(account.account))
    case (.adopting(let account, let isSecond), .adopted(.emailTaken)),
      (.adopting(let account, let isSecond), .adopted(.present)):
      return go(.meeting(account, isSecond: isSecond), .find(account.account.email.key))
    case (.adopting(let account, isSecond: false), .adopted(.idTaken)):
      return adopt(account.account.email, AccountID(at: now), account.passwordHash, isSecond: true)
    case (.meeting, .found(let holder?)): return welcome(holder)
    case (.meeting(let account, let isSecond), .found(nil)):
      // the other account has been deleted again
      return go(.adopting(account, isSecond: isSecond), .adopt(account))
    case (_, .obstructed(let obstacle)): return finish(.obstructed(obstacle))
    default: return finish(.obstructed(fault(event)))
    }
  }
}

extension NetworkSignInConductor {
  /// Whether the upstream has confirmed the hash within this many days.
  private func isFresh(_ found: StoredAccount, days: Int) -> Bool {
    guard let confirmed = found.confirmedAt else { return false }
    return now.microseconds - confirmed.microseconds <= Int64(days) * 86_400_000_000
  }

  /// Continues after the upstream has accepted the password of an account that the store has too. Changes no pending or
  /// waiting account, because its registration, or an administrator, still has to complete it.
  private mutating func welcome(_ found: StoredAccount) -> SignInAction {
    guard found.account.mayRenewHash else { return end(found) }
    return go(.comparing(found), .verify(found.passwordHash))
  }

  /// Adds the account. The upstream has accepted the password and the address, so the present rules for new accounts do not
  /// apply.
  private mutating func adopt(
    _ email: EmailAddress, _ id: AccountID, _ hash: PasswordHash, isSecond: Bool
  ) -> SignInAction {
    let account = StoredAccount(
      account: Account(
        id: id, email: email, state: .active, createdAt: now, updatedAt: now, epoch: epoch, isProven: false),
      passwordHash: hash)
    return go(.adopting(account, isSecond: isSecond), .adopt(account))
  }

  private mutating func note(
    _ ending: SignInThrottle.Ending, go phase: Phase, _ action: SignInAction
  ) -> SignInAction {
    go(.noting(then: phase, action), .note(ending))
  }

  private mutating func note(_ ending: SignInThrottle.Ending, then outcome: SignInOutcome) -> SignInAction {
    note(ending, go: .finished, .finish(outcome))
  }

  private mutating func end(_ found: StoredAccount) -> SignInAction { finish(SignInOutcome(toOwnerOf: found.account)) }
}
