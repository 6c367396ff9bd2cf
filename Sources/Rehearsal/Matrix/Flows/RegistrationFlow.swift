internal import RehearsedNetworks

extension Flow {
  /// One account per address, and no account if the upstream has certainly not registered it.
  static let registration = Flow(name: "registration", summary: "one account per address; nothing is half done") {
    stage in
    try expect("not valid", stage.register("email@test"), "validation.failed")
    let first = try stage.register("new@test.com")
    switch stage.condition {
    case .success:
      try expect("register", first, "registered")
      try expect("the same again", stage.register("New@test.COM"), "email.taken")
      try expect("another password", stage.register("new@test.com", Stage.otherPassword), "email.taken")
      try expect("six characters", stage.register("email@test.com", "123456"), "registered")
      return "registered"
    case .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse, .malformedResponse,
      .failed:
      return try stage.expectFaultTwice(first)
    case .taken:
      try expect("register", first, "email.taken")
      try expect("no account is left", stage.account("new@test.com"), "account.notFound")
      return try expect("again", stage.register("new@test.com"), "email.taken")
    case .atWork:
      try expect("register", first, "network.timeout")
      let again = try stage.register("New@test.COM")
      try expect("the same again", again, "network.failed")
      try require("the same again", again.isPending, "pending", again)
      try expect("the address is reserved", stage.account("new@test.com"), "pending")
      try expect("and not available", stage.check("new@test.com"), "not available")
      return "network.timeout (pending), and stays so"
    case .hiddenSuccess:
      try expect("register", first, "network.unavailable")
      try expect("no account is left", stage.account("new@test.com"), "account.notFound")
      // without a requestId, regd cannot know that both requests are the same registration
      return "network.unavailable, then \(try expect("again", stage.register("new@test.com"), "email.taken"))"
    case .recovering:
      try expect("at first", first, "network.unavailable")
      try expect("no account is left", stage.account("new@test.com"), "account.notFound")
      return "network.unavailable, then \(try expect("then", stage.register("new@test.com"), "registered"))"
    case .flapping:
      try expect("at first", first, "registered")
      try expect("then", stage.register("other@test.com"), "network.unavailable")
      try expect("no account is left", stage.account("other@test.com"), "account.notFound")
      try expect("and then", stage.register("other@test.com"), "registered")
      return "registered, network.unavailable, registered"
    case .storeCommitFails:
      return try stage.expectUnknownCommit(first)
    case .storeReadOnly, .storeFull, .storeLocked, .storeReplaced:
      let seen = try expect("register", first, stage.condition.storeFault ?? "")
      try require("register", !first.isPending, "nothing pending", first)
      try expect("no account is left", stage.account("new@test.com"), "account.notFound")
      return seen
    }
  }
}

extension Stage {
  /// Expects the upstream's fault for two equal registrations, and checks whether an account is left.
  fileprivate func expectFaultTwice(_ first: Observation) throws -> String {
    let fault = try fault
    let seen = try expectFault("register", first, fault, registers: true)
    try expectFault("the same again", register("New@test.COM"), fault, registers: true)
    guard fault.leavesPending else {
      try expect("no account is left", account("new@test.com"), "account.notFound")
      return seen
    }
    try expect("the address is reserved", account("new@test.com"), "pending")
    try expect("for this password", register("new@test.com", Stage.otherPassword), "email.taken")
    try expect("and not available", check("new@test.com"), "not available")
    return seen
  }

  /// Expects the answers after a failed commit: regd does not know whether the account exists.
  fileprivate func expectUnknownCommit(_ first: Observation) throws -> String {
    let seen = try expect("register", first, condition.storeFault ?? "")
    try require("register", first.isPending, "pending: it may be there", first)
    try expect("nobody says that it is not there", account("new@test.com"), "store.unavailable")
    let other = try register("other@test.com")
    try expect("another", other, "store.unavailable")
    try require("another", !other.isPending, "nothing pending: it was not begun", other)
    return "\(seen), pending"
  }
}
