internal import CSimulation
internal import RegdClient
internal import Synchronization

extension World {
  func password(_ number: Int) -> String {
    let password = "\(Leaks.secret)-\(number)-horse staple"
    return scenario.own?.fitting(password) ?? password
  }

  func address(_ chance: inout Chance) -> String {
    let name = "ann\(chance.below(scenario.addresses))@example.com"
    return chance.once(in: 6) ? name.uppercased().replacing("EXAMPLE.COM", with: "Example.com") : name
  }

  func newAttempt(_ chance: inout Chance, uid: UInt32) -> Attempt {
    numbers += 1
    let attempt = Attempt(
      email: address(&chance), password: password(chance.below(3)),
      requestId: chance.once(in: 3) ? nil : "q\(numbers)", uid: uid)
    if scenario.admission.isInvited { invitations.invite(attempt, &chance) }
    return attempt
  }

  func register(_ attempt: Attempt, _ caller: SimulatedCaller, _ chance: inout Chance) {
    say(registration(attempt, caller, &chance), caller, &chance)
  }

  func registration(_ attempt: Attempt, _ caller: SimulatedCaller, _ chance: inout Chance) -> String {
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
