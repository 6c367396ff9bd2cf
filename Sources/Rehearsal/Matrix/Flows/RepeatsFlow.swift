internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// The caller repeats its registration with the same requestId, as after a lost answer.
  static let repeats = Flow(
    name: "requestId", summary: "the same request gets the same answer; another request with its id gets a conflict"
  ) { stage in
    try expect("never asked for", stage.status("r1"), "unknown")
    let first = try stage.register("ask@test.com", as: "r1")
    switch stage.condition {
    case .success, .flapping:
      try expect("asked", first, "registered")
      return try stage.expectSameAnswer(first)
    case .timeout, .emptyResponse, .malformedResponse, .failed:
      let fault = try stage.fault
      let seen = try stage.expectFault("asked", first, fault, registers: true)
      try stage.expectPending {
        try stage.expectFault("asked again", stage.register("ask@test.com", as: "r1"), fault, registers: true)
      }
      try expect("another password", stage.register("ask@test.com", Stage.otherPassword, as: "r1"), "request.conflict")
      return seen
    case .offline, .unavailable, .untrusted, .rejected, .throttled:
      let fault = try stage.fault
      let seen = try stage.expectFault("asked", first, fault, registers: true)
      try expect("its state", stage.status("r1"), "unknown")
      // the requestId of a released registration (certainly not made by the upstream) is free
      try stage.expectFault("another address", stage.register("other@test.com", as: "r1"), fault, registers: true)
      return seen
    case .atWork:
      try expect("asked", first, "network.timeout")
      try stage.expectPending {
        // a 409 shows nothing while the upstream may still work on the first request
        for _ in 0..<3 {
          let again = try stage.register("ask@test.com", as: "r1")
          try expect("asked again", again, "network.failed")
          try require("asked again", again.isPending, "pending", again)
        }
      }
      return "network.timeout (pending), and stays so"
    case .recovering, .hiddenSuccess:
      try expect("asked", first, "network.unavailable")
      try expect("its state", stage.status("r1"), "unknown")
      // the first request succeeded at the upstream, which recognizes its Idempotency-Key
      try expect("asked again", stage.register("ask@test.com", as: "r1"), "registered")
      try expect("its state", stage.status("r1"), "active")
      return "network.unavailable, then registered"
    case .storeCommitFails:
      return try stage.expectUnknownCommit(first)
    case .taken, .storeReadOnly, .storeFull, .storeLocked, .storeReplaced:
      try expect("asked", first, stage.condition.storeFault ?? "email.taken")
      return try expect("its state", stage.status("r1"), "unknown")
    }
  }
}

extension Stage {
  /// Repeats the request, and then makes other requests with the same requestId.
  fileprivate func expectSameAnswer(_ first: Observation) throws -> String {
    let again = try register("ask@test.com", as: "r1")
    try expect("asked again", again, "registered")
    try require("asked again", again.detail["account"] == first.detail["account"], "the very same account", again)
    try expect("its state", status("r1"), "active")
    try expect("another password", register("ask@test.com", Stage.otherPassword, as: "r1"), "request.conflict")
    try expect("another address", register("other@test.com", as: "r1"), "request.conflict")
    try expect("another request", register("ask@test.com", as: "r2"), "email.taken")
    return "registered, the same again"
  }

  /// Expects that the registration is pending, and that the same account is reserved for it after `repeats`.
  fileprivate func expectPending(_ repeats: () throws -> Void) throws {
    let before = try status("r1")
    try expect("its state", before, "pending")
    try repeats()
    let after = try status("r1")
    try require("its state", after.detail["account"]?["id"] == before.detail["account"]?["id"], "the same", after)
  }

  /// Expects the answers after a failed commit: regd does not know whether the registration exists.
  fileprivate func expectUnknownCommit(_ first: Observation) throws -> String {
    try expect("asked", first, condition.storeFault ?? "")
    try require("asked", first.isPending, "pending: it may be there", first)
    let again = try register("ask@test.com", as: "r1")
    try expect("asked again", again, "store.unavailable")
    try require("asked again", again.isPending, "pending, as before", again)
    return try expect("its state", status("r1"), "store.unavailable")
  }
}
