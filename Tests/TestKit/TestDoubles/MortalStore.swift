package import Registration

/// Simulates a process that dies at one of its calls to the store or the upstream. Later calls do nothing and fail.
package actor Life {
  private var callsUntilDeath: Int
  private let diesAfter: Bool

  /// - Parameters:
  ///   - call: The call at which the process dies, from 1, or nil for never.
  ///   - after: Whether that call is still performed, and only its answer is lost.
  package init(diesAt call: Int?, after: Bool) {
    callsUntilDeath = call ?? .max
    diesAfter = after
  }

  package var isOver: Bool { callsUntilDeath == 0 }

  enum Turn {
    case live, doAndDie, dead
  }

  func turn() -> Turn {
    guard callsUntilDeath > 0 else { return .dead }
    callsUntilDeath -= 1
    return callsUntilDeath > 0 ? .live : diesAfter ? .doAndDie : .dead
  }
}

/// Passes calls to an upstream until the process is dead. Then they time out.
package struct MortalNetwork: NetworkService {
  private let network: any NetworkService
  private let life: Life

  package init(_ network: any NetworkService, _ life: Life) {
    self.network = network
    self.life = life
  }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await live { () async throws(NetworkFailure) in try await network.isAvailable(email) }
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    try await live { () async throws(NetworkFailure) in try await network.register(registration) }
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await live { () async throws(NetworkFailure) in try await network.signIn(email, password) }
  }

  private func live<Value>(
    _ body: () async throws(NetworkFailure) -> Value
  ) async throws(NetworkFailure) -> Value {
    switch await life.turn() {
    case .live: return try await body()
    case .doAndDie:
      _ = try await body()
      throw .timeout
    case .dead: throw .timeout
    }
  }
}

extension Accounts {
  /// Returns accounts whose operations are done until the process is dead. Then they fail.
  package func until(endOf life: Life) -> Accounts { with(Mortality(life: life)) }
}

private struct Mortality: StoreHook {
  let life: Life

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    switch await life.turn() {
    case .live: return try await proceed()
    case .doAndDie: _ = try await proceed()
    case .dead: break
    }
    throw .unavailable(detail: "the process is dead")
  }
}
