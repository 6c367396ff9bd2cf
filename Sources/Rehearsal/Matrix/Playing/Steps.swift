internal import RegdClient
internal import RehearsedNetworks

/// Steps of flows. Each makes one call and returns the answer.
extension Stage {
  func validate(_ email: String?, _ password: String?, _ confirmation: String?) throws -> Observation {
    try observe("registration.validate", RegdClient.entry(email: email, password: password, confirmation: confirmation))
    {
      result in
      result["registrationEnabled"]?.bool == true
        ? "valid"
        : (result["problems"]?.array ?? []).compactMap { $0["reason"]?.string }.joined(separator: " ")
    }
  }

  func check(_ email: String) throws -> Observation {
    try observe("registration.checkEmail", ["email": .string(email)]) { result in
      switch result["available"]?.bool {
      case true?: "available"
      case false?: "not available"
      case nil: "neither available nor not"
      }
    }
  }

  /// - Parameters:
  ///   - request: The requestId, or nil for none.
  ///   - invitation: The code of an invitation, or nil for none.
  func register(
    _ email: String, _ password: String = Stage.password, as request: String? = nil, invitation: String? = nil
  ) throws -> Observation {
    guard case .object(var members) = RegdClient.entry(email: email, password: password, confirmation: password) else {
      throw Mismatch(description: "an entry is no object")
    }
    if let request { members.append(.init("requestId", .string(request))) }
    if let invitation { members.append(.init("invitation", .string(invitation))) }
    let observation = try observe("registration.register", .object(members)) { result in
      switch result["account"]?["state"]?.string {
      case "active"?: "registered"
      case "pending"?: "deferred"
      case let state: state ?? "no account"
      }
    }
    record(
      Attempt(email: email, password: password, request: request, invitation: invitation, observation: observation))
    return observation
  }

  func signIn(_ email: String, _ password: String = Stage.password) throws -> Observation {
    try observe("session.signIn", ["email": .string(email), "password": .string(password)]) { result in
      result["account"]?["email"]?.string == email ? "signed in" : "somebody else"
    }
  }

  /// The state of the registration with this requestId, for example active, pending or unknown.
  func status(_ request: String) throws -> Observation {
    try observe("registration.status", ["requestId": .string(request)]) { $0["state"]?.string ?? "no state" }
  }

  /// State of the account with this address.
  func account(_ email: String) throws -> Observation {
    try observe("account.get", ["email": .string(email)]) { $0["account"]?["state"]?.string ?? "no state" }
  }

  /// Number of registrations that wait for the upstream.
  func outbox() throws -> Observation {
    try observe("outbox.list", [:]) { result in "\(result["waiting"]?.array?.count ?? -1) waiting" }
  }

  func subscribe() throws { _ = try observe("events.subscribe", [:]) { _ in "" } }

  /// Makes regd deliver until its outbox is empty.
  func deliverAll() throws {
    try subscribe()
    for _ in 0..<20 {
      try expect("retry", try observe("outbox.retry", [:]) { _ in "done" }, "done")
      if try outbox().word == "0 waiting" { return }
      _ = try caller.waitFor("the outbox") { method, params in
        method == "events.happened" && (params?["event"]?.string?.hasPrefix("outbox.") ?? false)
      }
      if try outbox().word == "0 waiting" { return }
    }
    throw Mismatch(description: "the outbox does not get empty: \(try outbox().detail.text)")
  }

  /// Fails unless the answer is the environment's fault.
  ///
  /// - Parameter registers: Whether the call was a registration, which the fault may leave pending.
  @discardableResult
  func expectFault(_ step: String, _ seen: Observation, _ fault: EnvironmentCondition.Fault, registers: Bool = false)
    throws
    -> String
  {
    try expect(step, seen, fault.reason)
    try require(step, seen.detail["retryable"]?.bool == fault.isRetryable, "retryable \(fault.isRetryable)", seen)
    let isPending = registers && fault.leavesPending
    try require(step, seen.isPending == isPending, "pending \(isPending)", seen)
    let retryAfter = environment.step?.retryAfterSeconds
    try require(step, seen.detail["retryAfter"]?.integer == retryAfter, "retryAfter \(retryAfter ?? 0)", seen)
    return isPending ? "\(seen.word) (pending)" : seen.word
  }
}
