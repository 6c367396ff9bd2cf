internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// regd settles a pending registration without a request. The caller does not repeat its request.
  static let foundOut = Flow(
    name: "found out", summary: "regd settles open registrations by itself",
    variables: ["REGD_NETWORK_OUTBOX_FIRST_SECONDS": "0.05", "REGD_NETWORK_OUTBOX_MAXIMUM_SECONDS": "0.2"],
    change: { step in Script(register: [step, Script.Step(.accept)]) },
    play: { stage in
      try stage.playEnvironment()
      try stage.subscribe()
      let first = try stage.register("open@test.com", as: "r1")
      switch stage.condition {
      case .timeout, .emptyResponse, .malformedResponse, .failed:
        let fault = try stage.fault
        let seen = try stage.expectFault("asked", first, fault, registers: true)
        try stage.playSuccess()
        let delivered = try stage.caller.waitFor("the delivery") { method, params in
          method == "events.happened" && params?["event"]?.string == "outbox.delivered"
        }
        try require(
          "the event", delivered["email"]?.string == "open@test.com", "of this account", Observation("event", delivered)
        )
        try expect("found out", stage.status("r1"), "active")
        try expect("nothing waits", stage.outbox(), "0 waiting")
        try expect("signs in", stage.signIn("open@test.com"), "signed in")
        return "\(seen), then active"
      case .success, .offline, .unavailable, .untrusted, .rejected, .throttled, .taken:
        try stage.playSuccess()
        let expected = stage.condition.fault?.reason ?? (stage.condition == .taken ? "email.taken" : "registered")
        try expect("asked", first, expected)
        try expect("nothing waits", stage.outbox(), "0 waiting")
        return "\(expected), nothing waits"
      case .recovering, .flapping, .atWork, .hiddenSuccess, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
        .storeReplaced:
        throw Mismatch.cannotChange
      }
    })
}
