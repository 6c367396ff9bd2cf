internal import RehearsedNetworks

extension Flow {
  /// The upstream works, then behaves as in the environment, then works again.
  static let awayAndBack = Flow(
    name: "away and back", summary: "the upstream works, enters the row's condition, works again",
    change: { step in Script(register: [Script.Step(.accept), step, Script.Step(.accept)]) },
    play: { stage in
      try stage.playSuccess()
      try expect("works", stage.register("before@test.com"), "registered")
      try stage.playEnvironment()
      let during = try stage.register("during@test.com")
      try expect("who is there stays", stage.signIn("before@test.com"), "signed in")
      try stage.playSuccess()
      let seen: String
      switch stage.condition {
      case .success:
        seen = try expect("is there", during, "registered")
      case .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse, .malformedResponse,
        .failed:
        let fault = try stage.fault
        seen = try stage.expectFault("goes away", during, fault, registers: true)
        try expect("comes back", stage.register("during@test.com"), "registered")
      case .taken:
        seen = try expect("is taken", during, "email.taken")
        try expect("is free again", stage.register("during@test.com"), "registered")
      case .recovering, .flapping, .atWork, .hiddenSuccess, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
        .storeReplaced:
        throw Mismatch.cannotChange
      }
      try expect("only once", stage.register("during@test.com"), "email.taken")
      try expect("signs in", stage.signIn("during@test.com"), "signed in")
      return "registered, \(seen), registered"
    })
}
