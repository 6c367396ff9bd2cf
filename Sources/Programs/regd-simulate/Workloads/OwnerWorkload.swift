internal import RegdClient

/// Owners who change their accounts. Records the changes, so that later sign-ins can be checked against them.
final class OwnerWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    let known = requests.accounts.filter {
      $0.isActive && $0.isDeleted == false && $0.isDisabled == false && $0.password != nil
    }
    guard !known.isEmpty else { return }
    let account = chance.one(of: known)
    switch kind {
    case .signOut: signOut(account, isOwner: chance.once(in: 2), &chance)
    case .changePassword: changePassword(account, &chance)
    default: deleteOwn(account, &chance)
    }
  }

  /// The members `email` and `password` of a request. The password is wrong unless `isRight`.
  private func proof(_ account: KnownAccount, isRight: Bool) -> String {
    "\"email\":\"\(account.email)\",\"password\":\"\(account.password ?? "")\(isRight ? "" : "x")\""
  }

  /// Checks that regd has refused a request with a wrong password.
  private func refusedOwner(_ account: KnownAccount, _ end: Request.End, _ method: String) {
    guard case .reply = end, !isNoise(end.reason) else { return }
    hold(
      .ownersOnly, end.reason == "credentials.rejected",
      "\(method) of \(account.key) with a wrong password: \(end.reason ?? "a result")")
  }

  // MARK: Signing out

  private func signOut(_ account: KnownAccount, isOwner: Bool, _ chance: inout Chance) {
    guard let caller = caller(&chance, uid: isOwner ? nil : 0) else { return }
    let isRight = !isOwner || !chance.once(in: 4)
    let method = isOwner ? "owner.signOut" : "account.signOut"
    let params = isOwner ? "{\(proof(account, isRight: isRight))}" : "{\"id\":\"\(account.id)\"}"
    guard isRight else {
      let version = account.version
      return ask(method, params, caller, &chance) { [unowned self] end in
        if account.version == version { refusedOwner(account, end, method) }
      }
    }
    account.version += 1
    let (own, stamp) = (account.version, account.stamp)
    account.stamp = nil
    ask(method, params, caller, &chance) { [unowned self] end in
      let isAlone = account.version == own
      account.version += 1
      if account.signInsInFlight > 0 { account.mayShareOldAnswer = true }
      guard let result = end.result else {
        if case .unsent = end, isAlone { account.stamp = stamp }
        return
      }
      let new = result["stamp"]?.string
      hold(
        .signedOut, new == nil || (new != stamp && !account.oldStamps.contains(new ?? "")),
        "\(account.key): \(new ?? "")")
      if let stamp { account.oldStamps.append(stamp) }
      account.stamp = isAlone ? new : nil
    }
  }

  // MARK: Another password

  /// Changes a password from two places at once, both with the same old password: at most one change may succeed.
  private func changePassword(_ account: KnownAccount, _ chance: inout Chance) {
    let isRight = !chance.once(in: 5)
    let params = proof(account, isRight: isRight)
    let (version, old, stamp) = (account.version, account.password, account.stamp)
    let race = Race(left: chance.within(1...2))
    for number in 0..<race.left {
      guard let caller = number == 0 ? caller(&chance) : connect(&chance) else {
        race.left -= 1
        continue
      }
      // a password that the account has never had
      let new = password(20 + callers.newNumber())
      let text = "{\(params),\"newPassword\":\"\(new)\",\"newPasswordConfirmation\":\"\(new)\"}"
      if isRight, account.version == version {
        account.version += 1
        account.passwordChanges.begin()
        (account.password, account.stamp) = (nil, nil)
      }
      ask("owner.changePassword", text, caller, &chance) { [unowned self] end in
        guard isRight else {
          if account.version == version { refusedOwner(account, end, "owner.changePassword") }
          return
        }
        if account.signInsInFlight > 0 { account.mayShareOldAnswer = true }
        race.take(end, new)
        guard race.left == 0 else { return }
        // an administrator's reset that was answered meanwhile may come before or after this change, or may restore the
        // old password
        let isLast = account.passwordChanges.end(isOver: !race.isDoubtful)
        hold(
          .replacedOnce, race.changed.count < 2 || !isLast,
          "\(account.key) was given \(race.changed.count) passwords for one")
        let isAlone = account.version == version + 1 && isLast
        account.version += 1
        if !race.changed.isEmpty || race.isDoubtful { account.password = nil }
        if !race.changed.isEmpty, let stamp { account.oldStamps.append(stamp) }
        if isAlone, !race.isDoubtful {
          account.password = race.changed.first?.password ?? old
          account.stamp = race.changed.isEmpty ? stamp : race.changed.first?.stamp
        }
      }
    }
  }

  private func deleteOwn(_ account: KnownAccount, _ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    let isRight = chance.once(in: 2)
    let hasUpstream = scenario.network != .none
    let version = account.version
    if isRight, !hasUpstream {
      account.version += 1
      (account.isDeleted, account.stamp) = (nil, nil)
      claims.doubt(account.key)
    }
    let stamp = account.stamp
    ask("owner.delete", "{\(proof(account, isRight: isRight))}", caller, &chance) { [unowned self] end in
      if hasUpstream {
        guard case .reply = end, !isNoise(end.reason) else { return }
        return hold(.ownersOnly, end.reason == "feature.off", "\(account.key): \(end.reason ?? "deleted by its owner")")
      }
      guard isRight else {
        if account.version == version { refusedOwner(account, end, "owner.delete") }
        return
      }
      claims.endDoubt(account.key, isLost: end.isLost)
      account.version += 1
      guard end.result != nil else { return }
      account.isDeleted = true
      if let stamp { account.oldStamps.append(stamp) }
    }
  }
}

/// Simultaneous changes of one password, and their answers.
private final class Race {
  var left: Int
  private(set) var changed: [(password: String, stamp: String?)] = []
  /// Whether a change may have been done although its answer was lost, or was an unexpected error.
  private(set) var isDoubtful = false

  init(left: Int) { self.left = left }

  func take(_ end: Request.End, _ password: String) {
    left -= 1
    if let result = end.result {
      changed.append((password, result["stamp"]?.string))
    } else if case .unsent = end {
    } else if end.reason != "credentials.rejected" {
      isDoubtful = true
    }
  }
}
