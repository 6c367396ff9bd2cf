extension Flow {
  /// Availability is never guessed: it is known, or it is an error.
  static let availability = Flow("availability", "known, or an error; never guessed") { stage in
    try expect("no address", stage.check("email@test"), "validation.failed")
    let seen = try stage.expectUpstream("free address", stage.check("free@test.com"), answer: "available")
    switch stage.condition {
    case .success:
      try expect("register", stage.register("held@test.com"), "registered")
      try expect("held address", stage.check("Held@TEST.com"), "not available")
    case .offline, .unavailable:
      try expect("and again", stage.check("free@test.com"), seen)
    }
    return seen
  }
}
