/// Keeps accounts that wait for an administrator: the part of an `AccountStore` that approves and refuses them.
package protocol ApprovalStore: Sendable {
  /// Approves a waiting account: makes it active or, if the upstream has to be asked, pending and claimed by this regd.
  ///
  /// A change. A repeat returns nil.
  ///
  /// - Parameter notice: A mail that the store adds in the same transaction, in the language of the account's `Registrant`
  ///   if that is known.
  /// - Returns: The account afterwards, or nil if there is no such account, or it does not wait.
  func approve(
    _ id: AccountID, to state: Account.State, _ notice: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?

  /// Makes a pending account wait for approval again, because the upstream certainly does not have the account.
  ///
  /// A change.
  ///
  /// - Parameter seen: The account's mark (`updatedAt`), as the caller read it.
  /// - Returns: Whether the account was pending with this mark. If not, it is not changed.
  func disapprove(_ id: AccountID, seen: Timestamp, _ stamp: Stamp) async throws(StoreFailure) -> Bool

  /// Removes a waiting account, as `delete` does.
  ///
  /// A change.
  ///
  /// - Parameter notice: As for `approve`.
  /// - Returns: Whether the account existed and was waiting.
  func refuse(_ id: AccountID, _ notice: MailIntent?, _ stamp: Stamp) async throws(StoreFailure) -> Bool
}
