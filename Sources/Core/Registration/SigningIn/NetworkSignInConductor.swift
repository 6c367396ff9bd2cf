/// Conducts a sign-in where the upstream is the authority.
///
/// The upstream is asked first. What it accepts is remembered by the hash in the store, and what it rejects is forgotten,
/// so that the hash can stand in for it while it is away. That a hash could not be remembered or forgotten is nobody's
/// failure: the upstream has answered. That a password is wrong is its word alone; a hash never says so.
package struct NetworkSignInConductor: SignInConducting {
  private indirect enum Phase {
    /// What was typed is no address: nothing that the upstream need be asked.
    case pretending
    case looking
    case asking(StoredAccount?)
    /// The throttle is being told, before anything that takes time; then it goes on with this.
    case noting(then: Phase, SignInAction)
    /// The upstream is away, and has failed like this; the hash is asked.
    case recalling(StoredAccount?, NetworkFailure)
    /// The upstream has rejected whom it may not have yet; whether the password is that of the registration is being found out.
    case awaiting(StoredAccount)
    /// The upstream has accepted the password; whether the hash is of it is being found out.
    case comparing(StoredAccount)
    /// The hash is being replaced by one of this very password.
    case remembering(StoredAccount)
    /// The upstream stands behind the hash, and has not for a day or more.
    case confirming(StoredAccount)
    /// The upstream lets nobody sign in to the account; the hash does not stand in for it any more.
    case refusing
    /// The upstream has rejected the password; where the hash is of it, it is replaced by nobody's.
    case forgetting(StoredAccount?)
    /// The upstream has an account that the store has not.
    case hashing(upstreamID: String)
    /// `isSecond`: with another id, for the first was somebody else's here.
    case adopting(StoredAccount, isSecond: Bool)
    /// Somebody has added an account with this address meanwhile.
    case meeting(StoredAccount, isSecond: Bool)
    case finished
  }

  private let email: EmailAddress?
  private let offline: SignInAuthority.Offline
  private let now: Timestamp
  private var phase: Phase
  private let cachedDays: Int

  /// - Parameters:
  ///   - email: Nil where what was typed is no address; it gets the work of a password, and is rejected.
  ///   - cachedDays: How long a hash may stand in for the upstream that has confirmed it.
  ///   - now: When an account is created that only the upstream has.
  package init(email: EmailAddress?, offline: SignInAuthority.Offline, cachedDays: Int = 30, now: Timestamp) {
    phase = email == nil ? .pretending : .looking
    self.cachedDays = cachedDays
    self.email = email
    self.offline = offline
    self.now = now
  }

  package var first: SignInAction { email.map { .find($0.key) } ?? .verify(nil) }

  package mutating func next(_ event: SignInEvent) -> SignInAction {
    switch (phase, event) {
    case (.pretending, .verified):
      return note(.wrong, then: .rejected)
    case (.looking, .found(let found)):
      guard let email = found?.account.email ?? email else { return outOfPlace(event) }
      return go(.asking(found), .ask(email))
    case (.looking, .storeFailed(let failure)):
      return note(.unknown, then: .store(failure))

    case (.asking(let found?), .upstreamAnswered(.accepted)):
      let action = welcome(found)
      return note(.right, go: phase, action)
    case (.asking(nil), .upstreamAnswered(.accepted(let id))):
      return note(.right, go: .hashing(upstreamID: id), .hash)
    case (.asking(let found?), .upstreamAnswered(.rejected)) where found.account.state == .pending:
      // the upstream may not have it yet: only the right password learns that
      return go(.awaiting(found), .verify(found.passwordHash))
    case (.awaiting, .verified(.right)):
      return note(.right, then: .pending)
    case (.awaiting, .verified(.wrong)), (.awaiting, .hashingFailed(.unreadableHash)):
      return note(.wrong, then: .rejected)
    case (.awaiting, .hashingFailed(let failure)):
      return note(.unknown, then: .hashing(failure))
    case (.asking(let found), .upstreamAnswered(.refused)):
      guard let found else { return note(.unknown, then: .network(.rejected)) }
      return note(.unknown, go: .refusing, .confirm(found.account.id, isRight: false))
    case (.refusing, _):
      return finish(.network(.rejected))
    case (.asking(let found), .upstreamAnswered(.rejected)):
      return note(.wrong, go: .forgetting(found), .verifyAnyway(found?.passwordHash))
    case (.asking(let found), .networkFailed(let failure)):
      guard offline == .cached, failure.isWorthPuttingOff else { return note(.unknown, then: .network(failure)) }
      let standIn = found.flatMap { isFresh($0, days: cachedDays) ? $0 : nil }
      return go(.recalling(standIn, failure), .verify(standIn?.passwordHash))
    case (.asking, .cancelled):
      return note(.unknown, then: .hashing(.cancelled))
    case (.noting(let phase, let action), .noted):
      return go(phase, action)

    case (.recalling(let found?, _), .verified(.right)):
      // an outdated hash is renewed when the upstream has confirmed it: a new one would look as if it just had
      return note(.right, then: SignInOutcome(toOwnerOf: found.account))
    case (.recalling(_, let failure), .verified):
      return note(.wrong, then: .network(failure))
    case (.recalling(_?, let failure), .hashingFailed(.unreadableHash)):
      // as good as none, and after the same work
      return go(.recalling(nil, failure), .verify(nil))
    case (.pretending, .hashingFailed(let failure)), (.recalling, .hashingFailed(let failure)):
      return note(.unknown, then: .hashing(failure))

    case (.comparing(let found), .verified(.right(isOutdated: true))), (.comparing(let found), .verified(.wrong)),
      (.comparing(let found), .hashingFailed(.unreadableHash)):
      return go(.remembering(found), .hash)
    case (.remembering(let found), .hashed(let hash)), (.forgetting(let found?), .hashed(let hash)):
      return .replaceHash(of: found.account.id, from: found.passwordHash, to: hash)
    case (.comparing(let found), .verified(.right(isOutdated: false))) where !isFresh(found, days: 1):
      return go(.confirming(found), .confirm(found.account.id, isRight: true))
    case (.confirming(let found), _):
      return finish(SignInOutcome(toOwnerOf: found.account))
    case (.remembering(var found), .hashReplaced(let time?)):
      found.account.updatedAt = max(found.account.updatedAt, time)
      return finish(SignInOutcome(toOwnerOf: found.account))
    case (.comparing(let found), _), (.remembering(let found), _):
      return finish(SignInOutcome(toOwnerOf: found.account))

    case (.forgetting(let found?), .verified(.right)) where found.account.mayRenewHash:
      return .hashNobodys
    case (.forgetting(_?), .hashingFailed(.unreadableHash)):
      return go(.forgetting(nil), .verifyAnyway(nil))
    case (.forgetting(let found?), .hashingFailed):
      // what could not be compared may be the password that was refused: it does not stand in any more
      return go(.forgetting(nil), .confirm(found.account.id, isRight: false))
    case (.forgetting, _):
      return finish(.rejected)

    case (.hashing(let id), .hashed(let hash)):
      return adopt(AccountID(id) ?? AccountID(at: now), hash, isSecond: false)
    case (.hashing, .hashingFailed(let failure)):
      return finish(.hashing(failure))
    case (.adopting(let account, _), .adopted(.imported)):
      return finish(.signedIn(account.account))
    case (.adopting(let account, let isSecond), .adopted(.emailTaken)),
      (.adopting(let account, let isSecond), .adopted(.present)):
      return go(.meeting(account, isSecond: isSecond), .find(account.account.email.key))
    case (.adopting(let account, isSecond: false), .adopted(.idTaken)):
      return adopt(AccountID(at: now), account.passwordHash, isSecond: true)
    case (.adopting, .cancelled):
      return finish(.hashing(.cancelled))
    case (.meeting, .found(let holder?)):
      return welcome(holder)
    case (.meeting(let account, let isSecond), .found(nil)):
      // and has deleted it again
      return go(.adopting(account, isSecond: isSecond), .adopt(account))
    case (.adopting, .storeFailed(let failure)), (.meeting, .storeFailed(let failure)):
      return finish(.store(failure))
    default:
      return outOfPlace(event)
    }
  }

  /// Whether the upstream has stood behind the hash within so many days.
  private func isFresh(_ found: StoredAccount, days: Int) -> Bool {
    guard let confirmed = found.confirmedAt else { return false }
    return now.microseconds - confirmed.microseconds <= Int64(days) * 86_400_000_000
  }

  /// The upstream has accepted the password of an account that the store has too. A pending one is left to its
  /// registration, which finds out by itself.
  private mutating func welcome(_ found: StoredAccount) -> SignInAction {
    guard found.account.mayRenewHash else { return finish(SignInOutcome(toOwnerOf: found.account)) }
    return go(.comparing(found), .verify(found.passwordHash))
  }

  /// The password was taken upstream, and so was the address: today's rules for new ones are not asked.
  private mutating func adopt(_ id: AccountID, _ hash: PasswordHash, isSecond: Bool) -> SignInAction {
    guard let email else { return finish(.rejected) }
    let account = StoredAccount(
      account: Account(id: id, email: email, state: .active, createdAt: now, updatedAt: now), passwordHash: hash)
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

  private mutating func go(_ phase: Phase, _ action: SignInAction) -> SignInAction {
    self.phase = phase
    return action
  }

  private mutating func finish(_ outcome: SignInOutcome) -> SignInAction { go(.finished, .finish(outcome)) }

  private mutating func outOfPlace(_ event: SignInEvent) -> SignInAction {
    finish(.store(.unavailable(detail: "\(event) is out of place")))
  }
}
