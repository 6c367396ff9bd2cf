extension Registrar {
  /// Proves a claim by its code, and then makes the claim's account, or gives the account its new address.
  ///
  /// - Parameters:
  ///   - language: The language of the mail that follows, or nil for the claim's language.
  ///   - mayCommit: Called once, before the first change of the store. If it returns false, nothing is done.
  ///   - found: Called with the claim, if the claim is the caller's.
  package func prove(
    _ id: ClaimID, code: String, language: String? = nil, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }, found: (AddressClaim) -> Void = { _ in }
  ) async -> ProofOutcome {
    let outcome = await proof(
      of: id, code: code, language: language, by: requester, mayCommit: mayCommit, found: found,
      registering: { await register($0, language, by: requester) })
    rememberClient(of: outcome, requester)
    return outcome
  }

  /// Does what `prove` does, but registers no account itself.
  ///
  /// - Parameter register: Registers the account of a claim whose code was right.
  func proof(
    of id: ClaimID, code: String, language: String? = nil, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }, found: (AddressClaim) -> Void = { _ in },
    registering register: (AddressClaim) async -> RegistrationOutcome
  ) async -> ProofOutcome {
    do throws(Obstacle) {
      let now = time.now()
      var mayChange = FirstCommit(mayCommit)
      // Again if the claim was open a moment ago and no longer is. If another call with the same code has changed the
      // address, this call is a repeat of that call.
      for _ in 0..<2 {
        let claim: AddressClaim
        switch try await guess(
          id, code: code, by: requester, at: now, &mayChange, found, refusing: { refusal(toProve: $0) })
        {
        case .right(let guessed): claim = guessed
        case .refused(let outcome): return outcome
        }
        switch (claim.state, claim.kind) {
        case (.open, .registration): return ProofOutcome(await register(claim))
        case (.open, .changeOfEmail):
          if let outcome = try await changedEmail(by: claim, language, requester, at: now) { return outcome }
        case (.proven, .registration), (.proven, .changeOfEmail):
          let stored = try await Obstacle.ofStore(try await store.find(claim.account))
          return stored.map { ProofOutcome.proven($0.account, by: claim) } ?? .gone
        case (.taken, _): return .taken
        case (.decoy, _), (_, .recovery): return .gone
        }
      }
      return .gone
    } catch {
      return .obstructed(error)
    }
  }

  /// The outcome if the claim admits no guess that proves it, or nil if it admits one.
  private func refusal(toProve claim: AddressClaim) -> ProofOutcome? {
    if claim.kind == .recovery { return .gone }
    // if callers must not learn that the address is taken, only a caller with the right code learns it
    return claim.state == .taken && !verification.conceals ? .taken : nil
  }

  /// Gives the claim's account its new address.
  ///
  /// - Returns: Nil if the claim is no longer open, or the account has changed meanwhile.
  private func changedEmail(
    by claim: AddressClaim, _ language: String?, _ requester: Requester, at now: Timestamp
  ) async throws(Obstacle) -> ProofOutcome? {
    let stored = try await Obstacle.ofStore(try await store.find(claim.account))
    guard let account = stored?.account, account.state == .active else { return .gone }
    let draft = ClaimDraft(verification, by: requester, language: language ?? claim.language, now: now)
    let notice = verification.hasMail ? draft.notice(.emailChanged, account, about: account.id) : nil
    let answer = try await Obstacle.ofStore(
      try await store.changeEmail(
        of: account.id, from: account.email.key, having: nil, to: claim.email, proving: claim.id, notice,
        Stamp(now, by: requester)))
    switch answer {
    case .changed(let changed):
      await passwords.throttle?.forget(account: account.email.key)
      return .proven(changed, by: claim)
    case .taken: return .taken
    case .gone: return nil
    }
  }

  /// After a successful proof, reports to the throttle that the owner has used the requester's user and origin, so that
  /// guesses of others do not delay the owner there.
  private func rememberClient(of outcome: ProofOutcome, _ requester: Requester) {
    switch outcome {
    case .proven(let account), .deferred(let account, _):
      passwords.rememberClient(requester, of: account.id, at: account.email)
    case .codeRejected, .gone, .taken, .obstructed: break
    }
  }

  /// Registers the account of a claim whose code was right.
  private func register(
    _ claim: AddressClaim, _ language: String?, by requester: Requester
  ) async -> RegistrationOutcome {
    var groups = Groups.none
    if let id = claim.invitation {
      do { groups = try await store.find(invitation: id)?.groups ?? .none } catch { return .obstructed(.store(error)) }
    }
    let conductor = RegistrationConductor(
      proving: claim, hasUpstream: network != nil, mayDefer: defersWhenUnreachable, now: time.now(),
      needsApproval: admission.needsApproval(claim.email, isInvited: claim.invitation != nil), groups: groups)
    guard let conductor else { return .claimGone }
    var driver = RegistrationDriver(
      self, claim.email, nil, language: language ?? claim.language, by: requester, mayCommit: { true })
    let outcome = await driver.run(conductor)
    // the code was right, so the owner is here, even if the upstream's answer is still to be found out
    if outcome.isOfPassword { passwords.rememberClient(requester, of: claim.account, at: claim.email) }
    return outcome
  }

  /// Looks up the claim. For the caller's own claim, throws `closed` if the claim would make an account while
  /// registration is closed. Throws `off` if the claim was made to change an address, but since a reload there is an
  /// upstream, which also keeps the address. A decoy is refused like an open claim, because the caller must not be able
  /// to distinguish them.
  func find(
    open id: ClaimID, of requester: Requester, at now: Timestamp, _ found: (AddressClaim) -> Void
  ) async throws(Obstacle) -> AddressClaim? {
    let claim = try await Obstacle.ofStore(try await find(id, of: requester, at: now, found))
    if let claim, claim.uid == requester.uid, claim.kind == .changeOfEmail, claim.state != .proven,
      network != nil
    {
      throw .off(.changesAtUpstream)
    }
    if let claim, claim.uid == requester.uid, try await Obstacle.ofStore(try await isClosed(to: claim)) {
      throw .closed
    }
    return claim
  }

  /// Looks up the claim, and calls `found` with it if it is the caller's claim and not hidden.
  func find(
    _ id: ClaimID, of requester: Requester, at now: Timestamp, _ found: (AddressClaim) -> Void
  ) async throws(StoreFailure) -> AddressClaim? {
    let claim = try await store.find(id, at: now)
    // the claim's language in the reply would reveal that a hidden claim exists
    if let claim, claim.uid == requester.uid, !claim.isHidden { found(claim) }
    return claim
  }

  /// The settings for a new code for this address. The code is long while many wrong codes are tried, at this address
  /// or over all addresses.
  func terms(for key: EmailKey, at now: Timestamp) async throws(StoreFailure) -> VerificationTerms {
    var terms = verification
    let limit = CodeBounds.perAddress(terms.attempts)
    let wrong = try await store.wrongCodes(at: key, limit: limit, now)
    if wrong.makeLong(terms.attempts) { terms.digits = CodeBounds.longDigits }
    return terms
  }
}

/// The outcome of `claim.prove` or `recovery.finish`, in which a caller guesses a code.
package enum ProofOutcome: ObstructibleOutcome, Equatable, Sendable {
  /// The account in its present state, but with the session epoch of the proof. If a proof is repeated, that epoch may
  /// have ended already.
  case proven(Account)
  /// The account is pending, because the upstream could not be reached. regd will deliver it.
  case deferred(Account, NetworkFailure)
  /// `attemptsLeft` is 0 if the claim has ended. If `isVerified`, the requester has already proven the claim with its
  /// correct code.
  case codeRejected(attemptsLeft: Int, isVerified: Bool = false)
  /// The requester's user has no such claim, or the claim has ended.
  case gone
  /// Another account has the address.
  case taken
  /// If `isPending`, the registration may have taken place. The claim may be proven again, unless the upstream has
  /// rejected the registration.
  case obstructed(Obstacle, isPending: Bool = false)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle, _) = self { obstacle } else { nil } }

  init(_ outcome: RegistrationOutcome) {
    self =
      switch outcome {
      case .registered(let account): .proven(account.proven(in: .first))
      case .deferred(let account, let failure): .deferred(account, failure)
      case .taken, .conflict: .taken
      case .claimGone, .claimed, .invitationRejected: .gone
      case .obstructed(let obstacle, let isPending): .obstructed(obstacle, isPending: isPending)
      }
  }
}

extension ProofOutcome {
  fileprivate static func proven(_ account: Account, by claim: AddressClaim) -> ProofOutcome {
    .proven(account.proven(in: claim.kind == .changeOfEmail ? claim.epoch : .first))
  }
}

/// The outcome of `recovery.start`, `claim.resend` or `owner.changeEmail`, which request a claim or its mail.
package enum ClaimOutcome: ObstructibleOutcome, Equatable, Sendable {
  case claimed(AddressClaim)
  /// No proof was required. The account already has the address.
  case changed(Account)
  /// Another account has the address.
  case taken
  case gone
  /// A mail for this claim was requested a moment ago.
  case tooSoon(retryAfterSeconds: Int)
  /// The owner's password was not accepted.
  case refused(SignInRefusal)
  case obstructed(Obstacle)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle) = self { obstacle } else { nil } }
}
