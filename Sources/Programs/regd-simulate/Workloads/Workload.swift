/// What simulated callers of one area do: plays their actions, and checks the answers.
protocol Workload: AnyObject, Checking {
  var callers: Callers { get }

  func act(_ kind: Action.Kind, _ chance: inout Chance)
}

extension Workload {
  func connect(_ chance: inout Chance, uid: UInt32? = nil) -> SimulatedCaller? { callers.connect(&chance, uid: uid) }
  func caller(_ chance: inout Chance, uid: UInt32? = nil) -> SimulatedCaller? { callers.caller(&chance, uid: uid) }

  func request(
    _ method: String, _ params: String, _ caller: SimulatedCaller, id: String? = nil, _ chance: inout Chance,
    _ end: @escaping (Request.End) -> Void
  ) -> String { callers.request(method, params, caller, id: id, &chance, end) }

  func say(_ text: String, _ caller: SimulatedCaller, _ chance: inout Chance) { callers.say(text, caller, &chance) }

  func ask(
    _ method: String, _ params: String, _ caller: SimulatedCaller, _ chance: inout Chance,
    _ end: @escaping (Request.End) -> Void
  ) { callers.ask(method, params, caller, &chance, end) }

  // MARK: What people type

  func password(_ number: Int) -> String {
    let password = "\(Leaks.secret)-\(number)-horse staple"
    return scenario.own?.fitting(password) ?? password
  }

  func address(_ chance: inout Chance) -> String {
    let name = "ann\(chance.below(scenario.addresses))@example.com"
    return chance.once(in: 6) ? name.uppercased().replacing("EXAMPLE.COM", with: "Example.com") : name
  }

  func newAttempt(_ chance: inout Chance, uid: UInt32) -> Attempt {
    let number = callers.newNumber()
    let attempt = Attempt(
      email: address(&chance), password: password(chance.below(3)),
      requestId: chance.once(in: 3) ? nil : "q\(number)", uid: uid)
    if scenario.admission.isInvited { invitations.invite(attempt, &chance) }
    return attempt
  }
}
