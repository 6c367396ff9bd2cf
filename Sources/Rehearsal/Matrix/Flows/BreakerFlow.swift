internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// After two failed calls to an upstream that is down, regd's circuit breaker opens: regd answers without calling the
  /// upstream.
  static let breaker = Flow(
    name: "breaker", summary: "an upstream that is down gets no requests until it is back",
    variables: [
      "REGD_NETWORK_BREAKER_FAILURES": "2", "REGD_NETWORK_BREAKER_FIRST_SECONDS": "3600",
      "REGD_NETWORK_BREAKER_MAXIMUM_SECONDS": "3600",
    ],
    change: { step in Script(checkEmail: [step, step, Script.Step(.accept)]) },
    play: { stage in
      try stage.playEnvironment()
      // two addresses, because the failure of one address does not show that the upstream is down
      let (first, second) = (try stage.check("free@test.com"), try stage.check("other@test.com"))
      switch stage.condition {
      case .success, .taken:
        try expect("it works", first, stage.condition == .success ? "available" : "not available")
        return try expect("closed", stage.breakerState(), "closed")
      case .rejected, .throttled:
        let fault = try stage.fault
        // the breaker remains closed, because an upstream that refuses works
        try stage.expectFault("second", second, fault)
        return "\(fault.reason), \(try expect("closed", stage.breakerState(), "closed"))"
      case .offline, .unavailable, .untrusted, .timeout, .emptyResponse, .malformedResponse, .failed:
        return try stage.expectOpenBreaker(first, second)
      case .recovering, .flapping, .atWork, .hiddenSuccess, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
        .storeReplaced:
        throw Mismatch.cannotChange
      }
    })
}

extension Stage {
  /// The breaker opens after two failures. It closes when `outbox.retry` makes regd try again and the upstream works.
  fileprivate func expectOpenBreaker(_ first: Observation, _ second: Observation) throws -> String {
    let fault = try fault
    try expectFault("first", first, fault)
    try expectFault("second", second, fault)
    try expect("open", breakerState(), "open")
    try playSuccess()
    let third = try check("free@test.com")
    let isKept = condition == .offline || condition == .untrusted
    let reason = isKept ? fault.reason : "network.unavailable"
    try expect("from memory", third, reason)
    if !isKept {
      let seconds = third.detail["retryAfter"]?.integer ?? 0
      try require("from memory", seconds > 1000, "retryAfter as long as nobody tries", third)
    }
    let registered = try register("new@test.com")
    try expect("a registration too", registered, reason)
    try require("nothing was sent", !registered.isPending, "nothing pending", registered)
    try expect("retry", observe("outbox.retry", [:]) { _ in "done" }, "done")
    try expect("somebody tries", check("free@test.com"), "available")
    try expect("closed", breakerState(), "closed")
    return "\(fault.reason) twice, \(reason) from memory, available"
  }

  fileprivate func breakerState() throws -> Observation {
    try observe("daemon.status", [:]) { $0["network"]?["breaker"]?.string ?? "no breaker" }
  }
}
