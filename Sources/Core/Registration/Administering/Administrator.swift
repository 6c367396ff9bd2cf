/// How an administrator names an account.
package enum AccountReference: Sendable {
  case id(AccountID)
  /// The address as it was typed.
  case email(String)
}

/// The outcome of an administrator's request.
package enum AdministrationOutcome: Equatable, Sendable {
  /// The account in its present state.
  case account(Account)
  case deleted
  case notFound
  /// Another account has the address.
  case taken
  /// The account waits for approval, and is not changed.
  case waiting
  /// The account would be in more than `Groups.most` groups. Its groups remain as they are.
  case tooManyGroups
  /// The account is pending, because the upstream may have registered it. regd asks the upstream again.
  case unfinished(NetworkFailure)
  /// The account's registration is not complete, so no administrator can enable or disable the account, or set its
  /// password. While the registration is in flight, no administrator can approve or delete the account either.
  case pending
  case obstructed(Obstacle)
}

/// Reads and changes accounts for administrators, through the given ports.
package struct Administrator: Sendable {
  let registrar: Reloadable<Registrar>
  let store: Accounts
  let hasher: any PasswordHasher
  let hashes: any PasswordHashReader
  let time: any TimeSource
  let forgive: @Sendable (EmailKey) async -> Void
  let pendings: OutboxInbox?

  /// - Parameters:
  ///   - hashes: Accepts or refuses the hashes of imported accounts.
  ///   - forgive: Makes the throttle forget the wrong passwords that were tried at an account.
  ///   - registrar: Has the rules, and knows the registrations in flight, whose accounts cannot be deleted.
  ///   - pendings: The outbox's inbox, to which imported pending accounts are reported.
  package init(
    store: Accounts, hasher: any PasswordHasher, hashes: any PasswordHashReader, time: any TimeSource,
    forgive: @escaping @Sendable (EmailKey) async -> Void, registrar: Reloadable<Registrar>,
    pendings: OutboxInbox? = nil
  ) {
    self.registrar = registrar
    self.pendings = pendings
    self.store = store
    self.hasher = hasher
    self.hashes = hashes
    self.time = time
    self.forgive = forgive
  }

  /// The rules in force. Each operation reads them once.
  var rules: RegistrationRules { registrar.with { $0.rules } }
  /// The registrations in flight in this process. The upstream may register one of them at any moment.
  private var attempts: SingleFlight<AccountID, RegistrationOutcome> { registrar.with { $0.attempts } }
  private var decisions: SingleFlight<AccountID, Never> { registrar.with { $0.decisions } }

  package func account(_ who: AccountReference) async -> AdministrationOutcome {
    await with(who) { .account($0) }
  }

  /// Makes a disabled account active, or disables an active one, which ends its sign-ins.
  ///
  /// - Parameter mayCommit: Called once, before the store is changed. If it returns false, nothing is done.
  package func setEnabled(
    _ who: AccountReference, _ isEnabled: Bool, by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { (account) async throws(Obstacle) in
      guard account.state != .waiting else { return .waiting }
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      let changed = try await Obstacle.ofStore(
        try await store.setEnabled(account.id, isEnabled, epoch: .random(), stamp))
      guard let account = changed else { return .notFound }
      await forgive(account.email.key)
      return account.state == .pending ? .pending : .account(account)
    }
  }

  /// Ends all sign-ins of an account.
  package func signOut(
    _ who: AccountReference, by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { (account) async throws(Obstacle) in
      // there is no stamp of an account that was never active
      guard account.state != .waiting else { return .waiting }
      guard account.state != .pending else { return .pending }
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      let changed = try await Obstacle.ofStore(
        try await store.signOut(account.id, having: nil, epoch: .random(), stamp))
      return changed.map { .account($0) } ?? .notFound
    }
  }

  package func delete(
    _ who: AccountReference, by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { (account) async throws(Obstacle) in
      guard await decisions.beginNext(account.id) else { throw .cancelled }
      defer { decisions.giveUp(account.id) }
      // from here on, neither a registration nor a delivery asks the upstream for the account
      guard attempts.beginIfFree(account.id) else { return .pending }
      defer { attempts.giveUp(account.id) }
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      let answer = try await Obstacle.ofStore(try await store.delete(account.id, stamp))
      await forgive(account.email.key)
      return switch answer {
      case .deleted: .deleted
      case .gone, .changed: .notFound
      case .claimed: .pending
      }
    }
  }

  /// Sets another password, which must keep the rules for new passwords.
  package func setPassword(
    _ who: AccountReference, _ password: Password?, confirmation: Password?, by requester: Requester?,
    mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { (account) async throws(Obstacle) in
      // regd must send the upstream the same hash in every request under one id
      guard account.state != .pending else { return .pending }
      guard account.state != .waiting else { return .waiting }
      let problems = rules.password.problems(
        password: password, confirmation: confirmation, email: account.email.typed)
      guard problems.isEmpty, let password else { throw .invalid(problems) }
      let hash = try await Obstacle.ofHasher(try await hasher.hash(password, HashingTurn(requester.share)))
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      let changed = try await Obstacle.ofStore(
        try await store.setPassword(of: account.id, to: hash, epoch: .random(), stamp))
      await forgive(account.email.key)
      return changed.map { .account($0) } ?? .notFound
    }
  }

  /// Adds an account to groups and removes it from others.
  package func changeGroups(
    _ who: AccountReference, adding added: [GroupName] = [], removing removed: [GroupName] = [],
    by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { (account) async throws(Obstacle) in
      guard mayCommit() else { throw .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      return
        switch try await Obstacle.ofStore(
          try await store.changeGroups(of: account.id, adding: added, removing: removed, stamp))
      {
      case .account(let account): .account(account)
      case .tooMany: .tooManyGroups
      case .gone: .notFound
      }
    }
  }

  /// Gives an account a display name, or removes it.
  ///
  /// - Parameter displayName: The name as it was typed. Nil and "" mean none.
  package func setDisplayName(
    _ who: AccountReference, to displayName: String?, by requester: Requester?,
    mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    let checked = rules.displayName(displayName)
    if let checked, case .failure(let refusal) = checked { return .obstructed(.invalid(refusal.problems)) }
    return await with(who) { (account) async throws(Obstacle) in
      guard mayCommit() else { throw .cancelled }
      let changed = try await Obstacle.ofStore(
        try await store.setDisplayName(
          of: account.id, to: try? checked?.get(), having: nil, Stamp(time.now(), by: requester)))
      return changed.map { .account($0) } ?? .notFound
    }
  }

  /// The account, or nil if there is none.
  package func find(_ who: AccountReference) async throws(Obstacle) -> Account? {
    let found: StoredAccount?
    switch who {
    case .id(let id): found = try await Obstacle.ofStore(try await store.find(id))
    case .email(let typed):
      switch rules.email.addressOfAccount(typed) {
      case .success(let address): found = try await Obstacle.ofStore(try await store.find(address.key))
      case .failure(let refusal): throw .invalid(refusal.problems)
      }
    }
    return found?.account
  }

  /// Finds the account and passes it to `body`.
  func with(
    _ who: AccountReference, _ body: (Account) async throws(Obstacle) -> AdministrationOutcome
  ) async -> AdministrationOutcome {
    do throws(Obstacle) {
      guard let found = try await find(who) else { return .notFound }
      return try await body(found)
    } catch {
      return .obstructed(error)
    }
  }
}
