package import Registration

/// What every `NetworkService` promises, whatever it answers.
package enum NetworkConformance {
  package typealias Rule = ConformanceRule<any NetworkService>

  private static func registration(_ email: String, _ id: AccountID) -> UpstreamRegistration {
    UpstreamRegistration(id: id, email: Fixtures.account(email).account.email, passwordHash: PasswordHash(phc: "h"))
  }

  private static func outcome<Value>(_ body: () async throws(NetworkFailure) -> Value) async -> Result<
    Value, NetworkFailure
  > {
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  package static let rules: [Rule] = [
    Rule("a repeat with the same id is never taken by itself") { network in
      let id = AccountID(at: Fixtures.time)
      let first = await outcome { () async throws(NetworkFailure) in
        try await network.register(registration("a@example.com", id))
      }
      let second = await outcome { () async throws(NetworkFailure) in
        try await network.register(registration("a@example.com", id))
      }
      if first == .success(.registered) { try same(second == .success(.taken), false, "taken by itself") }
    },
    Rule("two ids never both register one address") { network in
      var registered = 0
      for _ in 0..<3 {
        let answer = await outcome { () async throws(NetworkFailure) in
          try await network.register(registration("b@example.com", AccountID(at: Fixtures.time)))
        }
        if answer == .success(.registered) { registered += 1 }
      }
      try same(registered <= 1, true, "at most one")
    },
    Rule("what it registered it does not call available") { network in
      let answer = await outcome { () async throws(NetworkFailure) in
        try await network.register(registration("c@example.com", AccountID(at: Fixtures.time)))
      }
      guard answer == .success(.registered) else { return }
      let availability = await outcome { () async throws(NetworkFailure) in
        try await network.isAvailable(Fixtures.account("c@example.com").account.email)
      }
      try same(availability == .success(true), false, "available")
    },
    Rule("a cancelled call ends, and never says that it registered what it did not") { network in
      let first = await withTaskGroup(of: Result<UpstreamAnswer, NetworkFailure>.self) { group in
        group.addTask {
          await outcome { () async throws(NetworkFailure) in
            try await network.register(registration("d@example.com", AccountID(at: Fixtures.time)))
          }
        }
        group.cancelAll()
        return await group.next()
      }
      guard first == .success(.registered) else { return }
      let second = await outcome { () async throws(NetworkFailure) in
        try await network.register(registration("d@example.com", AccountID(at: Fixtures.time)))
      }
      try same(second == .success(.registered), false, "the address again")
    },
  ]
}
