internal import RehearsedNetworks

extension Flow {
  /// regd never guesses availability: it knows the answer, or returns an error.
  static let availability = Flow(
    name: "availability", summary: "the address is available or taken, or an error is returned; never a guess"
  ) { stage in
    try expect("no address", stage.check("email@test"), "validation.failed")
    let first = try stage.check("free@test.com")
    let again = { try stage.check("free@test.com") }
    switch stage.condition {
    case .success:
      try expect("free address", first, "available")
      try expect("register", stage.register("held@test.com"), "registered")
      try expect("held address", stage.check("Held@TEST.com"), "not available")
      return "available"
    case .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse, .malformedResponse,
      .failed:
      let fault = try stage.fault
      let seen = try stage.expectFault("an address", first, fault)
      try expect("and again", again(), fault.reason)
      return seen
    case .taken:
      try expect("an address", first, "not available")
      return try expect("and again", again(), "not available")
    case .recovering:
      try expect("at first", first, "network.unavailable")
      return "network.unavailable, then \(try expect("then", again(), "available"))"
    case .flapping:
      try expect("at first", first, "available")
      try expect("then", again(), "network.unavailable")
      return "available, network.unavailable, \(try expect("and then", again(), "available"))"
    case .atWork, .hiddenSuccess, .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails, .storeReplaced:
      // these conditions affect only registrations, or only writes to the store
      return try expect("free address", first, "available")
    }
  }
}
