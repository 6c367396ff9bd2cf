/// The state of the registration to which a caller gave a name (`RequestKey`).
package enum RequestStatus: Equatable, Sendable {
  /// Registered. The account is in its present state. An administrator may have disabled it.
  case active(Account)
  /// It is not yet known whether the upstream has registered the account.
  case pending(Account)
  /// An administrator has to approve the account.
  case waiting(Account)
  /// The address still has to be proven.
  case claimed
  /// There is no such registration: never requested, or refused, released or deleted.
  case unknown
}

extension RequestStatus {
  fileprivate init(_ account: Account) {
    self =
      switch account.state {
      case .pending: .pending(account)
      case .waiting: .waiting(account)
      case .active, .disabled: .active(account)
      }
  }
}

extension Registrar {
  package func status(of request: RequestKey) async throws(StoreFailure) -> RequestStatus {
    if let seen = try await look(for: request) { return seen }
    // another regd may be committing the registration right now
    try await store.awaitCommit(of: request)
    return try await look(for: request) ?? .unknown
  }

  /// - Returns: The state, or nil if the store has neither the registration nor its claim.
  private func look(for request: RequestKey) async throws(StoreFailure) -> RequestStatus? {
    if let known = try await store.find(request) { return RequestStatus(known.account) }
    guard let claim = try await store.find(claimOf: request, at: time.now()) else { return nil }
    // the claim may have become the account between the two look-ups
    if claim.state == .proven { return try await store.find(request).map { RequestStatus($0.account) } }
    // Does not reveal whether another account has the address by now. The caller finds this out only by trying the
    // code.
    return .claimed
  }
}

/// Whether an address can be registered.
package enum AvailabilityOutcome: Equatable, Sendable {
  case available
  case unavailable
  case obstructed(Obstacle)
}

extension Registrar {
  /// Whether the address could be registered now. If that cannot be found out, the outcome is `obstructed`, never a guess.
  package func checkAvailability(_ typed: String?, for share: Share) async -> AvailabilityOutcome {
    do throws(Obstacle) {
      switch rules.email.check(typed) {
      case .success(let email):
        if try await hasAccount(email) { return .unavailable }
        return try await isAvailableUpstream(email, for: share) ? .available : .unavailable
      case .failure(let refusal):
        // an account keeps its address when the operator no longer accepts the address
        if let email = try? rules.email.addressOfAccount(typed).get(), try await hasAccount(email) {
          return .unavailable
        }
        throw .invalid(refusal.problems)
      }
    } catch {
      return .obstructed(error)
    }
  }

  private func hasAccount(_ email: EmailAddress) async throws(Obstacle) -> Bool {
    try await Obstacle.ofStore(try await store.find(email.key)) != nil
  }

  private func isAvailableUpstream(_ email: EmailAddress, for share: Share) async throws(Obstacle) -> Bool {
    do throws(NetworkFailure) {
      return try await network?.isAvailable(email, for: share) ?? true
    } catch {
      throw .network(error)
    }
  }
}
