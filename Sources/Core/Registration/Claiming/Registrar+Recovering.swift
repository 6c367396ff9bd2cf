extension Registrar {
  /// Nil if recoveries are possible.
  package var obstacleToRecovery: Obstacle? {
    if authenticator.authority != .store { return .off(.passwordsOfUpstream) }
    return verification.hasMail ? nil : .off(.recovery)
  }

  /// Starts the recovery of an account: mails a code to its address. An address without an account gets the same steps and the
  /// same answer.
  package func startRecovery(
    _ typed: String?, language: String?, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> ClaimOutcome {
    if let obstacle = obstacleToRecovery { return .obstructed(obstacle) }
    let email: EmailAddress
    switch typed.map({ rules.email.addressOfAccount($0) }) ?? rules.email.check(nil) {
    case .success(let address): email = address
    case .failure(let refusal): return .obstructed(.invalid(refusal.problems))
    }
    let now = time.now()
    let terms: VerificationTerms
    do { terms = try await self.terms(for: email.key, at: now) } catch { return .obstructed(.store(error)) }
    var conductor = RecoveryStart(email: email, terms, by: requester, language: language, now: now) { [passwords] in
      passwords.isKnown(requester, at: $0)
    }
    var action = conductor.first
    while true {
      let event: RecoveryStart.Event
      switch action {
      case .find(let key): event = await .storing(.found(try await store.find(key)))
      case .add(let claim, let mail):
        event =
          mayCommit()
          ? await .storing(.added(try await store.add(claim, mail, Stamp(now, by: requester))))
          : .obstructed(.cancelled)
        mailed()
      case .finish(let outcome):
        if case .obstructed(.fault(let fault)) = outcome { faults(fault) }
        return outcome
      }
      action = conductor.next(event)
    }
  }

  /// Sets another password for the owner who has the code. All other recoveries of the account end, and so do the waits after
  /// wrong passwords. For the parameters see `prove`.
  package func finishRecovery(
    _ id: ClaimID, code: String, password: Password?, confirmation: Password?, language: String? = nil,
    by requester: Requester, mayCommit: @escaping @Sendable () -> Bool = { true },
    found: (AddressClaim) -> Void = { _ in }
  ) async -> ProofOutcome {
    if let obstacle = obstacleToRecovery { return .obstructed(obstacle) }
    let (now, rules) = (time.now(), rules)
    let stamp = Stamp(now, by: requester)
    let secret = password ?? Password(utf8: [])
    let turn = HashingTurn(requester.share)
    var mayChange = FirstCommit(mayCommit)
    var conductor = RecoveryFinish(id, code: code, verification, by: requester, language: language, now: now) {
      rules.password.problems(password: password, confirmation: confirmation, email: $0.typed)
    }
    var action = conductor.first
    while true {
      let event: RecoveryFinish.Event
      switch action {
      case .findClaim(let id):
        event = await .storing(.foundClaim(try await find(id, of: requester, at: now, found)))
      case .compare(let digits, let claim): event = .compared(codes?.isRight(digits, for: claim) ?? false)
      case .guess(let id, let guess):
        event =
          mayChange.isGranted
          ? await .storing(.guessed(try await store.guess(id, guess, stamp))) : .obstructed(.cancelled)
      case .hash: event = await .hashing(.hashed(try await passwords.hasher.hash(secret, turn)))
      case .recover(let id, let account, let hash, let notice):
        event = await .storing(.recovered(try await store.recover(id, of: account, to: hash, notice, stamp)))
        mailed()
      case .find(let id): event = await .storing(.found(try await store.find(id)))
      case .verify(let hash, let account): event = await recognise(secret, hash, account, by: requester)
      case .finish(let outcome):
        if case .proven(let account) = outcome { await forgive(account, secret, by: requester) }
        if case .obstructed(.fault(let fault), _) = outcome { faults(fault) }
        return outcome
      }
      action = conductor.next(event)
    }
  }

  private func recognise(
    _ password: Password, _ hash: PasswordHash, _ account: Account, by requester: Requester
  ) async -> RecoveryFinish.Event {
    do {
      switch try await passwords.guess(
        password, against: hash, of: account.email, .account(account.id), by: requester)
      {
      case .compared(let verdict): return .verified(verdict)
      case .throttled(let seconds): return .obstructed(.throttled(retryAfterSeconds: seconds))
      }
    } catch {
      return .obstructed(.hashing(error))
    }
  }

  /// Ends the waits at an account whose owner has set this password, and makes the requester's place known.
  func forgive(_ account: Account, _ password: Password, by requester: Requester) async {
    await passwords.throttle?.forget(account: account.email.key)
    passwords.remember(password, of: account.email, account.id, from: requester)
  }
}
