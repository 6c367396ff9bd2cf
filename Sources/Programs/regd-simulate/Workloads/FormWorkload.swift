internal import RegdClient

/// A form from its opening to its end, on a connection that may have other forms.
private struct Flow {
  let caller: SimulatedCaller
  let isRegistration: Bool
  let attempt: Attempt
  /// The account to sign in to, or nil without an account, as in a registration.
  let account: KnownAccount?
  let version: Int
  var form = 0
}

/// People who fill in and submit forms. Checks the notifications of the forms.
final class FormWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    for _ in 0..<chance.within(1...2) {
      let isRegistration = !chance.once(in: 3)
      let known = requests.accounts.filter {
        $0.isActive && $0.isDeleted == false && $0.isDisabled == false && $0.password != nil
      }
      let account = isRegistration || known.isEmpty ? nil : chance.one(of: known)
      let attempt =
        isRegistration || account == nil
        ? newAttempt(&chance, uid: caller.uid)
        : Attempt(email: account?.email ?? "", password: account?.password ?? "", requestId: nil, uid: caller.uid)
      var flow = Flow(
        caller: caller, isRegistration: isRegistration, attempt: Self.unnamed(attempt), account: account,
        version: account?.version ?? 0)
      var own = Chance(seed: chance.next(), purpose: 10)
      let kind = isRegistration ? "registration" : "signIn"
      ask("form.open", "{\"kind\":\"\(kind)\"}", caller, &chance) { [unowned self] end in
        guard let form = end.result?["form"]?.integer else { return }
        flow.form = form
        set(flow, &own)
      }
    }
  }

  /// The registration without its requestId, because forms have none.
  private static func unnamed(_ attempt: Attempt) -> Attempt {
    let same = Attempt(email: attempt.email, password: attempt.password, requestId: nil, uid: attempt.uid)
    same.invitation = attempt.invitation
    return same
  }

  private func set(_ flow: Flow, _ chance: inout Chance) {
    guard flow.caller.maySay else { return }
    let isWhole = !chance.once(in: 5)
    let invitation = flow.isRegistration ? flow.attempt.invitation.map { ",\"invitation\":\"\($0)\"" } ?? "" : ""
    let again = flow.isRegistration && isWhole ? ",\"passwordConfirmation\":\"\(flow.attempt.password)\"" : ""
    let password = isWhole || flow.isRegistration ? ",\"password\":\"\(flow.attempt.password)\"" : ""
    let params = "{\"form\":\(flow.form),\"email\":\"\(flow.attempt.email)\"\(password)\(again)\(invitation)}"
    var own = Chance(seed: chance.next(), purpose: 10)
    ask("form.set", params, flow.caller, &chance) { [unowned self] end in
      guard let state = end.result?["state"] else { return }
      let isEnabled = state[flow.isRegistration ? "registrationEnabled" : "signInEnabled"]?.bool ?? false
      hold(.formAlone, isWhole || !isEnabled, "a form that is not filled in is enabled: \(state.text)")
      submit(flow, isEnabled: isEnabled, &own)
    }
  }

  private func submit(_ flow: Flow, isEnabled: Bool, _ chance: inout Chance) {
    guard flow.caller.maySay else { return }
    let (before, door) = (flow.caller.notices.count, doorway)
    if flow.isRegistration {
      requests.add(flow.attempt)
      flow.attempt.doorway = doorway
      claims.asks[flow.attempt.key, default: 0] += 1
    }
    var own = Chance(seed: chance.next(), purpose: 10)
    ask("form.submit", "{\"form\":\(flow.form)}", flow.caller, &chance) { [unowned self] end in
      // a form's reply contains no account id, so the outcome counts as lost
      flow.attempt.end = if case .unsent = end { .unsent } else { .lost }
      guard let state = end.result?["state"] else { return }
      let events = flow.caller.notices[before...].filter {
        $0["method"] == "form.event" && $0["params"]?["form"]?.integer == flow.form
      }.compactMap { $0["params"] }
      let names = events.compactMap { $0["event"]?.string }
      let isSame = door.isInForce && door.generation == doorway.generation
      let whole = [["activityStarted", "activityEnded", "alert"], ["activityStarted", "activityEnded", "navigate"]]
      if isEnabled {
        hold(.formOrder, whole.contains(names) || (!isSame && names == ["alert"]), "\(names)")
      } else if isSame {
        hold(.formAlone, names == ["alert"], "\(names) of a form that is not enabled")
      }
      if let last = events.last { judge(flow, last, state, isEnabled: isEnabled) }
      guard flow.caller.maySay else { return }
      ask("form.close", "{\"form\":\(flow.form)}", flow.caller, &own) { _ in }
    }
  }

  private func judge(_ flow: Flow, _ last: JSONValue, _ state: JSONValue, isEnabled: Bool) {
    let isDone = state[flow.isRegistration ? "registered" : "signedIn"]?.bool ?? false
    let way = last["to"]?.string
    hold(.formState, isDone == (way == "welcome"), "\(last.text), and the state \(state.text)")
    hold(.formState, (state["claim"] != nil) == (way == "code"), "\(last.text), and the state \(state.text)")
    let reason = last["reason"]?.string
    if flow.isRegistration, reason == "email.taken" {
      let isShut = state["registrationEnabled"]?.bool == false
      let message = "Sorry, provided email address is already taken"
      hold(.formTaken, isShut && state["errorMessage"]?.string == message, state.text)
    }
    if let claim = state["claim"] { claimChecks.claimed(flow.attempt, claim) }
    guard isEnabled, !flow.isRegistration, let account = flow.account, account.version == flow.version,
      !account.mayShareOldAnswer, !isNoise(reason)
    else { return }
    hold(.signIn, isDone, "a form of \(account.key): \(reason ?? "no reason")")
  }
}

extension SimulatedCaller {
  /// Whether it can send further requests.
  fileprivate var maySay: Bool { isOpen && !isHalfClosed && !closesSoon && !isEnded }
}
