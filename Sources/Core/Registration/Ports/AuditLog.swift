/// The record of changes, for operators and for programs that reconcile their own data with regd's.
package protocol AuditLog: Sendable {
  /// Entries in the order of their numbers, starting after `after`. A list, as described at `AccountStore`.
  ///
  /// - Parameters:
  ///   - after: The number of an entry. 0 starts with the first entry.
  ///   - limit: The most entries to return, at least 1.
  func audit(after: Int, limit: Int) async throws(StoreFailure) -> [AuditEntry]
}
