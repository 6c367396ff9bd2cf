/// What came of an owner's request.
package enum OwnerOutcome: Equatable, Sendable {
  /// The account as it is now.
  case account(Account)
  /// All that regd knows of its owner.
  case exported(Account, [AuditEntry])
  case deleted
  /// The new password breaks rules.
  case invalid([Problem])
  /// The password was not accepted.
  case refused(SignInOutcome)
  /// The registration is under way in this moment.
  case pending
  case cancelled
  case hashing(HashingFailure)
  case store(StoreFailure)
  case off(Feature)
}

/// What the owner of an account may do, by address and password. Wrong passwords count as those of sign-ins.
extension Registrar {
  /// How many entries of the audit an export has at most: the latest.
  package static let longestExport = 1000
  /// A change by the owner is tried so often, if the hash was replaced meanwhile.
  private static let tries = 3

  /// Sets another password. All recoveries of the account end.
  package func changePassword(
    _ typed: String, _ password: Password, to new: Password?, confirmation: Password?, language: String? = nil,
    by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> OwnerOutcome {
    guard authenticator.authority == .store else { return .off(.passwordsOfUpstream) }
    let problems = rules.password.problems(password: new, confirmation: confirmation, email: typed)
    guard problems.isEmpty, let new else { return .invalid(problems.map(\.ofChange)) }
    var mayChange = FirstCommit(mayCommit)
    var hash: PasswordHash?
    return await withOwner(typed, password, by: requester) { (owner) async throws(OwnerFailure) in
      let hashed: PasswordHash
      if let hash {
        hashed = hash
      } else {
        do throws(HashingFailure) { hashed = try await passwords.hasher.hash(new, HashingTurn(requester.share)) } catch
        {
          throw .hashing(error)
        }
        hash = hashed
      }
      guard mayChange.isGranted else { return .cancelled }
      let draft = ClaimDraft(verification, by: requester, language: language, now: time.now())
      let account = owner.account
      let notice = verification.hasMail ? draft.mail(.passwordChanged, to: account.email, account: account.id) : nil
      let stamp = Stamp(time.now(), by: requester)
      let changed: Account?
      do throws(StoreFailure) {
        changed = try await store.changePassword(of: account.id, from: owner.passwordHash, to: hashed, notice, stamp)
      } catch { throw .store(error) }
      guard let changed else { return nil }
      mailed()
      await forgive(changed, new, by: requester)
      return .account(changed)
    }
  }

  /// Removes the account, and all that regd knows of its owner but what was done to which id.
  package func deleteAccount(
    _ typed: String, _ password: Password, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> OwnerOutcome {
    guard network == nil else { return .off(.changesAtUpstream) }
    return await withOwner(typed, password, by: requester) { (owner) async throws(OwnerFailure) in
      guard attempts.beginIfFree(owner.account.id) else { return .pending }
      defer { attempts.giveUp(owner.account.id) }
      guard mayCommit() else { return .cancelled }
      let answer: DeleteAnswer
      do throws(StoreFailure) {
        answer = try await store.delete(
          owner.account.id, having: owner.passwordHash, Stamp(time.now(), by: requester))
      } catch { throw .store(error) }
      switch answer {
      case .deleted:
        await passwords.throttle?.forget(account: owner.account.email.key)
        return .deleted
      case .gone: return .refused(.rejected)
      case .claimed: return .pending
      case .changed: return nil
      }
    }
  }

  /// Gives the account and what was done to it, both as they were at one time.
  package func exportAccount(
    _ typed: String, _ password: Password, by requester: Requester
  ) async -> OwnerOutcome {
    await withOwner(typed, password, by: requester) { (owner) async throws(OwnerFailure) in
      let history: AccountHistory?
      do throws(StoreFailure) {
        history = try await store.history(of: owner.account.id, limit: Self.longestExport)
      } catch { throw .store(error) }
      // one that has changed since the sign-in may be disabled, or have another password: another sign-in tells
      guard let history, history.account.account == owner.account, history.account.passwordHash == owner.passwordHash
      else { return nil }
      return .exported(owner.account, history.entries)
    }
  }

  /// Asks for another address: it is proven first, unless no proof of addresses is asked for.
  package func changeEmail(
    _ typed: String, _ password: Password, to newTyped: String?, language: String?, by requester: Requester,
    mayCommit: @escaping @Sendable () -> Bool = { true }
  ) async -> ClaimOutcome {
    guard network == nil else { return .off(.changesAtUpstream) }
    let new: EmailAddress
    switch rules.email.check(newTyped) {
    case .success(let address): new = address
    case .failure(let refusal): return .invalid(refusal.problems.map(\.ofChange))
    }
    var claimed: ClaimOutcome?
    let outcome = await withOwner(typed, password, by: requester) { (owner) async throws(OwnerFailure) in
      guard mayCommit() else { return .cancelled }
      do throws(StoreFailure) {
        claimed = try await changeEmail(of: owner, to: new, language, by: requester)
        if case .changed(let account) = claimed {
          // whoever gets the old address is not at this owner's places
          await passwords.throttle?.forget(account: owner.account.email.key)
          passwords.remember(password, of: account.email, account.id, from: requester)
        }
      } catch { throw .store(error) }
      return claimed.map { _ in .account(owner.account) }
    }
    if let claimed { return claimed }
    return ClaimOutcome(outcome)
  }

  /// - Returns: Nil if the account has changed since the owner has shown its password.
  private func changeEmail(
    of owner: StoredAccount, to new: EmailAddress, _ language: String?, by requester: Requester
  ) async throws(StoreFailure) -> ClaimOutcome? {
    let (now, account) = (time.now(), owner.account)
    let stamp = Stamp(now, by: requester)
    let terms = verification.isRequired ? try await terms(for: new.key, at: now) : verification
    let draft = ClaimDraft(terms, by: requester, language: language, now: now)
    guard verification.isRequired else {
      let notice = verification.hasMail ? draft.mail(.emailChanged, to: account.email, account: account.id) : nil
      let answer = try await store.changeEmail(
        of: account.id, from: account.email.key, having: owner.passwordHash, to: new, proving: nil, notice, stamp)
      mailed()
      return switch answer {
      case .changed(let account): .changed(account)
      case .taken: .taken
      case .gone: nil
      }
    }
    let holder = try await store.find(new.key).flatMap { $0.account.id == account.id ? nil : $0.account }
    guard holder == nil || verification.conceals else { return .taken }
    let claim = draft.claim(
      .changeOfEmail, new, account: account.id, hash: owner.passwordHash, isDecoy: holder != nil)
    let mail =
      holder.map { draft.mail(.registrationTried, to: $0.email, account: $0.id) }
      ?? draft.mail(.changeCode, to: new, claim: claim.id, account: account.id)
    let answer = try await store.add(claim, mail, stamp)
    mailed()
    return switch answer {
    case .added, .requestKnown, .requestHasAccount: .claimed(claim)
    case .outdated: nil
    }
  }

  /// Signs the owner in, and does something with the account.
  ///
  /// The hash is read before the password is compared: where the store still has that one at the change, it had no other in between,
  /// for no two hashes are alike. So a password that another call has replaced meanwhile changes nothing any more.
  ///
  /// - Parameter body: Its account has the hash that a change is to compare with. Nil where another call was first; then all of it is
  ///   done again.
  private func withOwner(
    _ typed: String, _ password: Password, by requester: Requester,
    _ body: (StoredAccount) async throws(OwnerFailure) -> OwnerOutcome?
  ) async -> OwnerOutcome {
    do throws(OwnerFailure) {
      let key = try? rules.email.addressOfAccount(typed).get().key
      for _ in 0..<Self.tries {
        var found: StoredAccount?
        do throws(StoreFailure) { if let key { found = try await store.find(key) } } catch { throw .store(error) }
        let outcome = await signIn(email: typed, password: password, by: requester)
        guard case .signedIn(let account) = outcome else { return .refused(outcome) }
        guard var owner = found, owner.account.id == account.id else { continue }
        owner.account = account
        if let done = try await body(owner) { return done }
      }
      return .refused(.rejected)
    } catch {
      return switch error {
      case .hashing(let failure): .hashing(failure)
      case .store(let failure): .store(failure)
      }
    }
  }
}

private enum OwnerFailure: Error {
  case hashing(HashingFailure)
  case store(StoreFailure)
}

extension ClaimOutcome {
  /// Of an owner who gets no claim.
  fileprivate init(_ outcome: OwnerOutcome) {
    self =
      switch outcome {
      case .refused(let signIn): .refused(signIn)
      case .store(let failure): .store(failure)
      case .invalid(let problems): .invalid(problems)
      case .off(let feature): .off(feature)
      case .pending: .refused(.pending)
      case .hashing(let failure): .refused(.hashing(failure))
      case .cancelled, .account, .exported, .deleted: .cancelled
      }
  }
}
