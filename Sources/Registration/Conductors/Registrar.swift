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
  /// Nil where wrong passwords make nobody wait.
  let signIns: SignInGuard?
  /// With `network` there is a network; else it is as if it were away.
  let signInAuthority: SignInAuthority
  private let leftPending: LeftPending?

  /// - Parameter leftPending: Where is noted that there is something to find out.
  package init(
    rules: RegistrationRules, store: any AccountStore, hasher: any PasswordHasher, network: (any NetworkService)?,
    time: any TimeSource, signIns: SignInGuard? = SignInGuard(), signInAuthority: SignInAuthority = .store,
    defersWhenUnreachable: Bool = false,
    leftPending: LeftPending? = nil
  ) {
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
        for id in ours { attempts.end(id, outcome) }
        if outcome.isPending, let id = ours.last { leftPending?.add(.init(id: id, failure: outcome.failure)) }
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
      case .verify(let hash): return try await verify(hash, context)
      default: break
      }
    } catch {
      return .hashingFailed(error)
    }
    if case .ask(let registration) = action, let network {
      do { return .upstreamAnswered(try await network.register(registration, for: context.requester.share)) } catch {
        return .networkFailed(error)
      }
    }
    switch action {
    case .insert(let account) where !ours.contains(account.account.id):
      // before the store has it, so that whoever finds it there can join
      attempts.begin(account.account.id)
      ours.append(account.account.id)
    case .resume(let id, _, _):
      switch await attempts.join(id) {
      case .ended(let outcome): return .joined(outcome)
      case .gaveUp: return .resumed(false)
      case .ours: ours.append(id)
      }
    default: break
    }
    let event = await store(action, context)
    if case .resume(let id, _, _) = action, event == .resumed(false) {
      // it is another account's attempt from here on, or none
      ours.removeAll { $0 == id }
      attempts.giveUp(id)
    }
    return event
  }

  /// A password that is compared here is guessed here as well as by signing in, and counts alike.
  private func verify(
    _ hash: PasswordHash, _ context: Context
  ) async throws(HashingFailure) -> RegistrationConductor.Event {
    guard let signIns, let requester = context.requester else {
      return .verified(try await hasher.verify(context.password, against: hash, HashingTurn(context.requester.share)))
    }
    let attempt = signIns.attempt(
      account: context.email.key.value, caller: requester.uid, password: context.password)
    if case .wait(let seconds) = signIns.admit(attempt) { return .throttled(retryAfterSeconds: seconds) }
    do {
      let verdict = try await hasher.verify(context.password, against: hash, HashingTurn(requester.share))
      signIns.ended(attempt, verdict == .wrong ? .wrong : .right)
      return .verified(verdict)
    } catch {
      signIns.ended(attempt, .unknown)
      throw error
    }
  }

  private func store(
    _ action: RegistrationConductor.Action, _ context: Context
  ) async -> RegistrationConductor.Event {
    let stamp = Stamp(time.now(), by: context.requester)
    do {
      switch action {
      case .findRequest(let request): return .foundRequest(try await store.find(request))
      case .find(let key): return .found(try await store.find(key))
      case .insert(let account):
        switch try await store.insert(account, request: context.request, stamp) {
        case .inserted: return .inserted
        case .taken(let holder): return .insertionLost(to: holder)
        case .requestKnown(let known): return .insertionKnown(known)
        }
      case .note(let id):
        guard let request = context.request else { return .noted(.noted) }
        return .noted(try await store.note(request, for: id))
      case .activate(let id): return .activated(try await store.activate(id, stamp))
      case .resume(let id, let seen, let time):
        let stamp = Stamp(time, by: context.requester)
        return .resumed(try await store.resume(id, seen: seen, stamp))
      case .release(let id, let seen): return .released(try await store.release(id, seen: seen, stamp))
      case .hash, .verify, .ask, .finish:
        return .storeFailed(.unavailable(detail: "no store operation: \(action)"))
      }
    } catch {
      return .storeFailed(error)
    }
  }
}

extension RegistrationOutcome {
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
    case .store(.unavailable, isPending: true), .network(_, isPending: true): .network(.timeout, isPending: true)
    default: self
    }
  }
}

/// What is known of a registration by the name that its caller gave it.
package enum RequestStatus: Equatable, Sendable {
  /// Registered; the account as it is now, which an administrator may have disabled.
  case active(Account)
  /// Whether it has happened is being found out.
  case pending(Account)
  /// There is none: never asked for, refused, released or deleted.
  case unknown
}

extension Registrar {
  package func status(of request: RequestKey) async throws(StoreFailure) -> RequestStatus {
    guard let account = try await store.find(request)?.account else { return .unknown }
    return account.state == .pending ? .pending(account) : .active(account)
  }
}

/// What is known about an address.
package enum AvailabilityOutcome: Equatable, Sendable {
  case available
  case unavailable
  case invalid([Problem])
  case network(NetworkFailure)
  case store(StoreFailure)
}

extension Registrar {
  /// Whether the address could be registered now. Any fault is an answer of its own; nothing is guessed.
  package func checkAvailability(_ typed: String?, for share: Share) async -> AvailabilityOutcome {
    let email: EmailAddress
    switch rules.email.check(typed) {
    case .success(let address): email = address
    case .failure(let refusal): return .invalid(refusal.problems)
    }
    do {
      if try await store.find(email.key) != nil { return .unavailable }
    } catch {
      return .store(error)
    }
    guard let network else { return .available }
    do {
      return try await network.isAvailable(email, for: share) ? .available : .unavailable
    } catch {
      return .network(error)
    }
  }
}
