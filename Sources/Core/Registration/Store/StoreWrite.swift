/// A write that a store may defer until it commits. If what a write *requires* no longer holds, another transaction has
/// changed the rows since this one read them, and the store repeats the whole transaction.
package enum StoreWrite: Sendable {
  /// Writes an entry of the audit. The entries of a transaction get consecutive numbers in their order.
  case note(AuditEntry.Draft)
  /// Marks for erasure the addresses in all audit entries that the account has so far, because it no longer has these
  /// addresses.
  case endAddresses(of: AccountID, at: Timestamp)
  /// Records that a head of the audit was read.
  case noteAuditHead(at: Timestamp)

  /// Ends claims for the addresses of these accounts, which are no longer pending. An open registration with the
  /// account's id becomes `proven`. Each other open registration and change of address for the account's address
  /// becomes `taken`, and loses its use of an invitation unless it is concealed.
  case endClaims(of: [Account])
  /// Removes the open registration whose proof made the account.
  case endRegistration(of: AccountID)
  /// Removes the account's recoveries and changes of address that are not proven. Decoys and taken changes of address
  /// are also removed. A remaining claim would show its caller that another account has the address.
  case endRest(of: AccountID)
  /// Makes a claim `proven`. Requires that it is open and has not expired.
  case prove(ClaimID, at: Timestamp)
  /// Writes nothing. Requires that a claim is open and has not expired, and that its invitation is not revoked.
  case requireOpen(AddressClaim, at: Timestamp)
  /// Adds a mail and then its claim, which replaces an expired claim with the same request. Sets the claim's `mailed` to
  /// the bound that admits the mail. Unless that is the address's bound, removes older claims as
  /// `ClaimBounds.unmailedPerAddress` demands. Requires that no other claim or account has the request.
  case addClaim(AddressClaim, MailIntent, at: Timestamp)
  /// Gives a claim the new values of `Accounts.renew`. Requires that the claim has not changed since it was seen, and
  /// has not expired.
  case renewClaim(AddressClaim, seen: AddressClaim, MailIntent?, at: Timestamp)
  case removeClaim(ClaimID)
  /// Writes the claim's `attempts`, `generation` and `codeUntil` after a wrong guess.
  case countGuess(AddressClaim)
  /// Counts a wrong code at the address.
  case noteWrongCode(at: EmailKey, Timestamp)
  /// Passes the claim's use of an invitation, if any, to the account. If the account's registration is released, the
  /// claim has the use again.
  case passUse(from: ClaimID, to: AccountID, at: Timestamp)
  /// Erases the address and the note of the invitation of a single use that the account has.
  case forgetInvitation(of: AccountID)
  /// Removes all claims with the account's id. Claims of others for its address remain.
  case forgetClaims(of: Account)

  /// Adds a mail as `Accounts.add` defines.
  case addMail(MailIntent)
  /// Leases a mail for this regd. Requires that it waits, and that no other regd has a lease.
  case leaseMail(MailID)
  /// Records a failed try to send a mail. Requires the same as `leaseMail`.
  case putOffMail(StoredMail)
  /// Ends a mail. Requires that it waits.
  case endMail(MailID, StoredMail.State, reason: String?)
  /// Removes all mails with the account's id, and those for its address that belong to no claim.
  case forgetMails(of: Account)
}

extension StoreWrite {
  static func note(_ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp) -> StoreWrite {
    .note(AuditEntry.Draft(change, account, stamp))
  }
}
