internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// regd accepts a registration while the upstream is down, and delivers it afterwards.
  static let deferral = Flow(
    name: "deferral", summary: "whenUnreachable: defer: accepted as pending, delivered once later",
    variables: ["REGD_NETWORK_WHEN_UNREACHABLE": "defer"],
    change: { step in Script(register: [step, Script.Step(.accept)]) },
    play: { stage in
      try stage.playEnvironment()
      let first = try stage.register("later@test.com", as: "r1")
      try stage.playSuccess()
      switch stage.condition {
      case .success:
        try expect("nothing to put off", stage.outbox(), "0 waiting")
        return try expect("register", first, "registered")
      case .rejected, .untrusted:
        let fault = try stage.fault
        try expect("nothing waits", stage.outbox(), "0 waiting")
        return try stage.expectFault("register", first, fault, registers: true)
      case .taken:
        try expect("nothing waits", stage.outbox(), "0 waiting")
        return try expect("register", first, "email.taken")
      case .offline, .unavailable, .throttled, .timeout, .emptyResponse, .malformedResponse, .failed:
        try expect("register", first, "deferred")
        let waiting = try stage.outbox()
        try expect("it waits", waiting, "1 waiting")
        let reason = waiting.detail["waiting"]?.array?.first?["reason"]?.string
        try require("the reason", reason == stage.condition.fault?.reason, stage.condition.fault?.reason ?? "", waiting)
        try expect("nobody signs in yet", stage.signIn("later@test.com"), "account.pending")
        try stage.deliverAll()
        try expect("delivered", stage.status("r1"), "active")
        try expect("signs in", stage.signIn("later@test.com"), "signed in")
        return "pending, then active"
      case .recovering, .flapping, .atWork, .hiddenSuccess, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
        .storeReplaced:
        throw Mismatch.cannotChange
      }
    })
}
