/// The record of changes, for operators and for programs that reconcile their own data with regd's.
extension Accounts {
  /// Entries in the order of their numbers, starting after `after`. A list, as described at `Accounts`.
  ///
  /// - Parameters:
  ///   - after: The number of an entry. 0 starts with the first entry.
  ///   - limit: The most entries to return, at least 1.
  package func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await scan(.audit) { (rows) throws(StoreFailure) in try rows.audit(after: after, limit: limit) }
  }

  /// The audit entries of one account, in the order of their numbers: the latest `limit` of them. A list.
  package func audit(of id: AccountID, limit: Int) async throws(StoreFailure) -> [AuditEntry] {
    try await scan(.auditOf) { (rows) throws(StoreFailure) in try rows.audit(of: id, limit: limit) }
  }

  /// The account with this id in any state, and the entries about it, starting after the number `after`, both from the same
  /// moment: each change is in both or in neither. A list. Fails with `unavailable` if the account cannot be read.
  ///
  /// - Parameter limit: The most entries to return, at least 1.
  /// - Returns: Nil if there is no such account.
  package func history(of id: AccountID, after: Int, limit: Int) async throws(StoreFailure) -> AccountHistory? {
    try await scan(.auditOf) { (rows) throws(StoreFailure) in try rows.history(of: id, after: after, limit: limit) }
  }
}
