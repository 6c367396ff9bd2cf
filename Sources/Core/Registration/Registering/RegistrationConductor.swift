/// Takes every decision of one registration, and does nothing itself: an event in, the next action out.
///
/// The order is reserve, ask the upstream, activate, acknowledge; without an upstream the account is active at once.
/// What certainly did not happen upstream releases the reservation; what perhaps did keeps it pending. What the caller's
/// request has made already is answered again, and not made again.
package struct RegistrationConductor {
  private enum Phase {
    case lookingForRequest
    /// The request has an account; whether the password is the one that it came with is being found out.
    case comparing(KnownRequest)
    case looking
    /// Somebody has the address: whether the request made that account since it was looked for is being found out.
    case lookingAgain
    /// What was asked under this request before is looked for, and whether it was this very registration.
    case recalling([ReleasedRegistration])
    case hashing
    /// The address is reserved; whether by a registration with the same password is being found out.
    case recognising(StoredAccount)
    /// The reservation is this registration's: the request becomes its own before anything is done for it.
    case noting(StoredAccount)
    case resuming(StoredAccount)
    case inserting(StoredAccount)
    /// `isResumed`: the reservation is an earlier attempt's, of which the upstream may know.
    case asking(StoredAccount, isResumed: Bool)
    case activating(StoredAccount)
    /// The upstream has the account, and the store must get it once more.
    case restoring(StoredAccount)
    case releasing(then: RegistrationOutcome)
    case finished
  }

  private let email: EmailAddress
  private let hasUpstream: Bool
  private let mayDefer: Bool
  private let now: Timestamp
  private let request: RequestKey?
  private var phase: Phase

  /// - Parameters:
  ///   - email: The valid address of a valid entry.
  ///   - hasUpstream: Whether an upstream must agree.
  ///   - mayDefer: Whether a registration is accepted also while the upstream cannot be asked.
  ///   - now: When the account is created, if it is.
  ///   - request: What the caller calls this registration.
  package init(
    email: EmailAddress, hasUpstream: Bool, mayDefer: Bool = false, now: Timestamp, request: RequestKey? = nil
  ) {
    self.email = email
    self.mayDefer = mayDefer
    self.hasUpstream = hasUpstream
    self.now = now
    self.request = request
    phase = request == nil ? .looking : .lookingForRequest
  }

  /// The first action: a look before the costly hash. It decides nothing; the store's constraints do.
  package var first: Action { request.map { .findRequest($0) } ?? .find(email.key) }

  /// - Returns: The next action. After `finish` there are no more events; one that does not belong to the phase is a
  ///   fault of the driver and ends the registration as a failure of the store would.
  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.lookingForRequest, .foundRequest(nil)):
      phase = .looking
      return .find(email.key)
    case (.lookingForRequest, .foundRequest(let known?)), (.inserting, .insertionKnown(let known)),
      (.restoring, .insertionKnown(let known)):
      return compare(known)
    case (.lookingAgain, .foundRequest(let known?)):
      return compare(known)
    case (.lookingAgain, .foundRequest(nil)):
      return finish(.taken)
    case (.comparing(let known), .verified(.right)):
      guard known.account.state == .pending else { return finish(.registered(known.account)) }
      return proceed(StoredAccount(account: known.account, passwordHash: known.passwordHash))
    case (.comparing, .verified(.wrong)):
      return finish(.conflict)
    case (.looking, .found(nil)):
      // only an upstream knows an earlier ask by its id
      guard hasUpstream, let request else { return hash() }
      phase = .recalling([])
      return .findReleased(request, email.key)
    case (.recalling, .foundReleased(let released)):
      return recall(released)
    case (.recalling(let released), .verified(.right)):
      return released.first.map { insert(again($0)) } ?? hash()
    case (.recalling(let released), .verified(.wrong)), (.recalling(let released), .hashingFailed(.unreadableHash)):
      return recall(Array(released.dropFirst()))
    case (.looking, .found(let holder?)):
      return meet(holder)
    case (.hashing, .hashed(let hash)):
      return insert(newAccount(hash))
    case (.inserting(let account), .inserted):
      return account.account.state == .active ? finish(.registered(account.account)) : ask(account, isResumed: false)
    case (.restoring(let account), .inserted):
      return finish(.registered(account.account))
    case (.restoring(let account), .insertionLost(let holder)):
      guard holder.account.id == account.account.id else { return finish(.taken) }
      return holder.account.state == .pending ? activate(holder) : finish(.registered(holder.account))
    case (.restoring, .storeFailed(let failure)):
      return finish(.store(failure, isPending: true))
    case (.inserting, .insertionLost(let holder)):
      return meet(holder)
    case (.inserting, .joined(let outcome)):
      return finish(outcome)
    case (.inserting, .gaveUp), (.resuming, .gaveUp):
      return begin()
    case (.inserting(let account), .storeFailed(let failure)):
      return finish(failed(failure, at: account))
    case (.recognising(let holder), .verified(.right)):
      guard let request else { return proceed(holder) }
      phase = .noting(holder)
      return .note(request, for: holder.account.id)
    case (.noting(let holder), .noted(.noted)):
      return proceed(holder)
    case (.noting, .noted(.known(let known))):
      return compare(known)
    case (.noting, .noted(.gone)):
      return begin()
    case (.resuming(var holder), .resumed(let mark?)):
      holder.account.updatedAt = mark
      return ask(holder, isResumed: true)
    case (.resuming, .joined(let outcome)):
      return finish(outcome)
    case (.noting, .storeFailed(let failure)), (.resuming, .storeFailed(let failure)):
      return finish(.store(failure, isPending: true))
    case (.resuming, .resumed(nil)):
      // somebody was quicker: released, activated or resumed it; what is there now is another matter
      return begin()
    case (.recognising, .verified(.wrong)):
      return finish(.taken)
    case (.asking(let account, _), .upstreamAnswered(.registered)):
      return activate(account)
    case (.asking(let account, _), .upstreamAnswered(.taken)):
      return release(account, then: .taken)
    case (.asking(let account, _), .takenPerhaps):
      return finish(mayDefer ? .deferred(account.account, .failed) : .network(.failed, isPending: true))
    case (.asking(let account, _), .networkFailed(let failure)) where mayDefer && failure.isWorthPuttingOff:
      return finish(.deferred(account.account, failure))
    case (.asking(let account, let isResumed), .networkFailed(let failure)):
      if failure.mayHaveActed || isResumed { return finish(.network(failure, isPending: true)) }
      return release(account, then: .network(failure, isPending: false), remembered: failure.wasPerhapsSent)
    case (.activating, .activated(let account?)):
      return finish(.registered(account))
    case (.activating(let account), .activated(nil)):
      return insertAgain(account)
    case (.releasing(let outcome), .released(true)):
      return finish(outcome)
    case (.releasing(let outcome), .released(false)):
      return finish(stillReserved(outcome) ?? outcome)
    case (.releasing(let outcome), .storeFailed(let failure)):
      return finish(stillReserved(outcome) ?? .store(failure, isPending: true))
    case (.activating, .storeFailed(let failure)):
      return finish(.store(failure, isPending: true))
    case (_, .storeFailed(.cancelled)):
      return finish(.cancelled)
    case (_, .storeFailed(let failure)):
      return finish(.store(failure, isPending: false))
    case (_, .hashingFailed(let failure)):
      return finish(.hashing(failure))
    case (_, .throttled(let seconds)):
      return finish(.throttled(retryAfterSeconds: seconds))
    default:
      return finish(.store(.unavailable(detail: "\(event) is out of place"), isPending: true))
    }
  }

  /// Everything is looked at anew.
  private mutating func begin() -> Action {
    phase = request == nil ? .looking : .lookingForRequest
    return first
  }

  /// The reservation is this registration's, made by an earlier attempt.
  private mutating func proceed(_ holder: StoredAccount) -> Action {
    hasUpstream ? resume(holder) : activate(holder)
  }

  /// The caller has asked for this before, or calls two registrations by one name.
  private mutating func compare(_ known: KnownRequest) -> Action {
    guard known.account.email.key == email.key else { return finish(.conflict) }
    phase = .comparing(known)
    return .verify(known.passwordHash)
  }

  /// Somebody has the address. A pending one may be this very registration, asked for again.
  private mutating func meet(_ holder: StoredAccount) -> Action {
    guard holder.account.state == .pending else {
      guard let request else { return finish(.taken) }
      phase = .lookingAgain
      return .findRequest(request)
    }
    phase = .recognising(holder)
    return .verify(holder.passwordHash)
  }

  /// From here on the reservation is this attempt's too, and whoever made it does not take it back.
  private mutating func resume(_ holder: StoredAccount) -> Action {
    let seen = holder.account.updatedAt
    phase = .resuming(holder)
    return .resume(holder.account.id, seen: seen, at: max(now, Timestamp(microseconds: seen.microseconds + 1)))
  }

  private func newAccount(_ hash: PasswordHash) -> StoredAccount {
    let account = Account(
      id: AccountID(at: now), email: email, state: hasUpstream ? .pending : .active, createdAt: now, updatedAt: now)
    return StoredAccount(account: account, passwordHash: hash)
  }

  private mutating func hash() -> Action {
    phase = .hashing
    return .hash
  }

  /// What was asked under this request before was perhaps this very registration: the upstream is to know it again, by
  /// the same id, and to be sent the same with it.
  private mutating func recall(_ released: [ReleasedRegistration]) -> Action {
    guard let next = released.first else { return hash() }
    phase = .recalling(released)
    return .recognise(next.passwordHash)
  }

  private func again(_ released: ReleasedRegistration) -> StoredAccount {
    let account = Account(id: released.id, email: released.email, state: .pending, createdAt: now, updatedAt: now)
    return StoredAccount(account: account, passwordHash: released.passwordHash)
  }

  /// Where the commit itself failed, the account may be there.
  private func failed(_ failure: StoreFailure, at account: StoredAccount) -> RegistrationOutcome {
    switch failure {
    case .unknown: .store(failure, isPending: true)
    case .cancelled: .cancelled
    case .unavailable, .full, .readOnly: .store(failure, isPending: false)
    }
  }

  /// The upstream has the account, but a concurrent attempt has released the reservation: it is made once more.
  private mutating func insertAgain(_ account: StoredAccount) -> Action {
    var active = account
    active.account.state = .active
    phase = .restoring(active)
    return .insert(active)
  }

  private mutating func insert(_ account: StoredAccount) -> Action {
    phase = .inserting(account)
    return .insert(account)
  }

  private mutating func ask(_ account: StoredAccount, isResumed: Bool) -> Action {
    phase = .asking(account, isResumed: isResumed)
    return .ask(UpstreamRegistration(account))
  }

  private mutating func activate(_ account: StoredAccount) -> Action {
    phase = .activating(account)
    return .activate(account.account.id)
  }

  private mutating func release(
    _ account: StoredAccount, then outcome: RegistrationOutcome, remembered: Bool = true
  ) -> Action {
    phase = .releasing(then: outcome)
    return .release(account.account.id, seen: account.account.updatedAt, remembered: remembered && request != nil)
  }

  /// The reservation is still there, for the store failed or a repeat has resumed it: who was told of a network failure
  /// must know that it is.
  private func stillReserved(_ outcome: RegistrationOutcome) -> RegistrationOutcome? {
    if case .network(let failure, _) = outcome { .network(failure, isPending: true) } else { nil }
  }

  private mutating func finish(_ outcome: RegistrationOutcome) -> Action {
    phase = .finished
    return .finish(outcome)
  }
}
