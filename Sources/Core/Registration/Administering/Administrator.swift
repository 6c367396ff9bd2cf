/// Which account is meant.
package enum AccountReference: Sendable {
  case id(AccountID)
  /// As it was typed.
  case email(String)
}

/// What came of what an administrator wanted.
package enum AdministrationOutcome: Equatable, Sendable {
  /// The account as it is now.
  case account(Account)
  case deleted
  /// The address is none, or the new password breaks rules.
  case invalid([Problem])
  case notFound
  /// Its registration is not complete: it can be neither enabled nor disabled, nor given another password, nor deleted while
  /// it is under way.
  case pending
  /// Nobody wanted it any more, before anything was done.
  case cancelled
  case hashing(HashingFailure)
  case store(StoreFailure)
}

/// Does what administrators may, on the ports it was given.
package struct Administrator: Sendable {
  let rules: RegistrationRules
  let store: any AccountStore
  private let hasher: any PasswordHasher
  let time: any TimeSource
  /// Told of an account whose wrong passwords do not count any more.
  private let forgive: @Sendable (EmailKey) -> Void
  /// Registrations that are under way here: the upstream may have one of them in a moment.
  private let attempts: Attempts<RegistrationOutcome>
  /// Where is noted that there is something for the outbox.
  let pendings: LeftPending?

  /// - Parameters:
  ///   - registrar: Whose registrations are under way.
  ///   - pendings: Where is noted that there is something for the outbox.
  package init(
    rules: RegistrationRules, store: any AccountStore, hasher: any PasswordHasher, time: any TimeSource,
    forgive: @escaping @Sendable (EmailKey) -> Void, registrar: Registrar, pendings: LeftPending? = nil
  ) {
    attempts = registrar.attempts
    self.pendings = pendings
    self.rules = rules
    self.store = store
    self.hasher = hasher
    self.time = time
    self.forgive = forgive
  }

  package func account(_ who: AccountReference) async -> AdministrationOutcome {
    await with(who) { account in .account(account) }
  }

  /// - Parameters:
  ///   - requester: Who asks, for the audit.
  ///   - mayCommit: Asked once, before the store is changed; with false nothing is done.
  package func setEnabled(
    _ who: AccountReference, _ isEnabled: Bool, by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { account in
      guard mayCommit() else { return .cancelled }
      let stamp = Stamp(time.now(), by: requester)
      return await attempt { () async throws(StoreFailure) in
        guard let account = try await store.setEnabled(account.id, isEnabled, stamp) else { return .notFound }
        forgive(account.email.key)
        return account.state == .pending ? .pending : .account(account)
      }
    }
  }

  package func delete(
    _ who: AccountReference, by requester: Requester?, mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { account in
      // from here on nobody asks the upstream for it
      guard attempts.beginIfFree(account.id) else { return .pending }
      defer { attempts.giveUp(account.id) }
      guard mayCommit() else { return .cancelled }
      return await attempt { () async throws(StoreFailure) in
        let isDeleted = try await store.delete(account.id, Stamp(time.now(), by: requester))
        forgive(account.email.key)
        return isDeleted ? .deleted : .notFound
      }
    }
  }

  /// Sets another password, which has to keep the rules for new ones.
  package func setPassword(
    _ who: AccountReference, _ password: Password?, confirmation: Password?, by requester: Requester?,
    mayCommit: @Sendable () -> Bool = { true }
  ) async -> AdministrationOutcome {
    await with(who) { account in
      // what the upstream is asked for under one id must stay the same
      guard account.state != .pending else { return .pending }
      let problems = rules.password.problems(
        password: password, confirmation: confirmation, email: account.email.typed)
      guard problems.isEmpty, let password else { return .invalid(problems) }
      let hash: PasswordHash
      do throws(HashingFailure) { hash = try await hasher.hash(password, HashingTurn(requester.share)) } catch {
        return .hashing(error)
      }
      guard mayCommit() else { return .cancelled }
      return await attempt { () async throws(StoreFailure) in
        let changed = try await store.setPassword(of: account.id, to: hash, Stamp(time.now(), by: requester))
        forgive(account.email.key)
        return changed.map { .account($0) } ?? .notFound
      }
    }
  }

  /// Finds the account, and does something with it.
  private func with(
    _ who: AccountReference, _ body: (Account) async -> AdministrationOutcome
  ) async -> AdministrationOutcome {
    let found: StoredAccount?
    do throws(StoreFailure) {
      switch who {
      case .id(let id): found = try await store.find(id)
      case .email(let typed):
        switch rules.email.addressOfAccount(typed) {
        case .success(let address): found = try await store.find(address.key)
        case .failure(let refusal): return .invalid(refusal.problems)
        }
      }
    } catch {
      return .store(error)
    }
    guard let found else { return .notFound }
    return await body(found.account)
  }

  private func attempt(
    _ body: () async throws(StoreFailure) -> AdministrationOutcome
  ) async -> AdministrationOutcome {
    do { return try await body() } catch { return .store(error) }
  }
}

/// A part of a list, and whether there is more.
package struct Page<Element: Sendable>: Sendable {
  package let elements: [Element]
  package let hasMore: Bool
}

extension Administrator {
  /// Accounts with their hashes, in the order of their ids.
  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> Page<StoredAccount> {
    let found = try await store.list(after: after, limit: limit + 1)
    return Page(elements: Array(found.prefix(limit)), hasMore: found.count > limit)
  }

  /// What was changed, in its order.
  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> Page<AuditEntry> {
    let found = try await store.audit(after: after, limit: limit + 1)
    return Page(elements: Array(found.prefix(limit)), hasMore: found.count > limit)
  }
}
