/// Does what the conductors decide, on the ports it was given.
package struct Registrar: Sendable {
  package let rules: RegistrationRules
  let store: any AccountStore
  let hasher: any PasswordHasher
  /// Nil where this daemon is the authority.
  let network: (any NetworkService)?
  /// Whether registrations are accepted while the upstream cannot be asked.
  let defersWhenUnreachable: Bool
  let time: any TimeSource
  let attempts = Attempts()
  let guesses = Guesses()
  /// Nil where wrong passwords make nobody wait.
  let signIns: SignInGuard?
  /// With `network` there is a network; else it is as if it were away.
  let signInAuthority: SignInAuthority
  let reservations: Reservations
  private let leftPending: LeftPending?

  /// - Parameters:
  ///   - leftPending: Where is noted that there is something to find out.
  ///   - reservations: What is known of registrations that are pending.
  package init(
    rules: RegistrationRules, store: any AccountStore, hasher: any PasswordHasher, network: (any NetworkService)?,
    time: any TimeSource, signIns: SignInGuard? = SignInGuard(), signInAuthority: SignInAuthority = .store,
    defersWhenUnreachable: Bool = false,
    leftPending: LeftPending? = nil, reservations: Reservations = Reservations()
  ) {
    self.reservations = reservations
    self.defersWhenUnreachable = defersWhenUnreachable
    self.leftPending = leftPending
    self.signIns = signIns
    self.signInAuthority = signInAuthority
    self.rules = rules
    self.store = store
    self.hasher = hasher
    self.network = network
    self.time = time
  }

  /// Whether a registration that makes this account is under way in this process.
  package func isUnderWay(_ id: AccountID) -> Bool { attempts.isUnderWay(id) }

  /// - Parameters:
  ///   - request: What the caller calls this registration: asked again by the same name, it is answered again.
  ///   - requester: Who asks, for the audit.
  ///   - mayCommit: Asked once, before the store is changed for the first time; with false nothing is done.
  package func register(
    _ entry: RegistrationEntry, request: RequestKey? = nil, by requester: Requester? = nil,
    mayCommit: @Sendable () -> Bool = { true }
  ) async -> RegistrationOutcome {
    let validation = rules.check(entry)
    guard validation.registrationEnabled, let email = validation.email, let password = entry.password else {
      return .invalid(validation.problems)
    }
    var conductor = RegistrationConductor(
      email: email, hasUpstream: network != nil, mayDefer: defersWhenUnreachable, now: time.now(), request: request)
    var action = conductor.first
    /// The accounts that this attempt makes: one, unless a reservation was lost on the way.
    var ours: [AccountID] = []
    var isCommitting = false
    while true {
      if case .finish(let outcome) = action {
        let outcome = Task.isCancelled ? outcome.ofCancelled : outcome
        for id in ours {
          // what one caller gave up, or had no room for, the others who joined have to see for themselves
          if outcome.isOwn { attempts.giveUp(id) } else { attempts.end(id, outcome) }
        }
        note(outcome, of: ours.last)
        remember(outcome, email, password, requester)
        return outcome
      }
      if action.changesStore, !isCommitting {
        guard mayCommit() else { return .cancelled }
        isCommitting = true
      }
      let context = Context(email: email, password: password, request: request, requester: requester)
      action = conductor.next(await perform(action, context, &ours))
    }
  }

  /// From where somebody has registered the right password always gets compared.
  private func remember(
    _ outcome: RegistrationOutcome, _ email: EmailAddress, _ password: Password, _ requester: Requester?
  ) {
    guard let signIns, let requester else { return }
    switch outcome {
    case .registered, .deferred, .network(_, isPending: true):
      signIns.remember(signIns.attempt(account: email.key.value, share: requester.share, password: password))
    case .invalid, .taken, .conflict, .throttled, .cancelled, .hashing, .network, .store: break
    }
  }

  /// What was left pending is found out by the outbox.
  private func note(_ outcome: RegistrationOutcome, of id: AccountID?) {
    guard outcome.isPending, network != nil, let id else { return }
    leftPending?.add(.init(id: id, failure: outcome.failure))
  }

  /// What an attempt has besides what its conductor decides.
  private struct Context {
    let email: EmailAddress
    let password: Password
    let request: RequestKey?
    let requester: Requester?
  }

  private func perform(
    _ action: RegistrationConductor.Action, _ context: Context, _ ours: inout [AccountID]
  ) async -> RegistrationConductor.Event {
    do {
      switch action {
      case .hash: return .hashed(try await hasher.hash(context.password, HashingTurn(context.requester.share)))
      case .verify(let hash):
        return try await verify(context.password, against: hash, of: context.email, by: context.requester)
      case .recognise(let hash):
        return .verified(try await hasher.verify(context.password, against: hash, HashingTurn(context.requester.share)))
      default: break
      }
    } catch {
      return .hashingFailed(error)
    }
    if case .ask(let registration) = action, let network {
      return await ask(registration, network, context)
    }
    switch action {
    case .insert(let account) where !ours.contains(account.account.id):
      // before the store has it, so that whoever finds it there can join; and another that was recognised may be at it
      if let event = await join(account.account.id, &ours) { return event }
    case .resume(let id, let seen, _):
      if let event = await join(id, &ours) { return event }
      // what bears this process's mark is nobody else's to take back, and no repeat of it is worth a change
      if reservations.isMarked(id, seen) { return .resumed(mark: seen) }
    default: break
    }
    let event = await store(action, of: context.request, by: context.requester)
    if case .resume(let id, _, _) = action, event == .resumed(mark: nil) {
      // it is another account's attempt from here on, or none
      ours.removeAll { $0 == id }
      attempts.giveUp(id)
    }
    return event
  }

  /// Makes the account the caller's attempt's own, or waits for the attempt that has it.
  ///
  /// - Returns: Nil where it is the caller's.
  private func join(_ id: AccountID, _ ours: inout [AccountID]) async -> RegistrationConductor.Event? {
    switch await attempts.join(id) {
    case .ended(let outcome): return .joined(outcome)
    case .gaveUp: return .gaveUp
    case .ours:
      ours.append(id)
      return nil
    }
  }

  private func ask(
    _ registration: UpstreamRegistration, _ network: any NetworkService, _ context: Context
  ) async -> RegistrationConductor.Event {
    switch await ask(registration, network, for: context.requester.share) {
    case .success(.taken) where !reservations.believesTaken(registration.id): return .takenPerhaps
    case .success(let answer): return .upstreamAnswered(answer)
    case .failure(let failure):
      // what is accepted all the same is asked for until it is settled
      if defersWhenUnreachable, failure.isWorthPuttingOff { reservations.doubt(registration.id) }
      return .networkFailed(failure)
    }
  }
}

extension RegistrationOutcome {
  /// Whether it says something of the caller alone, and nothing was done.
  fileprivate var isOwn: Bool {
    switch self {
    case .cancelled, .hashing(.cancelled), .hashing(.busy): true
    case .network(let failure, isPending: false): failure.isOwn
    default: false
    }
  }

  /// Whether an account may have been left pending.
  fileprivate var isPending: Bool {
    switch self {
    case .deferred, .network(_, isPending: true), .store(_, isPending: true): true
    default: false
    }
  }

  fileprivate var failure: NetworkFailure? {
    switch self {
    case .network(let failure, _), .deferred(_, let failure): failure
    default: nil
    }
  }

  /// What is said to who has waited too long: a store that does nothing for those any more is not at fault.
  fileprivate var ofCancelled: RegistrationOutcome {
    switch self {
    case .store(.unavailable, isPending: true), .store(.cancelled, isPending: true), .network(_, isPending: true):
      .network(.timeout, isPending: true)
    default: self
    }
  }
}
