extension Flow {
  /// One account per address, and no half account where the upstream was not to be had.
  static let registration = Flow("registration", "one account per address; nothing half done") { stage in
    try expect("not valid", stage.register("email@test"), "validation.failed")
    let seen = try stage.expectUpstream("register", stage.register("new@test.com"), answer: "registered")
    switch stage.condition {
    case .success:
      try expect("the same again", stage.register("New@test.COM"), "email.taken")
      try expect("another password", stage.register("new@test.com", "other-password"), "email.taken")
      try expect("sign in", stage.signIn("new@test.com"), "signed in")
      try expect("six characters", stage.register("email@test.com", "123456"), "registered")
    case .offline, .unavailable:
      try expect("the same again", stage.register("new@test.com"), seen)
      try expect("sign in", stage.signIn("new@test.com"), "credentials.rejected")
    }
    return seen
  }
}
