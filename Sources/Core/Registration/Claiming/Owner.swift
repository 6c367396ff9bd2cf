/// The outcome of an owner's request.
package enum OwnerOutcome: Equatable, Sendable {
  /// The account in its present state.
  case account(Account)
  /// Everything that regd knows of the owner: the account, and a page of the audit's entries about it. `next` is the
  /// number of the page's last entry, or nil if there are no further entries. `language`: the language of the mails
  /// about an approval that is still pending.
  case exported(Account, language: String?, [AuditEntry], next: Int?)
  case deleted
  /// The password was not accepted.
  case refused(SignInRefusal)
  /// The account's registration is in flight right now.
  case pending
  case obstructed(Obstacle)
}

/// Operations for the owner of an account, who gives address and password for each. Wrong passwords count in the same
/// way as at sign-ins.
extension Registrar {
  /// The largest number of audit entries in one page of an export.
  package static let longestExport = 1000
  /// The most tries of a change, which is repeated if another call has replaced the password hash meanwhile.
  private static let tries = 3

  /// Sets another password. Ends the account's sign-ins, open recoveries and changes of address.
  package func changePassword(
    _ typed: String, _ password: Password, to new: Password?, confirmation: Password?, language: String? = nil,
    by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> OwnerOutcome {
    guard authenticator.authority == .store else { return .obstructed(.off(.passwordsOfUpstream)) }
    let problems = rules.password.problems(password: new, confirmation: confirmation, email: typed)
    guard problems.isEmpty, let new else { return .obstructed(.invalid(problems.map(\.ofChange))) }
    var mayChange = FirstCommit(mayCommit)
    var hash: PasswordHash?
    return await withOwner(typed, password, by: requester) { (owner) async throws(Obstacle) in
      let turn = HashingTurn(requester.share)
      let hashed =
        if let hash { hash } else { try await Obstacle.ofHasher(try await passwords.hasher.hash(new, turn)) }
      hash = hashed
      guard mayChange.isGranted else { throw .cancelled }
      let draft = ClaimDraft(verification, by: requester, language: language, now: time.now())
      let account = owner.account
      let notice = verification.hasMail ? draft.notice(.passwordChanged, account, about: account.id) : nil
      let stamp = Stamp(time.now(), by: requester)
      let changed = try await Obstacle.ofStore(
        try await store.changePassword(
          of: account.id, from: owner.passwordHash, to: hashed, epoch: .random(), notice, stamp))
      guard let changed else { return nil }
      await forgive(changed, new, by: requester)
      return .account(changed)
    }
  }

  /// Removes the account and everything that regd knows of its owner. Only audit entries remain, and later lose their
  /// addresses.
  package func deleteAccount(
    _ typed: String, _ password: Password, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> OwnerOutcome {
    guard network == nil else { return .obstructed(.off(.changesAtUpstream)) }
    return await withOwner(typed, password, evenWaiting: true, by: requester) { (owner) async throws(Obstacle) in
      guard await decisions.beginNext(owner.account.id) else { throw .cancelled }
      defer { decisions.giveUp(owner.account.id) }
      guard attempts.beginIfFree(owner.account.id) else { return .pending }
      defer { attempts.giveUp(owner.account.id) }
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      switch try await Obstacle.ofStore(
        try await store.delete(owner.account.id, having: owner.passwordHash, stamp))
      {
      case .deleted:
        await passwords.throttle?.forget(account: owner.account.email.key)
        return .deleted
      case .gone: return .refused(.rejected)
      case .claimed: return .pending
      case .changed: return nil
      }
    }
  }

  /// Ends all sign-ins of the account.
  package func signOut(
    _ typed: String, _ password: Password, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> OwnerOutcome {
    await withOwner(typed, password, by: requester) { (owner) async throws(Obstacle) in
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      let account = try await Obstacle.ofStore(
        try await store.signOut(owner.account.id, having: owner.passwordHash, epoch: .random(), stamp))
      return account.map { .account($0) }
    }
  }

  /// Returns the account and a page of the audit entries about it, the oldest first, both from the same moment.
  ///
  /// - Parameter after: The number after which the page begins.
  package func exportAccount(
    _ typed: String, _ password: Password, after: Int = 0, by requester: Requester
  ) async -> OwnerOutcome {
    await withOwner(typed, password, evenWaiting: true, by: requester) { (owner) async throws(Obstacle) in
      let history = try await Obstacle.ofStore(
        try await store.history(of: owner.account.id, after: after, limit: Self.longestExport + 1))
      // if the account is gone, disabled or has another password since the sign-in, the owner signs in again
      guard let history, history.account.account.state == owner.account.state,
        history.account.passwordHash == owner.passwordHash
      else { return nil }
      let page = Array(history.entries.prefix(Self.longestExport))
      let hasMore = page.count < history.entries.count
      return .exported(
        history.account.account, language: history.account.registrant?.language, page,
        next: hasMore ? page.last?.number : nil)
    }
  }

  /// Notes that the owner accepts the present terms.
  package func acceptTerms(
    _ typed: String, _ password: Password, _ version: String?, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> OwnerOutcome {
    guard let terms = rules.terms else { return .obstructed(.off(.terms)) }
    let problems = rules.problems(accepting: version, terms)
    guard problems.isEmpty else { return .obstructed(.invalid(problems)) }
    return await withOwner(typed, password, by: requester) { (owner) async throws(Obstacle) in
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      let accepted = AcceptedTerms(version: terms.version, acceptedAt: stamp.time)
      let account = try await Obstacle.ofStore(
        try await store.acceptTerms(of: owner.account.id, accepted, having: owner.passwordHash, stamp))
      return account.map { .account($0) }
    }
  }

  /// Gives the account a display name, or removes it.
  ///
  /// - Parameter displayName: The name as it was typed. Nil and "" mean none.
  package func setDisplayName(
    _ typed: String, _ password: Password, to displayName: String?, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> OwnerOutcome {
    let checked = rules.displayName(displayName)
    if let checked, case .failure(let refusal) = checked { return .obstructed(.invalid(refusal.problems)) }
    return await withOwner(typed, password, by: requester) { (owner) async throws(Obstacle) in
      guard mayCommit() else { throw .cancelled }
      let account = try await Obstacle.ofStore(
        try await store.setDisplayName(
          of: owner.account.id, to: try? checked?.get(), having: owner.passwordHash,
          Stamp(time.now(), by: requester)))
      return account.map { .account($0) }
    }
  }

  /// Requests another address for the account. The owner must prove that address first, if the configuration requires proofs.
  package func changeEmail(
    _ typed: String, _ password: Password, to newTyped: String?, language: String?, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> ClaimOutcome {
    guard network == nil else { return .obstructed(.off(.changesAtUpstream)) }
    let new: EmailAddress
    switch rules.email.check(newTyped) {
    case .success(let address): new = address
    case .failure(let refusal): return .obstructed(.invalid(refusal.problems.map(\.ofChange)))
    }
    var claimed: ClaimOutcome?
    let outcome = await withOwner(typed, password, by: requester) { (owner) async throws(Obstacle) in
      guard mayCommit() else { throw .cancelled }
      claimed = try await Obstacle.ofStore(try await changeEmail(of: owner, to: new, language, by: requester))
      if case .changed(let account) = claimed {
        // the next owner of the old address must not inherit this owner's known clients
        await passwords.throttle?.forget(account: owner.account.email.key)
        passwords.remember(password, of: account.email, account.id, from: requester)
      }
      return claimed.map { _ in .account(owner.account) }
    }
    if let claimed { return claimed }
    return ClaimOutcome(outcome)
  }

  /// - Returns: The outcome, or nil if the account has changed since the owner's password was compared.
  private func changeEmail(
    of owner: StoredAccount, to new: EmailAddress, _ language: String?, by requester: Requester
  ) async throws(StoreFailure) -> ClaimOutcome? {
    let (now, account) = (time.now(), owner.account)
    let stamp = Stamp(now, by: requester)
    let terms = verification.isRequired ? try await terms(for: new.key, at: now) : verification
    let draft = ClaimDraft(terms, by: requester, language: language, now: now)
    guard verification.isRequired else {
      let notice = verification.hasMail ? draft.notice(.emailChanged, account, about: account.id) : nil
      let answer = try await store.changeEmail(
        of: account.id, from: account.email.key, having: owner.passwordHash, to: new, proving: nil, notice, stamp)
      return switch answer {
      case .changed(let account): .changed(account.proven(in: owner.account.epoch))
      case .taken: .taken
      case .gone: nil
      }
    }
    let holder = try await store.find(new.key).flatMap { $0.account.id == account.id ? nil : $0.account }
    guard holder == nil || verification.conceals else { return .taken }
    let claim = draft.claim(
      .changeOfEmail, new, account: account.id, hash: owner.passwordHash, isDecoy: holder != nil, epoch: account.epoch)
    let mail =
      holder.map { draft.mail(.registrationTried, to: $0.email, account: $0.id) }
      ?? draft.mail(.changeCode, to: new, claim: claim.id, account: account.id)
    let answer = try await store.add(claim, mail, stamp)
    return switch answer {
    case .added, .requestKnown, .requestHasAccount, .invitationRejected: .claimed(claim)
    case .outdated: nil
    }
  }

  /// Signs the owner in, and calls `body` with the account.
  ///
  /// The hash is read before the password is compared. If the store still has this hash at the change, the account had
  /// no other hash in between, because no two hashes are equal. A call with a password that another call has replaced
  /// meanwhile therefore changes nothing.
  ///
  /// - Parameters:
  ///   - isEvenWaiting: Whether the owner of an account that waits for approval counts as signed in.
  ///   - body: Gets the account with the hash that was read. Returns nil if another call has changed the account since.
  ///     The sign-in and `body` are then repeated.
  private func withOwner(
    _ typed: String, _ password: Password, evenWaiting isEvenWaiting: Bool = false, by requester: Requester,
    _ body: (StoredAccount) async throws(Obstacle) -> OwnerOutcome?
  ) async -> OwnerOutcome {
    do throws(Obstacle) {
      let key = try? rules.email.addressOfAccount(typed).get().key
      for _ in 0..<Self.tries {
        var found: StoredAccount?
        if let key { found = try await Obstacle.ofStore(try await store.find(key)) }
        switch await signIn(email: typed, password: password, by: requester) {
        case .signedIn(let account), .refused(.waiting(let account)):
          guard isEvenWaiting || account.state != .waiting else { return .refused(.waiting(account)) }
          guard var owner = found, owner.account.id == account.id else { continue }
          owner.account = account
          if let done = try await body(owner) { return done }
        case .refused(let refusal): return .refused(refusal)
        case .obstructed(let obstacle): throw obstacle
        }
      }
      return .refused(.rejected)
    } catch {
      return .obstructed(error)
    }
  }
}

extension ClaimOutcome {
  /// The outcome for an owner who gets no claim.
  fileprivate init(_ outcome: OwnerOutcome) {
    self =
      switch outcome {
      case .refused(let refusal): .refused(refusal)
      case .pending: .refused(.pending)
      case .obstructed(let obstacle): .obstructed(obstacle)
      case .account, .exported, .deleted: .obstructed(.cancelled)
      }
  }
}
