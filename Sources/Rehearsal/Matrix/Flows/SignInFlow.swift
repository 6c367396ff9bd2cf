internal import RehearsedNetworks

extension Flow {
  /// The store verifies passwords. A wrong password and an unknown address get the same answer.
  static let signIn = Flow(
    name: "sign-in", summary: "an incorrect password and an unknown address look alike"
  ) { stage in
    try expect("unknown", stage.signIn("nobody@test.com"), "credentials.rejected")
    try expect("no address", stage.signIn("nobody"), "credentials.rejected")
    _ = try stage.register("somebody@test.com")
    let wrong = try stage.signIn("somebody@test.com", Stage.wrongPassword)
    let isKnown = stage.condition != .storeCommitFails
    try expect("wrong password", wrong, isKnown ? "credentials.rejected" : "store.unavailable")
    let right = try stage.signIn("somebody@test.com")
    switch stage.condition {
    case .success, .flapping:
      return try expect("right password", right, "signed in")
    case .timeout, .emptyResponse, .malformedResponse, .failed, .atWork:
      return try expect("right password of what is not settled", right, "account.pending")
    case .offline, .unavailable, .untrusted, .rejected, .throttled, .taken, .recovering, .hiddenSuccess, .storeReadOnly,
      .storeFull,
      .storeLocked, .storeReplaced:
      return try expect("nobody registered", right, "credentials.rejected")
    case .storeCommitFails:
      // regd does not know whether the account exists
      return try expect("right password", right, "store.unavailable")
    }
  }
}
