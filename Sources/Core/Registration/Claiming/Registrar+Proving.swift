extension Registrar {
  /// Makes a claim of an address, and no account yet. Where no proof of addresses is asked for, `register` is to be called.
  func claim(
    _ email: EmailAddress, _ password: Password, request: RequestKey?, language: String?, by requester: Requester?,
    mayCommit: @escaping @Sendable () -> Bool
  ) async -> RegistrationOutcome {
    let now = time.now()
    var conductor = ClaimingConductor(
      email: email, verification, by: requester, request: request, language: language, now: now
    ) { [passwords] in
      passwords.isKnown(requester, at: $0)
    }
    var action = conductor.first
    var mayChange = FirstCommit(mayCommit)
    while true {
      let event: ClaimingConductor.Event
      switch action {
      case .findClaim(let request):
        event = await .storing(.foundClaim(try await store.find(claimOf: request, at: now)))
      case .findRequest(let request): event = await .storing(.foundRequest(try await store.find(request)))
      case .find(let key): event = await .storing(.found(try await store.find(key)))
      case .hash:
        event = await .hashing(
          .hashed(try await passwords.hasher.hash(password, HashingTurn(requester.share))))
      case .verify(let hash, let subject):
        event = await verify(password, hash, of: email, subject, by: requester)
      case .add(let claim, let mail):
        event =
          mayChange.isGranted
          ? await .storing(.added(try await store.add(claim, mail, Stamp(now, by: requester)))) : .cancelled
      case .end(let claim):
        event = await .storing(
          try await { () async throws(StoreFailure) in
            try await store.end(claim)
            return .ended
          }())
      case .finish(let outcome):
        mailed()
        if case .fault(let fault) = outcome { faults(fault) }
        return outcome
      }
      action = conductor.next(event)
    }
  }

  private func verify(
    _ password: Password, _ hash: PasswordHash, of email: EmailAddress, _ subject: GuessSubject,
    by requester: Requester?
  ) async -> ClaimingConductor.Event {
    do {
      switch try await passwords.guess(password, against: hash, of: email, subject, by: requester) {
      case .compared(let verdict): return .verified(verdict)
      case .throttled(let seconds): return .throttled(retryAfterSeconds: seconds)
      }
    } catch {
      return .hashingFailed(error)
    }
  }

  /// Proves a claim by its code, and does what it asks for: makes the account, or gives it another address.
  ///
  /// - Parameter mayCommit: Called once, before the store is changed for the first time; with false nothing is done.
  package func prove(
    _ id: ClaimID, code: String, by requester: Requester, mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> ProofOutcome {
    let now = time.now()
    let stamp = Stamp(now, by: requester)
    var mayChange = FirstCommit(mayCommit)
    var conductor = ProofConductor(id, code: code, verification, by: requester, now: now)
    var action = conductor.first
    while true {
      let event: ProofConductor.Event
      switch action {
      case .findClaim(let id): event = await .storing(.foundClaim(try await store.find(id, at: now)))
      case .compare(let digits, let claim): event = .compared(codes?.isRight(digits, for: claim) ?? false)
      case .guess(let id, let guess):
        event =
          mayChange.isGranted ? await .storing(.guessed(try await store.guess(id, guess, stamp))) : .cancelled
      case .register(let claim): event = .registered(await register(claim, by: requester))
      case .find(let id): event = await .storing(.found(try await store.find(id)))
      case .changeEmail(let id, let old, let new, let claim, let notice):
        event = await .storing(
          .emailChanged(
            try await store.changeEmail(
              of: id, from: old, having: nil, to: new, proving: claim, notice, stamp)))
        if case .emailChanged(.changed) = event { await passwords.throttle?.forget(account: old) }
        mailed()
      case .finish(let outcome):
        knowPlace(of: outcome, requester)
        if case .fault(let fault) = outcome { faults(fault) }
        return outcome
      }
      action = conductor.next(event)
    }
  }

  /// The place that an address was proven from is its owner's: what others guess stands in no way of the first sign-in there.
  private func knowPlace(of outcome: ProofOutcome, _ requester: Requester) {
    switch outcome {
    case .proven(let account), .deferred(let account, _):
      passwords.rememberPlace(requester, of: account)
    case .invalid, .codeRejected, .gone, .taken, .limited, .throttled, .cancelled, .hashing, .network, .store, .off,
      .fault:
      break
    }
  }

  /// Registers what a claim asks for whose code was right.
  private func register(_ claim: AddressClaim, by requester: Requester) async -> RegistrationOutcome {
    let conductor = RegistrationConductor(
      proving: claim, hasUpstream: network != nil, mayDefer: defersWhenUnreachable, now: time.now())
    guard let conductor else { return .claimGone }
    var driver = RegistrationDriver(self, claim.email, nil, by: requester, mayCommit: { true })
    return await driver.run(conductor)
  }

  /// Has a claim's mail sent again.
  package func resend(
    _ id: ClaimID, by requester: Requester, mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> ClaimOutcome {
    let now = time.now()
    var conductor = ResendConductor(id, verification, by: requester, now: now) { [passwords] in
      passwords.isKnown(requester, at: $0)
    }
    var action = conductor.first
    var mayChange = FirstCommit(mayCommit)
    while true {
      let event: ResendConductor.Event
      switch action {
      case .findClaim(let id): event = await .storing(.foundClaim(try await store.find(id, at: now)))
      case .find(let id): event = await .storing(.found(try await store.find(id)))
      case .renew(let claim, let seen, let mail):
        event =
          mayChange.isGranted
          ? await .storing(.renewed(try await store.renew(claim, seen: seen, mail, Stamp(now, by: requester))))
          : .cancelled
        mailed()
      case .finish(let outcome):
        if case .fault(let fault) = outcome { faults(fault) }
        return outcome
      }
      action = conductor.next(event)
    }
  }
}

/// Asks whether the store may be changed, once, before the first change.
struct FirstCommit {
  private let mayCommit: @Sendable () -> Bool
  private var answer: Bool?

  init(_ mayCommit: @escaping @Sendable () -> Bool) { self.mayCommit = mayCommit }

  var isGranted: Bool {
    mutating get {
      let granted = answer ?? mayCommit()
      answer = granted
      return granted
    }
  }
}
