internal import RegdClient

/// People who sign in with correct and incorrect passwords, and front ends that check stamps.
final class SignInWorkload: Workload {
  let oracle: Oracle
  let callers: Callers
  /// The error that all wrong passwords got so far, or nil before the first.
  private var rejection: String?

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    switch kind {
    case .signIn, .wrongSignIn: signIn(isRight: kind == .signIn, caller, &chance)
    default: checkStamp(caller, &chance)
    }
  }

  private func signIn(isRight: Bool, _ caller: SimulatedCaller, _ chance: inout Chance) {
    let known = requests.accountsToSignIn
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
    account.signInsInFlight += 1
    let tried = isRight ? password : password + "x"
    let condition = groups.isEmpty ? "" : ",\"groups\":\(GroupWorkload.list(groups))"
    let params = "{\"email\":\"\(account.email)\",\"password\":\"\(tried)\"\(condition)}"
    ask("session.signIn", params, caller, &chance) { [unowned self] end in
      guard case .reply = end else { return }
      account.signInsInFlight -= 1
      if account.signInsInFlight == 0 { account.mayShareOldAnswer = false }
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
}
