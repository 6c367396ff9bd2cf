internal import RegdClient
internal import RehearsedNetworks

/// Steps that flows are made of. Each asks one thing and says what was seen.
extension Stage {
  func validate(_ email: String?, _ password: String?, _ confirmation: String?) throws -> Sight {
    try see("registration.validate", RegdClient.entry(email: email, password: password, confirmation: confirmation)) {
      result in
      result["registrationEnabled"]?.bool == true
        ? "valid"
        : (result["problems"]?.array ?? []).compactMap { $0["reason"]?.string }.joined(separator: " ")
    }
  }

  func check(_ email: String) throws -> Sight {
    try see("registration.checkEmail", ["email": .string(email)]) { result in
      switch result["available"]?.bool {
      case true?: "available"
      case false?: "not available"
      case nil: "neither available nor not"
      }
    }
  }

  /// - Parameter request: What the caller calls its registration.
  func register(_ email: String, _ password: String = Stage.password, as request: String? = nil) throws -> Sight {
    guard case .object(var members) = RegdClient.entry(email: email, password: password, confirmation: password) else {
      throw Mismatch(description: "an entry is no object")
    }
    if let request { members.append(.init("requestId", .string(request))) }
    let sight = try see("registration.register", .object(members)) { result in
      switch result["account"]?["state"]?.string {
      case "active"?: "registered"
      case "pending"?: "deferred"
      case let state: state ?? "no account"
      }
    }
    note(Told(email: email, password: password, request: request, sight: sight))
    return sight
  }

  func signIn(_ email: String, _ password: String = Stage.password) throws -> Sight {
    try see("session.signIn", ["email": .string(email), "password": .string(password)]) { result in
      result["account"]?["email"]?.string == email ? "signed in" : "somebody else"
    }
  }

  /// What is known of a registration by its request: active, pending or unknown.
  func status(_ request: String) throws -> Sight {
    try see("registration.status", ["requestId": .string(request)]) { $0["state"]?.string ?? "no state" }
  }

  /// The state of the account with this address, or the reason why it is not shown.
  func account(_ email: String) throws -> Sight {
    try see("account.get", ["email": .string(email)]) { $0["account"]?["state"]?.string ?? "no state" }
  }

  /// How many registrations wait for the upstream.
  func outbox() throws -> Sight {
    try see("outbox.list", [:]) { result in "\(result["waiting"]?.array?.count ?? -1) waiting" }
  }

  /// From here on what happens is told.
  func subscribe() throws { _ = try see("events.subscribe", [:]) { _ in "" } }

  /// Has everything that waits tried until nothing waits any more.
  func deliverAll() throws {
    try subscribe()
    for _ in 0..<20 {
      try expect("retry", try see("outbox.retry", [:]) { _ in "done" }, "done")
      if try outbox().word == "0 waiting" { return }
      _ = try caller.waitFor("the outbox") { method, params in
        method == "events.happened" && (params?["event"]?.string?.hasPrefix("outbox.") ?? false)
      }
      if try outbox().word == "0 waiting" { return }
    }
    throw Mismatch(description: "the outbox does not get empty: \(try outbox().detail.text)")
  }

  /// What a caller sees of a call that fails as the environment has it.
  @discardableResult
  func expectFault(_ step: String, _ seen: Sight, _ fault: EnvironmentCondition.Fault, registers: Bool = false) throws
    -> String
  {
    try expect(step, seen, fault.reason)
    try require(step, seen.detail["retryable"]?.bool == fault.isRetryable, "retryable \(fault.isRetryable)", seen)
    let isPending = registers && fault.leavesPending
    try require(step, seen.isPending == isPending, "pending \(isPending)", seen)
    let retryAfter = environment.step?.retryAfterSeconds
    // an upstream that is known to be down says how long that will be
    try require(step, seen.detail["retryAfter"]?.integer == retryAfter, "retryAfter \(retryAfter ?? 0)", seen)
    return isPending ? "\(seen.word) (pending)" : seen.word
  }
}
