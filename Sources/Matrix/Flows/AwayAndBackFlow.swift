extension Flow {
  /// The environment changes half-way: it works, becomes what the row is, and works again.
  static let awayAndBack = Flow(
    "away and back", "works, becomes the row's condition, works again",
    script: { condition in ["accept", condition.scriptStep, "accept"] },
    play: { stage in
      try expect("works", stage.register("before@test.com"), "registered")
      let seen = try stage.expectUpstream("goes away", stage.register("during@test.com"), answer: "registered")
      try expect("who is there stays", stage.signIn("before@test.com"), "signed in")
      switch stage.condition {
      case .success: try expect("is there", stage.signIn("during@test.com"), "signed in")
      case .offline, .unavailable: try expect("comes back", stage.register("during@test.com"), "registered")
      }
      try expect("only once", stage.register("during@test.com"), "email.taken")
      try expect("signs in", stage.signIn("during@test.com"), "signed in")
      return "registered, \(seen), registered"
    })
}
