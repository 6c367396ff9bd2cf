internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// Kills regd after its answer, and starts it again with the kept store.
  static let restart = Flow(
    name: "restart", summary: "regd is killed after its answer; acknowledged accounts are there, open ones are settled",
    change: { step in Script(register: [step]) }, restartsRegd: true,
    play: { stage in
      try stage.playEnvironment()
      let first = try stage.register("kept@test.com", as: "r1")
      try stage.restart()
      let status = try stage.status("r1")
      let again = try stage.register("kept@test.com", as: "r1")
      try expect("asked again", again, "registered")
      let seen: String
      switch stage.condition {
      case .success:
        seen = try expect("before", first, "registered")
        try expect("what was acknowledged", status, "active")
        try require("the account", again.detail == first.detail, "the one that was acknowledged", again)
      case .timeout, .emptyResponse, .malformedResponse, .failed:
        let fault = try stage.fault
        seen = try stage.expectFault("before", first, fault, registers: true)
        // regd may have settled the registration already
        if status.word != "active" { try expect("what was open", status, "pending") }
        let isSame = again.detail["account"]?["id"] == status.detail["account"]?["id"]
        try require("the account", isSame, "the one that was reserved", again)
      case .offline, .unavailable, .untrusted, .rejected, .throttled:
        let fault = try stage.fault
        seen = try stage.expectFault("before", first, fault, registers: true)
        try expect("nothing was left", status, "unknown")
      case .taken:
        seen = try expect("before", first, "email.taken")
        try expect("nothing was left", status, "unknown")
      case .recovering, .flapping, .atWork, .hiddenSuccess, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
        .storeReplaced:
        throw Mismatch.cannotChange
      }
      try expect("signs in", stage.signIn("kept@test.com"), "signed in")
      try expect("only once", stage.register("kept@test.com", as: "r2"), "email.taken")
      return "\(seen), restart, registered"
    })
}
