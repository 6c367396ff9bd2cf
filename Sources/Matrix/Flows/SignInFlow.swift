extension Flow {
  /// Sign-in is the store's: wrong and unknown look alike.
  static let signIn = Flow("sign-in", "wrong and unknown look alike") { stage in
    try expect("unknown", stage.signIn("nobody@test.com"), "credentials.rejected")
    try expect("no address", stage.signIn("nobody"), "credentials.rejected")
    _ = try stage.expectUpstream("register", stage.register("somebody@test.com"), answer: "registered")
    try expect("wrong password", stage.signIn("somebody@test.com", "wrong-password"), "credentials.rejected")
    switch stage.condition {
    case .success: return try expect("right password", stage.signIn("somebody@test.com"), "signed in")
    case .offline, .unavailable:
      return try expect("nobody registered", stage.signIn("somebody@test.com"), "credentials.rejected")
    }
  }
}
