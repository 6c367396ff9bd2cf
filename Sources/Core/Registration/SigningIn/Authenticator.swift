/// Signs callers in: performs the actions that the conductors of sign-ins decide on.
///
/// A hash is expensive, and each one tests a guess. Before regd hashes a typed password, the sign-in passes fourteen
/// types, in this order:
/// 1. `RecentRefusals` repeats the answer to an equal sign-in that was refused a moment ago.
/// 2. `SignInAttempt` replaces address, client (uid and origin) and password by bits of keyed hashes.
/// 3. `SignInGuard` has the throttle's lock and clock.
/// 4. `SignInThrottle` decides whether the password may be hashed, by the next five types.
/// 5. `Flights` lets a password pass that is already being checked for the client, because it is no further guess.
/// 6. `Standing` has the wrong passwords from the client for the account.
/// 7. `Bucket` has the guesses of the origin over all accounts.
/// 8. `KnownClients` recognizes the owner's clients, and for each one the trace of the last correct password.
/// 9. `BackOff` makes the client wait, or all clients that are unknown at the account.
/// 10. `SharedCount` asks the count that several regd processes share.
/// 11. `GuessAlarm` notifies administrators if a known client has guessed too often.
/// 12. `KeyedMemory` has the passwords that were wrong for the account's hash a moment ago (`PasswordComparer`).
/// 13. `PasswordMemory` has the passwords that were correct a moment ago, for callers that send one with each request.
/// 14. `SingleFlight` lets equal guesses at the same time share one hash.
///
/// The conductor reads the account between the eleventh and the twelfth. If the upstream is the authority, equal
/// sign-ins also share its answer, in another `SingleFlight`.
struct Authenticator: Sendable {
  let rules: RegistrationRules
  let store: Accounts
  let passwords: PasswordComparer
  /// The upstream, or a network that always fails as offline if no upstream is configured.
  let upstream: any NetworkService
  let authority: SignInAuthority
  let time: any TimeSource
  let faults: FaultObserver
  let guesses = SingleFlight<PasswordGuess, SignInOutcome>()
  var refusals = RecentRefusals()

  /// - Parameters:
  ///   - groups: The groups that the account must be in.
  ///   - memory: Saves hashing a password that was right a moment ago. Nil to hash each time.
  func signIn(
    email typed: String, password: Password, by requester: Requester,
    requiring groups: GroupRequirement = GroupRequirement(), sparing memory: PasswordMemory? = nil
  ) async -> SignInOutcome {
    let email = try? rules.email.addressOfAccount(typed).get()
    let account = email?.key.value ?? typed
    if let outcome = await repeated(email, account, password, groups, requester) { return outcome }
    let throttle = passwords.throttle
    let attempt = throttle?.attempt(account: account, share: requester.share, password: password)
    if let attempt, case .wait(let seconds) = await passwords.admit(attempt, at: email?.key, by: requester) {
      return .obstructed(.throttled(retryAfterSeconds: seconds))
    }
    let guess = Guess(
      email: email, account: account, password: password, attempt: attempt, requester: requester, groups: groups,
      memory: memory)
    switch authority {
    case .store: return await signIn(by: SignInConductor(key: email?.key), guess)
    case .network(let offline, let days):
      let conductor = NetworkSignInConductor(
        email: email, offline: offline, cachedDays: days, now: time.now(), epoch: .random())
      return await present(await signInOnce(by: conductor, guess), requiring: groups)
    }
  }

  /// The outcome with the account as it is now, which was read before the upstream answered, perhaps for a sign-in that had begun
  /// before this one. Also applies the required groups, because callers with other requirements share the outcome.
  private func present(_ outcome: SignInOutcome, requiring groups: GroupRequirement) async -> SignInOutcome {
    guard case .signedIn(let account) = outcome else { return outcome }
    do throws(StoreFailure) {
      guard let found = try await store.find(account.id) else { return .refused(.rejected) }
      return SignInOutcome(toOwnerOf: found.account.proven(in: account.epoch)).requiring(groups)
    } catch {
      return .obstructed(.store(error))
    }
  }

  /// Signs in. If there are equal sign-ins at the same time, the upstream is asked only once, and all share its answer.
  private func signInOnce(by conductor: NetworkSignInConductor, _ guess: Guess) async -> SignInOutcome {
    let shared = PasswordGuess(account: guess.account, password: guess.password)
    while true {
      switch await guesses.join(shared) {
      case .ended(let outcome):
        if let attempt = guess.attempt {
          await passwords.ended(
            attempt, outcome.ending, of: outcome.account, at: guess.email?.key, by: guess.requester)
        }
        return outcome
      case .cancelled:
        if let attempt = guess.attempt { await passwords.throttle?.ended(attempt, .unknown) }
        return .obstructed(.cancelled)
      case .gaveUp: continue
      case .ours:
        let outcome = await signIn(by: conductor, guess)
        if outcome.isOfGuess { guesses.end(shared, outcome) } else { guesses.giveUp(shared) }
        return outcome
      }
    }
  }

  /// The refusal of an equal sign-in a moment ago, or nil if there was no refusal, or if the account has changed since.
  private func repeated(
    _ email: EmailAddress?, _ account: String, _ password: Password, _ groups: GroupRequirement, _ requester: Requester
  ) async -> SignInOutcome? {
    guard authority == .store, refusals.mayKnow(requester.share, at: account, password, requiring: groups) else {
      return nil
    }
    do throws(StoreFailure) {
      let found: StoredAccount? = if let email { try await store.find(email.key) } else { nil }
      return refusals.outcome(requester.share, at: account, password, requiring: groups, of: found)
    } catch {
      return nil
    }
  }

  /// The address and the password of one sign-in, and its requester.
  private struct Guess {
    let email: EmailAddress?
    /// The address's key, or the typed text if the address is invalid.
    let account: String
    let password: Password
    let attempt: SignInAttempt?
    let requester: Requester
    let groups: GroupRequirement
    let memory: PasswordMemory?
  }

  private func signIn(
    by conductor: some Conductor<SignInEvent, SignInAction>, _ guess: Guess
  ) async -> SignInOutcome {
    let (password, account) = (guess.password, guess.account)
    let looksRight = guess.attempt.map { passwords.throttle?.looksRight($0) ?? false } ?? false
    let turn = HashingTurn(guess.requester.share, goesFirst: looksRight)
    let uncancelled = HashingTurn(guess.requester.share, isDoneAnyway: true)
    var (holder, hasEnded) = (StoredAccount?.none, guess.attempt == nil)
    let outcome: SignInOutcome = await conduct(conductor, faults) { (action) async in
      let stamp = Stamp(time.now(), by: guess.requester)
      switch action {
      case .note(let ending):
        if let attempt = guess.attempt, !hasEnded {
          hasEnded = true
          await passwords.ended(attempt, ending, of: holder?.account.id, at: guess.email?.key, by: guess.requester)
        }
        return .event(.noted)
      case .verify(let hash):
        return await .hashing(
          .verified(
            try await passwords.compare(password, with: hash, account: account, turn, sparing: guess.memory)))
      case .verifyAnyway(let hash):
        return await .hashing(
          .verified(try await passwords.compare(password, with: hash, account: account, uncancelled)))
      case .hash: return await .hashing(.hashed(try await passwords.hasher.hash(password, turn)))
      case .hashNobodys: return await .hashing(.hashed(try await passwords.hasher.hash(.nobodys(), uncancelled)))
      case .ask(let email):
        guard !Task.isCancelled else { return .cancelled }
        return await .asking(.upstreamAnswered(try await upstream.signIn(email, password, for: turn.share)))
      case .find(let key):
        let event = await SignInEvent.storing(.found(try await store.find(key)))
        if case .found(let found?) = event { holder = found }
        return .event(event)
      case .replaceHash(let id, let old, let new, let epoch):
        return await .storing(
          .hashReplaced(
            at: try await store.replaceHash(of: id, from: old, to: new, epoch: epoch, stamp) ? stamp.time : nil))
      case .confirm(let id, let isRight):
        return await .storing(.confirmed(try await store.confirm(id, at: isRight ? stamp.time : nil)))
      case .adopt(let account):
        guard !Task.isCancelled else { return .cancelled }
        return await .storing(.adopted(try await store.importing([account], stamp).first))
      case .finish(let outcome):
        // even after a fault, because an attempt that remains in flight would block others for ever
        if let attempt = guess.attempt, !hasEnded { await passwords.throttle?.ended(attempt, .unknown) }
        return .finished(outcome)
      }
    }
    return authority == .store ? remembered(outcome, of: holder, guess) : outcome
  }

  /// The outcome with the required groups applied. Remembers it if it is a refusal.
  private func remembered(_ outcome: SignInOutcome, of holder: StoredAccount?, _ guess: Guess) -> SignInOutcome {
    let required = outcome.requiring(guess.groups)
    if case .refused(let refusal) = required {
      refusals.note(
        refusal, to: guess.requester.share, at: guess.account, guess.password, requiring: guess.groups, of: holder)
    }
    return required
  }
}

/// The authority that decides whether a password is right.
package enum SignInAuthority: Equatable, Sendable {
  /// This daemon, which compares the password with the hash in its store.
  case store
  /// The upstream. The hash in the store is of the password that the upstream last accepted.
  ///
  /// `cachedDays`: how long that hash may be used in place of the upstream, in days. At least 1.
  case network(offline: Offline, cachedDays: Int = 30)

  /// How regd answers while the upstream is unreachable.
  package enum Offline: String, CaseIterable, Equatable, Sendable {
    /// Every caller gets the failure of the network.
    case refuse
    /// The hash in the store admits a caller with the correct password. Every other caller gets the failure of the
    /// network.
    case cached
  }
}

/// Decides each step of a sign-in when this daemon is the authority for passwords.
package struct SignInConductor: Conductor {
  package typealias Event = SignInEvent
  package typealias Action = SignInAction

  enum Phase: ConductorPhase {
    /// Looks up the account. Then `verifying` or `noting`.
    case looking
    /// Compares the password with the account's hash. Then `noting`.
    case verifying(StoredAccount?)
    /// Tells the throttle the outcome. Then the given action, in the phase `renewing` or `finished`.
    case noting(renewing: StoredAccount?, then: Action)
    /// Renews the outdated hash, best effort. Then `renewing` or `finished`.
    case renewing(StoredAccount)
    case finished
  }

  var phase: Phase
  private let key: EmailKey?

  /// - Parameter key: The key of the typed address, or nil if the text is not an address. Such a sign-in costs the same
  ///   work and gets the same answer as a wrong password.
  package init(key: EmailKey?) {
    self.key = key
    phase = key == nil ? .verifying(nil) : .looking
  }

  package var first: Action { key.map { .find($0) } ?? .verify(nil) }

  package mutating func next(_ event: Event) -> Action {
    switch (phase, event) {
    case (.looking, .found(let found)): return go(.verifying(found), .verify(found?.passwordHash))
    case (.looking, .obstructed(let obstacle)), (.verifying, .obstructed(let obstacle)):
      return note(.unknown, then: .finish(.obstructed(obstacle)))
    case (.verifying(let found?), .verified(.right(let isOutdated))):
      guard isOutdated, found.account.mayRenewHash else { return note(.right, then: .finish(welcome(found))) }
      return note(.right, renewing: found, then: .hash)
    case (.verifying, .verified): return note(.wrong, then: .finish(.refused(.rejected)))
    case (.noting(let outdated, let action), .noted): return go(outdated.map { .renewing($0) } ?? .finished, action)
    case (.renewing(let found), .hashed(let hash)):
      return .replaceHash(of: found.account.id, from: found.passwordHash, to: hash, epoch: nil)
    case (.renewing(var found), .hashReplaced(let time?)):
      found.account.updatedAt = max(found.account.updatedAt, time)
      return finish(welcome(found))
    case (.renewing(let found), .hashReplaced(nil)), (.renewing(let found), .obstructed): return finish(welcome(found))
    default: return finish(.obstructed(fault(event)))
    }
  }

  /// Tells the throttle the outcome before the hash is renewed, so that the renewal delays no other attempt.
  private mutating func note(
    _ ending: SignInThrottle.Ending, renewing found: StoredAccount? = nil, then action: Action
  ) -> Action {
    go(.noting(renewing: found, then: action), .note(ending))
  }

  private func welcome(_ found: StoredAccount) -> SignInOutcome { SignInOutcome(toOwnerOf: found.account) }
}

/// An event that the driver of a sign-in reports to its conductor.
package enum SignInEvent: Equatable, Sendable, PortEvents {
  case noted
  case found(StoredAccount?)
  case verified(PasswordVerdict)
  case hashed(PasswordHash)
  /// The time of the change, or nil if another call replaced the hash meanwhile.
  case hashReplaced(at: Timestamp?)
  /// The action has failed. `cancelled` means that the caller no longer waits, and that the action was not done.
  case obstructed(Obstacle)

  // MARK: If the upstream is the authority

  case upstreamAnswered(UpstreamSession)
  case adopted(ImportAnswer?)
  /// Whether the account still exists.
  case confirmed(Bool)
}

/// The action that the driver of a sign-in has to do next.
package enum SignInAction: ConductedAction, Equatable, Sendable {
  /// Report to the throttle how the attempt has ended, at most once per sign-in.
  case note(SignInThrottle.Ending)
  case find(EmailKey)
  /// Compare the password with this hash. With nil, do the same work without a comparison.
  case verify(PasswordHash?)
  case hash
  /// `epoch`: the account's epoch from then on, if the new hash is of another password that the owner knows. Nil keeps
  /// the epoch.
  case replaceHash(of: AccountID, from: PasswordHash, to: PasswordHash, epoch: SessionEpoch?)
  case finish(SignInOutcome)

  // MARK: If the upstream is the authority

  /// Ask the upstream whether the password is right.
  case ask(EmailAddress)
  /// Add an account that only the upstream has.
  case adopt(StoredAccount)
  /// Compare the password with this hash, even if the caller no longer waits. With nil, do the same work without a comparison.
  case verifyAnyway(PasswordHash?)
  /// Hash a random password that no person knows, even if the caller no longer waits.
  case hashNobodys
  /// Note that the upstream has confirmed the password of the stored hash, or that the upstream has refused the account. Best
  /// effort.
  case confirm(AccountID, isRight: Bool)
}

extension Account {
  /// Whether a sign-in may replace the hash. False for an account that the upstream has yet to register, because regd sends
  /// this hash under an idempotency key, and a repeat must not send another hash.
  var mayRenewHash: Bool { !isUnregistered }

  /// Whether the registration is still incomplete, so that the upstream, if any, may not know the account.
  var isUnregistered: Bool { state == .pending || state == .waiting }
}

extension Password {
  /// 32 random bytes as hexadecimal digits: a password that no person knows.
  fileprivate static func nobodys() -> Password {
    let digits = Array("0123456789abcdef".utf8)
    var random = SystemRandomNumberGenerator()
    return Password(utf8: (0..<64).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
  }
}
