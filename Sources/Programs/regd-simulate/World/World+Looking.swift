internal import CSimulation
internal import RegdClient
internal import Synchronization

extension World {
  /// Sends a request that changes nothing.
  func look(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    switch kind {
    case .signIn, .wrongSignIn: signIn(isRight: kind == .signIn, caller, &chance)
    case .checkEmail: checkEmail(caller, &chance)
    case .status, .foreignStatus: askStatus(isForeign: kind == .foreignStatus, &chance)
    case .validate: validate(caller, &chance)
    default: checkStamp(caller, &chance)
    }
  }

  // MARK: Signing in

  /// The active or disabled accounts whose passwords are known.
  var accountsToSignIn: [KnownAccount] {
    requests.accounts.filter { $0.isActive && $0.isDeleted == false && $0.password != nil && $0.isDisabled != nil }
  }

  private func signIn(isRight: Bool, _ caller: SimulatedCaller, _ chance: inout Chance) {
    let known = accountsToSignIn
    guard !known.isEmpty, isRight || chance.once(in: 2) else { return signInAsNobody(caller, &chance) }
    signIn(to: chance.one(of: known), isRight: isRight, caller, &chance)
  }

  /// - Parameter groups: Unless this is empty, the account must be in one of these groups.
  func signIn(
    to account: KnownAccount, isRight: Bool, requiring groups: [String] = [], _ caller: SimulatedCaller,
    _ chance: inout Chance
  ) {
    let (version, password, memberships) = (account.version, account.password ?? "", account.memberships)
    let mayShareOldAnswer = account.mayShareOldAnswer
    account.signInsUnderWay += 1
    let tried = isRight ? password : password + "x"
    let condition = groups.isEmpty ? "" : ",\"groups\":\(Self.list(groups))"
    let params = "{\"email\":\"\(account.email)\",\"password\":\"\(tried)\"\(condition)}"
    ask("session.signIn", params, caller, &chance) { [unowned self] end in
      guard case .reply = end else { return }
      account.signInsUnderWay -= 1
      if account.signInsUnderWay == 0 { account.mayShareOldAnswer = false }
      let isMember = account.isMember(ofOneOf: groups, since: memberships)
      if isMember == false {
        hold(
          .membersOnly, end.result?["account"]?["id"]?.string != account.id,
          "\(account.key) signs in, and is in none of \(groups)")
      }
      guard account.version == version, !mayShareOldAnswer, isTold(end) else { return }
      guard isRight else { return rejected(end, "a wrong password for \(account.key)") }
      if account.isDisabled == true {
        return hold(
          .onlyRight, end.reason == "account.disabled",
          "\(account.key): \(end.reason ?? "a result"), and it is disabled")
      }
      if isMember != true, end.reason == "group.required" { return }
      hold(
        .signIn, end.result?["account"]?["id"]?.string == account.id,
        "\(account.key): \(end.reason ?? "another account")")
      account.stamp = end.result?["stamp"]?.string ?? account.stamp
    }
  }

  private func signInAsNobody(_ caller: SimulatedCaller, _ chance: inout Chance) {
    let email = chance.once(in: 2) ? "nobody@example.com" : "no address"
    ask("session.signIn", "{\"email\":\"\(email)\",\"password\":\"\(password(9))\"}", caller, &chance) {
      [unowned self] end in
      if case .reply = end, isTold(end) { rejected(end, email) }
    }
  }

  private func rejected(_ end: Request.End, _ what: String) {
    hold(.onlyRight, end.reason == "credentials.rejected", "\(what): \(end.reason ?? "a result")")
    guard let error = end.error?.text, end.reason == "credentials.rejected" else { return }
    hold(.alike, rejection == nil || rejection == error, "\(what): \(error), and before \(rejection ?? "")")
    rejection = error
  }

  /// Whether the answer is about the account, and not about regd or its store.
  private func isTold(_ end: Request.End) -> Bool {
    guard let reason = end.reason else { return true }
    return !isNoise(reason)
  }

  private func checkStamp(_ caller: SimulatedCaller, _ chance: inout Chance) {
    let known = requests.accounts.filter { $0.stamp != nil || !$0.oldStamps.isEmpty }
    guard !known.isEmpty else { return }
    let account = chance.one(of: known)
    guard let stamp = chance.one(of: account.oldStamps + (account.stamp.map { [$0] } ?? [])) as String? else { return }
    let isOver = stamp != account.stamp
    let version = account.version
    ask("session.check", "{\"account\":\"\(account.id)\",\"stamp\":\"\(stamp)\"}", caller, &chance) {
      [unowned self] end in
      guard case .reply = end, isOver || account.version == version, isTold(end) else { return }
      hold(
        .stamps, isOver == (end.reason == "session.ended"),
        "\(account.key): \(end.reason ?? "a result"), over: \(isOver)")
    }
  }

  // MARK: Addresses and requests

  private func checkEmail(_ caller: SimulatedCaller, _ chance: inout Chance) {
    let key = address(&chance).lowercased()
    let standing = requests.standing(for: key).first { $0.isActive && $0.isDeleted == false }
    let version = standing?.version
    ask("registration.checkEmail", "[\"\(key)\"]", caller, &chance) { [unowned self] end in
      guard let available = end.result?["available"]?.bool, let standing, standing.version == version else { return }
      hold(.oneAccount, !available, "\(key) is available, and \(standing.id) has it")
    }
  }

  private func askStatus(isForeign: Bool, _ chance: inout Chance) {
    let named = requests.attempts.filter { $0.requestId != nil }
    guard !named.isEmpty else { return }
    let attempt = chance.one(of: named)
    let uid = isForeign ? attempt.uid + 100 : attempt.uid
    guard let caller = isForeign ? connect(&chance, uid: uid) : caller(&chance, uid: uid) else { return }
    let before = attempt.end
    // the reply may be read late, so only an account that was active before the request can be expected
    let standing = if case .acknowledged(let id, _) = before { requests.account(id: id) } else { KnownAccount?.none }
    let version = standing?.isActive == true ? standing?.version : nil
    ask("registration.status", "{\"requestId\":\"\(attempt.requestId ?? "")\"}", caller, &chance) {
      [unowned self] end in
      guard let state = end.result?["state"]?.string else { return }
      if isForeign {
        return hold(.ownRequestId, state == "unknown", "\(attempt.requestId ?? "") is \(state) for another user")
      }
      guard let account = standing, account.version == version, account.isDeleted == false,
        account.isDisabled == false
      else { return }
      let id = account.id
      hold(
        attempt.daemon == caller.daemon ? .sameAnswer : .shared,
        state == "active" && end.result?["account"]?["id"]?.string == id,
        "\(attempt.requestId ?? "") is \(state), and was acknowledged as \(id)")
    }
  }

  private func validate(_ caller: SimulatedCaller, _ chance: inout Chance) {
    let isGood = chance.once(in: 2)
    // regd does not report here whether an invitation is valid, so any string will do
    let invitation = scenario.admission.isInvited ? ",\"invitation\":\"a text\"" : ""
    let params =
      "{\"email\":\"\(address(&chance))\",\"password\":\"\(password(1))\",\"passwordConfirmation\":\"\(password(isGood ? 1 : 2))\"\(invitation)}"
    let before = doorway
    ask("registration.validate", params, caller, &chance) { [unowned self] end in
      guard let result = end.result, before.isInForce, before.generation == doorway.generation else { return }
      let isEmpty = result["problems"]?.array?.isEmpty == true
      let isEnabled = isGood && !before.isClosed
      hold(.validated, result["registrationEnabled"]?.bool == isEnabled && isEmpty == isGood, result.text)
    }
  }

  // MARK: Administering

  func administer(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let caller = caller(&chance, uid: 0) else { return }
    if kind == .retry { return ask("outbox.retry", "null", caller, &chance) { _ in } }
    let known = requests.accounts.filter { $0.isActive && $0.isDeleted == false && $0.isDisabled != nil }
    guard !known.isEmpty else { return }
    let account = chance.one(of: known)
    account.version += 1
    let new = password(chance.below(3))
    if kind == .delete { claims.doubt(account.key) }
    switch kind {
    case .setPassword:
      account.passwordChanges.begin()
      account.password = nil
    case .delete: account.isDeleted = nil
    default:
      account.stateChanges.begin()
      account.isDisabled = nil
    }
    // until the answer arrives, it is unknown whether the account's stamp is still valid
    defer { account.stamp = nil }
    let method = kind == .setPassword ? "account.setPassword" : "account.\(kind)"
    let more = kind == .setPassword ? ",\"password\":\"\(new)\",\"passwordConfirmation\":\"\(new)\"" : ""
    let stamp = account.stamp
    ask(method, "{\"id\":\"\(account.id)\"\(more)}", caller, &chance) { [unowned self] end in
      account.version += 1
      // a change without an answer, or in doubt, may still be done
      let isOver = !end.isLost && !end.isPending
      let isAlone =
        switch kind {
        case .setPassword: account.passwordChanges.end(isOver: isOver)
        case .delete: true
        default: account.stateChanges.end(isOver: isOver)
        }
      if kind == .delete { claims.endDoubt(account.key, isLost: end.isLost) }
      if account.signInsUnderWay > 0 { account.mayShareOldAnswer = true }
      guard end.result != nil else {
        account.stamp = nil
        return
      }
      switch kind {
      case .setPassword: account.password = isAlone ? new : nil
      case .delete: account.isDeleted = true
      default: account.isDisabled = isAlone ? kind == .disable : nil
      }
      guard kind != .enable else { return }
      account.stamp = stamp
      account.endStamps()
    }
  }
}
