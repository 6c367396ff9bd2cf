/// Keeps mails until they are sent: the part of an `AccountStore` that a mail queue works on.
///
/// A waiting mail can have a *lease*, as a pending account can have a claim: the lease determines which regd may send the
/// mail, and until when, by the store's own clock. A lease lasts for `Claimant.lease`. A regd's own lease never blocks
/// that regd.
package protocol MailStore: Sendable {
  /// Adds a waiting mail. A bounded mail counts against the `MailBounds` of its address. If the bounds do not admit the
  /// mail, the store keeps nothing of it. For the bounds, a share (user and origin) is known at the address if the
  /// mail's `isKnown` is set, or if the audit shows that the share registered the account. Earlier mails with a future
  /// time, left by a clock that was ahead, count as made now. The same rules apply to a mail that another change adds.
  ///
  /// A change that ignores cancellation. After `unknown` the caller may repeat it: a mail with the same id is added
  /// once.
  func add(_ mail: MailIntent) async throws(StoreFailure)

  /// Waiting mails in the order of their ids, which is the order in which they were made, starting after `after`. A list.
  func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail]

  /// The mail with this id, in any state. A look-up.
  func find(mail id: MailID) async throws(StoreFailure) -> StoredMail?

  /// Leases a waiting mail for this regd.
  ///
  /// An idempotent change.
  ///
  /// - Returns: The mail, with `isClaimedElsewhere` if another regd has the lease, or nil if the mail no longer waits.
  func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail?

  /// Records a failed try, and ends this regd's lease. Does nothing if another regd has a lease, or if the mail no
  /// longer waits.
  ///
  /// An idempotent change that ignores cancellation.
  ///
  /// - Parameter mail: The mail after the try. The store takes only `attempts`, `reason` and `next` from it.
  /// - Returns: Whether the try was recorded.
  func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool

  /// Puts a waiting mail into its final state. Its row remains until a later sweep, so that regd still knows the mail
  /// when a late report about it comes. A mail that ends as `suppressed` is removed.
  ///
  /// An idempotent change that ignores cancellation.
  ///
  /// - Parameters:
  ///   - state: Any state but `waiting`.
  ///   - reason: Why the mail was refused, in words for administrators, or nil for other states.
  /// - Returns: Whether the mail was waiting.
  func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool
}
