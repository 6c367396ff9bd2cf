internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// What was left open is found out by regd itself, without anybody asking again.
  static let foundOut = Flow(
    "found out", "what was left open is settled without its caller",
    changes: { step in Script(register: [step, Script.Step(.accept)]) },
    play: { stage in
      try stage.becomesItself()
      let first = try stage.register("open@test.com", as: "r1")
      try stage.becomesWell()
      switch stage.condition {
      case .timeout, .emptyResponse, .malformedResponse, .failed:
        guard let fault = stage.condition.fault else { throw Mismatch(description: "no fault") }
        let seen = try stage.expectFault("asked", first, fault, registers: true)
        let waiting = try stage.outbox()
        try expect("it waits", waiting, "1 waiting")
        let reason = waiting.detail["waiting"]?.array?.first?["reason"]?.string
        try require("the reason", reason == fault.reason, fault.reason, waiting)
        try stage.deliverAll()
        try expect("found out", stage.status("r1"), "active")
        try expect("signs in", stage.signIn("open@test.com"), "signed in")
        return "\(seen), then active"
      case .success, .offline, .unavailable, .untrusted, .rejected, .throttled, .taken:
        let seen = first.word
        let expected = stage.condition.fault?.reason ?? (stage.condition == .taken ? "email.taken" : "registered")
        try expect("asked", first, expected)
        try expect("nothing waits", stage.outbox(), "0 waiting")
        return "\(seen), nothing waits"
      case .recovering, .flapping, .storeReadOnly, .storeFull, .storeLocked:
        throw Mismatch(description: "an environment that cannot be changed was changed")
      }
    })
}
