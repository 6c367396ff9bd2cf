/// Mails that wait until they are sent, on which a mail queue works.
///
/// A waiting mail can have a *lease*, as a pending account can have a claim: the lease determines which regd may send the
/// mail, and until when, by the store's own clock. A lease lasts for `Claimant.lease`. A regd's own lease never blocks
/// that regd.
extension Accounts {
  /// Adds a waiting mail. A bounded mail counts against the `MailBounds` of its address. If the bounds do not admit the
  /// mail, the store keeps nothing of it. For the bounds, a share (user and origin) is known at the address if the
  /// mail's `isKnown` is set, or if the audit shows that the share registered the account. Earlier mails with a future
  /// time, left by a clock that was ahead, count as made now. The same rules apply to a mail that another change adds.
  ///
  /// A change that ignores cancellation. After `unknown` the caller may repeat it: a mail with the same id is added
  /// once.
  package func add(_ mail: MailIntent) async throws(StoreFailure) {
    try await write(.addMail, ChangeScope(mails: [mail.id]), for: mail.share) { (rows) throws(StoreFailure) in
      try rows.write(.addMail(mail))
    }
  }

  /// Waiting mails in the order of their ids, which is the order in which they were made, starting after `after`. A list.
  package func mails(after: MailID?, limit: Int) async throws(StoreFailure) -> [StoredMail] {
    try await scan(.mails) { (rows) throws(StoreFailure) in try rows.mails(after: after, limit: limit) }
  }

  /// The mail with this id, in any state. A look-up.
  package func find(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await read(.findMail, ChangeScope(mails: [id]), ChangeScope.about) { (rows) throws(StoreFailure) in
      try rows.mail(id)
    }
  }

  /// Leases a waiting mail for this regd.
  ///
  /// An idempotent change.
  ///
  /// - Returns: The mail, with `isClaimedElsewhere` if another regd has the lease, or nil if the mail no longer waits.
  package func lease(mail id: MailID) async throws(StoreFailure) -> StoredMail? {
    try await write(.leaseMail, ChangeScope(mails: [id]), for: .daemon) { (rows) throws(StoreFailure) in
      guard let found = try rows.mail(id), found.state == .waiting else { return nil }
      if !found.isClaimedElsewhere { try rows.write(.leaseMail(id)) }
      return found
    }
  }

  /// Records a failed try, and ends this regd's lease. Does nothing if another regd has a lease, or if the mail no
  /// longer waits.
  ///
  /// An idempotent change that ignores cancellation.
  ///
  /// - Parameter mail: The mail after the try. The store takes only `attempts`, `reason` and `next` from it.
  /// - Returns: Whether the try was recorded.
  package func putOff(mail: StoredMail) async throws(StoreFailure) -> Bool {
    try await write(.putOffMail, ChangeScope(mails: [mail.intent.id]), for: .daemon) { (rows) throws(StoreFailure) in
      guard let found = try rows.mail(mail.intent.id), found.state == .waiting, !found.isClaimedElsewhere else {
        return false
      }
      try rows.write(.putOffMail(mail))
      return true
    }
  }

  /// Puts a waiting mail into its final state. Its row remains until a later sweep, so that regd still knows the mail
  /// when a late report about it comes. A mail that ends as `suppressed` is removed.
  ///
  /// An idempotent change that ignores cancellation.
  ///
  /// - Parameters:
  ///   - state: Any state but `waiting`.
  ///   - reason: Why the mail was refused, in words for administrators, or nil for other states.
  /// - Returns: Whether the mail was waiting.
  package func end(mail id: MailID, _ state: StoredMail.State, reason: String?) async throws(StoreFailure) -> Bool {
    try await write(.endMail, ChangeScope(mails: [id]), for: .daemon) { (rows) throws(StoreFailure) in
      guard try rows.mail(id)?.state == .waiting else { return false }
      try rows.write(.endMail(id, state, reason: reason))
      return true
    }
  }
}
