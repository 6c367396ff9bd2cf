extension Registrar {
  /// Why no account can be recovered, or nil if recoveries are possible.
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
    let conductor = RecoveryStart(email: email, terms, by: requester, language: language, now: now) { [passwords] in
      passwords.isKnown(requester, at: $0)
    }
    return await conduct(conductor, faults) { (action) async in
      switch action {
      case .find(let key): return await .storing(.found(try await store.find(key)))
      case .add(let claim, let mail):
        guard mayCommit() else { return .cancelled }
        return await .storing(.added(try await store.add(claim, mail, Stamp(now, by: requester))))
      case .finish(let outcome): return .finished(outcome)
      }
    }
  }

  /// Sets another password for a caller who has the code. Ends the account's sign-ins, its other open recoveries and
  /// changes of address, and the waits after wrong passwords. For the parameters see `prove`.
  package func finishRecovery(
    _ id: ClaimID, code: String, password: Password?, confirmation: Password?, language: String? = nil,
    by requester: Requester, mayCommit: @escaping @Sendable () -> Bool = { true },
    found: (AddressClaim) -> Void = { _ in }
  ) async -> ProofOutcome {
    if let obstacle = obstacleToRecovery { return .obstructed(obstacle) }
    let (now, rules) = (time.now(), rules)
    let stamp = Stamp(now, by: requester)
    let secret = password ?? Password(utf8: [])
    var mayChange = FirstCommit(mayCommit)
    let conductor = RecoveryFinish(id, code: code, verification, by: requester, language: language, now: now) {
      rules.password.problems(password: password, confirmation: confirmation, email: $0.typed)
    }
    return await conduct(conductor, faults) { (action) async in
      switch action {
      case .guess(let action):
        return await .trying(.guess(try await done(action, by: requester, at: now, &mayChange, found)))
      case .hash: return await .hashing(.hashed(try await passwords.hasher.hash(secret, HashingTurn(requester.share))))
      case .recover(let id, let account, let hash, let notice):
        return await .storing(
          .recovered(try await store.recover(id, of: account, to: hash, epoch: .random(), notice, stamp)))
      case .find(let id): return await .storing(.found(try await store.find(id)))
      case .verify(let hash, let account):
        return await .trying(
          .verified(
            try await passwords.guess(secret, against: hash, of: account.email, .account(account.id), by: requester)))
      case .finish(let outcome):
        if case .proven(let account) = outcome { await forgive(account, secret, by: requester) }
        return .finished(outcome)
      }
    }
  }

  /// Ends the waits after wrong passwords at an account whose owner has set this password. From then on the requester's
  /// place (uid and origin) is known at the account.
  func forgive(_ account: Account, _ password: Password, by requester: Requester) async {
    await passwords.throttle?.forget(account: account.email.key)
    passwords.remember(password, of: account.email, account.id, from: requester)
  }
}
