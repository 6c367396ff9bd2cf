/// A write that a store may put off until it commits. One that *requires* something was decided on what the transaction
/// has read: if that no longer holds, another transaction was faster, and the whole transaction is done again.
package enum StoreWrite: Sendable {
  /// Writes an entry of the audit. The entries of a transaction get consecutive numbers in their order.
  case note(AuditEntry.Draft)
  /// Marks all addresses of the account in the audit so far to be erased, because the account no longer has them.
  case endAddresses(of: AccountID, at: Timestamp)

  /// Accounts that are not pending now have the address: makes an open registration of the same account `proven`, and
  /// each other open registration and change of address for it `taken`.
  case endClaims(of: [Account])
  /// Removes the account's open recoveries and changes of address.
  case endRest(of: AccountID)
  /// Makes a claim `proven`. Requires that it is open and has not expired.
  case prove(ClaimID, at: Timestamp)
  /// Requires that a claim is open and has not expired.
  case requireOpen(ClaimID, at: Timestamp)
  /// Adds a claim after its mail, replacing an expired one with the same request. The claim `isMailed` if the mail is
  /// admitted; otherwise makes room as `ClaimBounds` defines. Requires that no other claim or account has the request.
  case addClaim(AddressClaim, MailIntent, at: Timestamp)
  /// Gives a claim the new values of `ClaimStore.renew`. Requires that it is unchanged since it was seen, and has not
  /// expired.
  case renewClaim(AddressClaim, seen: AddressClaim, MailIntent?, at: Timestamp)
  case removeClaim(ClaimID)
  /// Passes the use that a claim holds, if any, to the account; the claim gets it back if the account gives it back.
  case passUse(from: ClaimID, to: AccountID)
  /// Removes all claims that hold a use of an invitation.
  case endHolders(of: InvitationID)
  /// Erases the addresses of invitations one of whose uses the account has.
  case forgetInvitation(of: AccountID)
  /// Removes all claims for the account's address or with its id.
  case forgetClaims(of: Account)

  /// Adds a mail as `MailStore.add` defines.
  case addMail(MailIntent)
  /// Leases a mail for this regd. Requires that it waits, and that no other regd has a lease.
  case leaseMail(MailID)
  /// Notes a failed try. Requires what `leaseMail` does.
  case putOffMail(StoredMail)
  /// Ends a mail. Requires that it waits.
  case endMail(MailID, StoredMail.State, reason: String?)
  /// Removes all mails for the account's address or with its id.
  case forgetMails(of: Account)
}

extension StoreWrite {
  static func note(_ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp) -> StoreWrite {
    .note(AuditEntry.Draft(change, account, stamp))
  }
}
