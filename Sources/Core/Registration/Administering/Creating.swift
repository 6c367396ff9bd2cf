/// An account that an administrator makes.
package struct AccountDraft: Sendable {
  package var email: String?
  /// The account's password. Nil makes an account without a password, whose owner cannot sign in yet.
  package var password: Password?
  package var passwordConfirmation: Password?
  package var isDisabled: Bool
  /// The version of the terms that the person has accepted elsewhere, or nil if none.
  package var terms: String?
  package var groups: Groups
  /// The display name as it was typed. Nil and "" mean none.
  package var displayName: String?

  package init(
    email: String?, password: Password?, passwordConfirmation: Password?, isDisabled: Bool = false,
    terms: String? = nil, groups: Groups = .none, displayName: String? = nil
  ) {
    (self.groups, self.displayName) = (groups, displayName)
    self.email = email
    self.password = password.flatMap { $0.isEmpty ? nil : $0 }
    self.passwordConfirmation = passwordConfirmation.flatMap { $0.isEmpty ? nil : $0 }
    self.isDisabled = isDisabled
    self.terms = terms.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Administrator {
  /// Makes an account from a draft, which must keep the rules. Needs no invitation, proof or approval, and works even
  /// while registration is closed.
  ///
  /// If there is an upstream, the account is also registered there, and the draft must have a password. If the rules
  /// have no terms to accept, the draft's `terms` are ignored.
  ///
  /// - Parameter mayCommit: Called once, before the store is changed. If it returns false, nothing is done.
  package func create(
    _ draft: AccountDraft, by requester: Requester?, mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    let registrar = registrar.value
    var draft = draft
    if registrar.rules.terms == nil { draft.terms = nil }
    do throws(Obstacle) {
      let (email, displayName) = try registrar.check(draft)
      if registrar.network != nil, let password = draft.password {
        return try await registrar.create(email, displayName, password, draft, by: requester, mayCommit: mayCommit)
      }
      var hash = PasswordHash.none
      if let password = draft.password {
        hash = try await Obstacle.ofHasher(try await hasher.hash(password, HashingTurn(requester.share)))
      }
      guard mayCommit() else { throw .cancelled }
      let now = time.now()
      let account = Account(
        id: AccountID(at: now), email: email, state: draft.isDisabled ? .disabled : .active, createdAt: now,
        updatedAt: now, terms: draft.terms.map { AcceptedTerms(version: $0, acceptedAt: now) }, isProven: false,
        groups: draft.groups, displayName: displayName)
      let stored = StoredAccount(account: account, passwordHash: hash)
      switch try await Obstacle.ofStore(try await store.insert(stored, request: nil, Stamp(now, by: requester))) {
      case .inserted: return .account(account)
      case .taken, .requestKnown, .invitationRejected, .tooManyWaiting, .releasedMeanwhile: return .taken
      }
    } catch {
      return .obstructed(error)
    }
  }
}

extension Registrar {
  fileprivate func check(_ draft: AccountDraft) throws(Obstacle) -> (EmailAddress, DisplayName?) {
    var problems: [Problem] = []
    var email: EmailAddress?
    switch rules.email.check(draft.email) {
    case .success(let address): email = address
    case .failure(let refusal): problems = refusal.problems
    }
    if draft.password != nil || draft.passwordConfirmation != nil || network != nil {
      problems += rules.password.problems(
        password: draft.password, confirmation: draft.passwordConfirmation, email: draft.email)
    }
    if let terms = rules.terms, let version = draft.terms { problems += rules.problems(accepting: version, terms) }
    let name = rules.displayName(draft.displayName)
    problems += name?.problems ?? []
    guard problems.isEmpty, let email else { throw .invalid(problems) }
    return (email, try? name?.get())
  }

  fileprivate func create(
    _ email: EmailAddress, _ name: DisplayName?, _ password: Password, _ draft: AccountDraft, by requester: Requester?,
    mayCommit: @escaping @Sendable () -> Bool
  ) async throws(Obstacle) -> AdministrationOutcome {
    let now = time.now()
    var driver = RegistrationDriver(self, email, password, by: requester, mayCommit: mayCommit)
    let outcome = await driver.run(
      RegistrationConductor(
        email: email, hasUpstream: true, mayDefer: defersWhenUnreachable, now: now,
        terms: draft.terms.map { AcceptedTerms(version: $0, acceptedAt: now) }, isDisabled: draft.isDisabled,
        groups: draft.groups, displayName: name))
    switch outcome {
    case .registered(var account):
      // the account may have been pending already, for a registration of the same address and password
      if draft.isDisabled, account.state == .active {
        let disabled = try await Obstacle.ofStore(
          try await store.setEnabled(account.id, false, epoch: .random(), Stamp(time.now(), by: requester)))
        guard let disabled else { return .notFound }
        account = disabled
      }
      return try await label(account, draft.groups, name, by: requester)
    case .deferred(let account, _): return try await label(account, draft.groups, name, by: requester)
    case .obstructed(.network(let failure), isPending: true): return .unfinished(failure)
    case .obstructed(let obstacle, _): return .obstructed(obstacle)
    case .taken, .conflict, .claimed, .claimGone, .invitationRejected: return .taken
    }
  }

  /// Gives the account the groups and the display name of its draft, if it was pending already, for a registration of the same
  /// address and password. If it would be in too many groups with those that it has, it gets neither.
  private func label(
    _ account: Account, _ groups: Groups, _ name: DisplayName?, by requester: Requester?
  ) async throws(Obstacle) -> AdministrationOutcome {
    var account = account
    let stamp = Stamp(time.now(), by: requester)
    if !groups.names.allSatisfy({ account.groups.contains($0) }) {
      switch try await Obstacle.ofStore(
        try await store.changeGroups(of: account.id, adding: groups.names, removing: [], stamp))
      {
      case .account(let changed): account = changed
      case .tooMany: return .tooManyGroups
      case .gone: return .notFound
      }
    }
    if let name, account.displayName != name {
      let changed = try await Obstacle.ofStore(
        try await store.setDisplayName(of: account.id, to: name, having: nil, stamp))
      account = changed ?? account
    }
    return .account(account)
  }
}
