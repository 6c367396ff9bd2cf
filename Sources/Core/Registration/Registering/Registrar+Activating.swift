/// The outcome of activating an account that the upstream has registered.
package enum ActivationAnswer: Equatable, Sendable {
  /// The account is active, or an administrator has disabled it since.
  case active(Account)
  /// Another account has the same address.
  case taken
  /// The same request has made another account.
  case requestKnown(KnownRequest)
}

extension Registrar {
  /// Activates an account that the upstream has registered. If another process has removed the pending account
  /// meanwhile, inserts the account again, as active.
  ///
  /// - Parameters:
  ///   - request: The request under which the account is inserted again, or nil for none.
  ///   - notice: The mail for an account that an administrator has approved.
  func activate(
    _ account: StoredAccount, request: RequestKey?, approved notice: MailIntent? = nil, _ stamp: Stamp
  ) async throws(StoreFailure) -> ActivationAnswer {
    var account = account
    while true {
      let active = try await store.activate(account.account.id, approved: notice, stamp)
      reservations.settled(account.account.id)
      if let active { return .active(active) }
      account.account.state = account.account.becomesDisabled ? .disabled : .active
      account.registrant = nil
      switch try await store.insert(account, request: request, stamp) {
      case .inserted: return .active(account.account)
      case .requestKnown(let known): return .requestKnown(known)
      case .invitationRejected, .tooManyWaiting, .releasedMeanwhile: return .taken
      case .taken(let holder) where holder.account.id != account.account.id: return .taken
      case .taken(let holder) where holder.account.state != .pending: return .active(holder.account)
      case .taken(let holder): account = holder
      }
    }
  }
}
