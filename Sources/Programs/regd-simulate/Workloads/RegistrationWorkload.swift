internal import RegdClient

/// Callers who register, and repeat their registrations.
final class RegistrationWorkload: Workload {
  let oracle: Oracle
  let callers: Callers

  init(_ callers: Callers) { (self.callers, oracle) = (callers, callers.oracle) }

  func act(_ kind: Action.Kind, _ chance: inout Chance) {
    switch kind {
    case .again:
      let before = requests.attempts.filter { $0.end != .unsent }
      guard !before.isEmpty else { return }
      let first = chance.one(of: before)
      tally.met(first.end == .open ? .repeatInFlight : .repeated)
      guard let caller = caller(&chance, uid: first.uid) else { return }
      let again = Attempt(email: first.email, password: first.password, requestId: first.requestId, uid: first.uid)
      again.invitation = first.invitation
      register(again, caller, &chance)
    case .otherwise:
      // the requestId of another registration, with another address or password
      let before = requests.attempts.filter { $0.requestId != nil }
      guard !before.isEmpty else { return }
      let first = chance.one(of: before)
      guard let caller = caller(&chance, uid: first.uid) else { return }
      let isOtherPassword = chance.once(in: 2)
      let other = Attempt(
        email: isOtherPassword ? first.email : address(&chance),
        password: isOtherPassword ? password(chance.below(3)) : first.password, requestId: first.requestId,
        uid: first.uid)
      other.invitation = first.invitation
      register(other, caller, &chance)
    case .registerBatch:
      guard let caller = caller(&chance) else { return }
      var texts: [String] = []
      for _ in 0..<chance.within(1...5) {
        texts.append(registration(newAttempt(&chance, uid: caller.uid), caller, &chance))
      }
      callers.sayBatch(texts, caller, &chance)
    default:
      guard let caller = caller(&chance) else { return }
      register(newAttempt(&chance, uid: caller.uid), caller, &chance)
    }
  }

  private func register(_ attempt: Attempt, _ caller: SimulatedCaller, _ chance: inout Chance) {
    say(registration(attempt, caller, &chance), caller, &chance)
  }

  private func registration(_ attempt: Attempt, _ caller: SimulatedCaller, _ chance: inout Chance) -> String {
    requests.add(attempt)
    (attempt.doorway, attempt.daemon) = (doorway, caller.daemon)
    claims.asks[attempt.key, default: 0] += 1
    var params =
      "{\"email\":\"\(attempt.email)\",\"password\":\"\(attempt.password)\",\"passwordConfirmation\":\"\(attempt.password)\""
    if let requestId = attempt.requestId { params += ",\"requestId\":\"\(requestId)\"" }
    if let code = attempt.invitation { params += ",\"invitation\":\"\(code)\"" }
    return request("registration.register", params + "}", caller, &chance) { [unowned self] in
      registrationChecks.registered(attempt, $0, by: caller.daemon)
    }
  }
}
