extension AccountStore {
  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> [StoredAccount] {
    try await list(nil, after: after, limit: limit)
  }

  package func insert(
    _ account: StoredAccount, request: RequestKey?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InsertAnswer {
    try await insert(account, request: request, Admission(), stamp)
  }

  package func activate(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> Account? {
    try await activate(id, approved: nil, stamp)
  }

  package func add(
    _ claim: AddressClaim, _ mail: MailIntent, _ stamp: Stamp
  ) async throws(StoreFailure) -> ClaimAnswer {
    try await add(claim, mail, invitation: nil, stamp)
  }

  package func prove(
    _ id: ClaimID, _ account: StoredAccount, _ stamp: Stamp
  ) async throws(StoreFailure) -> ProofAnswer {
    try await prove(id, account, nil, stamp)
  }

  package var sharedThrottle: (any SharedThrottle)? { nil }
  package var continuity: (any StoreContinuity)? { nil }
  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) {}

  /// Removes an account, whatever its password is.
  package func delete(_ id: AccountID, _ stamp: Stamp) async throws(StoreFailure) -> DeleteAnswer {
    try await delete(id, having: nil, stamp)
  }
}
