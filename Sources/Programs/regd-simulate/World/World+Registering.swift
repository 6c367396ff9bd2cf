internal import CSimulation
internal import RegdClient
internal import Synchronization

extension World {
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
