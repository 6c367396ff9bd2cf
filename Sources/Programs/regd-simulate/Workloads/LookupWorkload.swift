internal import RegdClient

/// Callers who look up addresses and requests, and change nothing.
final class LookupWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    guard let caller = caller(&chance) else { return }
    switch kind {
    case .checkEmail: checkEmail(caller, &chance)
    case .validate: validate(caller, &chance)
    default: askStatus(isForeign: kind == .foreignStatus, &chance)
    }
  }

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
}
