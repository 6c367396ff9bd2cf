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
    let now = time.now()
    let stamp = Stamp(now, by: requester)
    var mayChange = FirstCommit(mayCommit)
    let conductor = ProofConductor(id, code: code, verification, by: requester, language: language, now: now)
    return await conduct(conductor, faults) { (action) async in
      switch action {
      case .guess(let action):
        return await .trying(.guess(try await done(action, by: requester, at: now, &mayChange, found)))
      case .register(let claim): return .event(.registered(await register(claim, language, by: requester)))
      case .find(let id): return await .storing(.found(try await store.find(id)))
      case .changeEmail(let id, let old, let new, let claim, let notice):
        let event = await ProofConductor.Event.storing(
          .emailChanged(
            try await store.changeEmail(of: id, from: old, having: nil, to: new, proving: claim, notice, stamp)))
        if case .emailChanged(.changed) = event { await passwords.throttle?.forget(account: old) }
        return .event(event)
      case .finish(let outcome):
        knowPlace(of: outcome, requester)
        return .finished(outcome)
      }
    }
  }

  /// After a successful proof, reports to the throttle that the owner has used the requester's user and origin, so that
  /// guesses of others do not delay the owner there.
  private func knowPlace(of outcome: ProofOutcome, _ requester: Requester) {
    switch outcome {
    case .proven(let account), .deferred(let account, _):
      passwords.rememberPlace(requester, of: account.id, at: account.email)
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
    if outcome.isOfPassword { passwords.rememberPlace(requester, of: claim.account, at: claim.email) }
    return outcome
  }
}

extension Registrar {
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

  /// Performs one action of `CodeGuessing`. For `found` see `prove`.
  func done(
    _ action: CodeGuessing.Action, by requester: Requester, at now: Timestamp, _ mayChange: inout FirstCommit,
    _ found: (AddressClaim) -> Void
  ) async throws(Obstacle) -> CodeGuessing.Event {
    switch action {
    case .findClaim(let id):
      return .foundClaim(try await find(open: id, of: requester, at: now, found))
    case .compare(let digits, let claim): return .compared(codes?.isRight(digits, for: claim) ?? false)
    case .guess(let id, let guess):
      guard mayChange.isGranted else { throw .cancelled }
      return .guessed(try await Obstacle.ofStore(try await store.guess(id, guess, Stamp(now, by: requester))))
    }
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
