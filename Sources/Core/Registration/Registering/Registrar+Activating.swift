/// What the store has after the upstream has registered an account.
package enum ActivationAnswer: Equatable, Sendable {
  /// The account, active, or disabled by an administrator since.
  case active(Account)
  /// Another account with the same address.
  case taken
  /// Another account that the same request has made.
  case requestKnown(KnownRequest)
}

extension Registrar {
  /// Makes an account active that the upstream has registered. Where another process has released the reservation
  /// meanwhile, the account is inserted again, active.
  ///
  /// - Parameter request: The request that an account which is inserted again is noted under.
  func activate(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> ActivationAnswer {
    var account = account
    while true {
      let active = try await store.activate(account.account.id, stamp)
      reservations.settled(account.account.id)
      if let active { return .active(active) }
      account.account.state = .active
      switch try await store.insert(account, request: request, stamp) {
      case .inserted: return .active(account.account)
      case .requestKnown(let known): return .requestKnown(known)
      case .taken(let holder) where holder.account.id != account.account.id: return .taken
      case .taken(let holder) where holder.account.state != .pending: return .active(holder.account)
      case .taken(let holder): account = holder
      }
    }
  }
}
