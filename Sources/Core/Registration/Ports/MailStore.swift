/// Keeps mails until they are sent: the part of an `AccountStore` that a mail queue works on.
///
/// As a pending account has a claimant, a mail that waits has: *a lease* says which regd may send it, and until when, by the store's
/// own clock. It lasts for the claimant's lease. One's own lease stands in no way.
package protocol MailStore: Sendable {
  /// Adds a mail by itself, as one that comes with another change is: it waits, and it counts for the address unless it is a notice.
  /// One that `MailBounds` do not admit leaves no trace. A share is known at the address where the mail says so, or where the
  /// audit says that it has registered the account. What was counted at a time to come, by a clock that was ahead, counts as now.
  ///
  /// A change that ignores cancellation. After `unknown` it may be repeated: one with the same id is added once.
  func add(_ mail: MailIntent) async throws(StoreFailure)

  /// Mails that wait, in the order of their ids, which is that of their making, beginning behind `after`. A list.
  func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail]

  /// The mail with this id, in any state. A look-up.
  func find(mail id: MailID) async throws(StoreFailure) -> StoredMail?

  /// Leases a mail that waits for this regd.
  ///
  /// A change, and idempotent.
  ///
  /// - Returns: The mail, with `isClaimedElsewhere` if another regd has a lease; nil if it does not wait any more.
  func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail?

  /// Notes a try that has failed, and ends this regd's lease. Not done if another regd has a lease.
  ///
  /// A change that ignores cancellation, and idempotent.
  ///
  /// - Parameter mail: Of it `attempts`, `reason` and `next` count.
  /// - Returns: Whether it was noted.
  func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool

  /// A mail waits no more; its row stays until it is swept, so that a late word of it is understood. One that ends as `suppressed` is
  /// removed.
  ///
  /// A change that ignores cancellation, and idempotent.
  ///
  /// - Parameters:
  ///   - state: Any but `waiting`.
  ///   - reason: In words for administrators, where it was refused.
  /// - Returns: Whether it was waiting.
  func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool
}
