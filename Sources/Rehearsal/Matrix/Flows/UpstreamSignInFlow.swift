internal import RehearsedNetworks

extension Flow {
  /// The upstream verifies passwords. While it is down, regd verifies with the hash of the last password that the upstream
  /// accepted.
  static let upstreamSignIn = Flow(
    name: "upstream sign-in", summary: "signIn.authority: network, with the cached hash while the upstream is down",
    variables: ["REGD_SIGN_IN_AUTHORITY": "network", "REGD_SIGN_IN_OFFLINE": "cached"],
    change: { step in
      let away = step.answer == .taken ? Script.Step(.wrong) : step
      return Script(signIn: [Script.Step(.accept), away])
    },
    play: { stage in
      try stage.playSuccess()
      try expect("register", stage.register("somebody@test.com"), "registered")
      try expect("while it works", stage.signIn("somebody@test.com"), "signed in")
      try stage.playEnvironment()
      let right = try stage.signIn("somebody@test.com")
      let wrong = try stage.signIn("somebody@test.com", Stage.wrongPassword)
      switch stage.condition {
      case .success:
        // the upstream accepts any password
        try expect("another password", wrong, "signed in")
        return try expect("right password", right, "signed in")
      case .taken:
        try expect("another password", wrong, "credentials.rejected")
        return try expect("the upstream says no", right, "credentials.rejected")
      case .offline, .unavailable, .throttled, .timeout, .emptyResponse, .malformedResponse, .failed:
        let fault = try stage.fault
        try expect("what is not known is not said", wrong, fault.reason)
        return "signed in, \(try expect("from the cache", right, "signed in")) from the cache"
      case .rejected, .untrusted:
        let fault = try stage.fault
        try expect("another password", wrong, fault.reason)
        return "signed in, \(try expect("it is there, and does not answer", right, fault.reason))"
      case .recovering, .flapping, .atWork, .hiddenSuccess, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails,
        .storeReplaced:
        throw Mismatch.cannotChange
      }
    })
}
