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
    do throws(Obstacle) {
      if let obstacle = obstacleToRecovery { throw obstacle }
      let email: EmailAddress
      switch typed.map({ rules.email.addressOfAccount($0) }) ?? rules.email.check(nil) {
      case .success(let address): email = address
      case .failure(let refusal): throw .invalid(refusal.problems)
      }
      let now = time.now()
      let terms = try await Obstacle.ofStore(try await self.terms(for: email.key, at: now))
      let found = try await Obstacle.ofStore(try await store.find(email.key))
      // a pending or disabled account recovers nothing
      let account = found.flatMap { $0.account.state == .active ? $0.account : nil }
      let draft = ClaimDraft(terms, by: requester, language: language, now: now)
      // the claim shows the address as the caller wrote it, but the mail goes to the address as its owner wrote it
      let claim = draft.claim(
        .recovery, email, account: account?.id ?? draft.newAccount(), isDecoy: account == nil)
      let mail = draft.mail(
        .recoveryCode, to: account?.email ?? email, claim: claim.id, account: account?.id, isWanted: account != nil,
        isKnown: account.map { passwords.isKnown(requester, at: $0) } ?? false)
      guard mayCommit() else { throw .cancelled }
      switch try await Obstacle.ofStore(try await store.add(claim, mail, Stamp(now, by: requester))) {
      case .added: return .claimed(claim)
      case .requestKnown, .requestHasAccount, .invitationRejected, .outdated: throw faultOfAdding()
      }
    } catch {
      return .obstructed(error)
    }
  }

  /// Sets another password for a caller who has the code. Ends the account's sign-ins, its other open recoveries and
  /// changes of address, and the waits after wrong passwords. For the parameters see `prove`.
  package func finishRecovery(
    _ id: ClaimID, code: String, password: Password?, confirmation: Password?, language: String? = nil,
    by requester: Requester, mayCommit: @escaping @Sendable () -> Bool = { true },
    found: (AddressClaim) -> Void = { _ in }
  ) async -> ProofOutcome {
    let secret = password ?? Password(utf8: [])
    let outcome: ProofOutcome
    do throws(Obstacle) {
      if let obstacle = obstacleToRecovery { throw obstacle }
      outcome = try await recovered(id, code, secret, language, by: requester, mayCommit, found) { email in
        rules.password.problems(password: password, confirmation: confirmation, email: email.typed)
      }
    } catch {
      outcome = .obstructed(error)
    }
    if case .proven(let account) = outcome { await forgive(account, secret, by: requester) }
    return outcome
  }

  /// - Parameter problems: Returns the problems of the new password for an account with this address.
  private func recovered(
    _ id: ClaimID, _ code: String, _ password: Password, _ language: String?, by requester: Requester,
    _ mayCommit: @escaping @Sendable () -> Bool, _ found: (AddressClaim) -> Void,
    problems: (EmailAddress) -> [Problem]
  ) async throws(Obstacle) -> ProofOutcome {
    let now = time.now()
    var mayChange = FirstCommit(mayCommit)
    // Again if the claim was open a moment ago and no longer is. If another call with the same code has finished the
    // recovery, this call is a repeat of that call.
    for _ in 0..<2 {
      let claim: AddressClaim
      switch try await guess(
        id, code: code, by: requester, at: now, &mayChange, found, refusing: { $0.refusalToRecover(problems) })
      {
      case .right(let guessed): claim = guessed
      case .refused(let outcome): return outcome
      }
      let stored = try await Obstacle.ofStore(try await store.find(claim.account))
      guard let stored, stored.account.state == .active else { return .gone }
      let account = stored.account
      if claim.state == .proven {
        // a repeat with the same password gets the same answer
        let verdict = try await passwords.guess(
          password, against: stored.passwordHash, of: account.email, .account(account.id), by: requester)
        return verdict == .wrong ? .gone : .proven(account)
      }
      let turn = HashingTurn(requester.share)
      let hash = try await Obstacle.ofHasher(try await passwords.hasher.hash(password, turn))
      let draft = ClaimDraft(verification, by: requester, language: language ?? claim.language, now: now)
      var proven = account
      proven.isProven = true  // by the code
      let notice = verification.hasMail ? draft.notice(.passwordChanged, proven, about: account.id) : nil
      let recovered = try await Obstacle.ofStore(
        try await store.recover(
          id, of: account.id, to: hash, epoch: .random(), notice, Stamp(now, by: requester)))
      if let recovered { return .proven(recovered) }
    }
    return .gone
  }

  /// Ends the waits after wrong passwords at an account whose owner has set this password. From then on the requester's
  /// client (uid and origin) is known at the account.
  func forgive(_ account: Account, _ password: Password, by requester: Requester) async {
    await passwords.throttle?.forget(account: account.email.key)
    passwords.remember(password, of: account.email, account.id, from: requester)
  }
}

extension AddressClaim {
  /// The outcome if the claim admits no guess that sets another password, or nil if it admits one.
  fileprivate func refusalToRecover(_ problems: (EmailAddress) -> [Problem]) -> ProofOutcome? {
    guard kind == .recovery else { return .gone }
    // a password that breaks rules is refused before the code is compared, so it costs no attempt
    let problems = problems(email)
    return problems.isEmpty ? nil : .obstructed(.invalid(problems))
  }
}
