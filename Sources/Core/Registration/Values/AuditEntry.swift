/// One change of one account: what, when, and who asked for it. Written in the change's own transaction, and never
/// changed or removed afterwards, but for the address.
package struct AuditEntry: Hashable, Sendable {
  package enum Change: String, Sendable, CaseIterable {
    /// There is a new account, and it is active.
    case registered = "account.registered"
    /// There is a new account, and the upstream is still to be asked.
    case reserved = "account.reserved"
    /// A pending registration was asked for once more.
    case resumed = "account.resumed"
    /// The upstream has a pending account: it is active.
    case activated = "account.activated"
    /// A pending account was removed, because the upstream does not have it.
    case released = "account.released"
    /// There is a new account from elsewhere: an administrator has brought it, or, where the upstream is the authority for
    /// sign-ins, it has accepted a caller without an account here.
    case imported = "account.imported"
    case disabled = "account.disabled"
    case enabled = "account.enabled"
    case deleted = "account.deleted"
    /// An administrator has set another password.
    case passwordSet = "account.passwordSet"
    /// The owner has set another password.
    case passwordChanged = "account.passwordChanged"
    /// The owner has proven the address, and has set another password.
    case passwordRecovered = "account.passwordRecovered"
    /// The account has another address.
    case emailChanged = "account.emailChanged"
    /// The hash was replaced at a sign-in: by one of the same password with the parameters of today; or, where the
    /// upstream is the authority, by one of the password that it has accepted, or by one that no password has.
    case rehashed = "account.rehashed"
    /// So many wrong passwords came from a place that its owner has been at, that it counts as a stranger's now. At most one of an
    /// account within a day; the account itself has not changed.
    case guessed = "account.guessed"
  }

  /// From 1, growing; a number that was given is never given again.
  package let number: Int
  package let time: Timestamp
  package let change: Change
  package let account: AccountID
  /// The account's address as it was typed; nil once it was erased, some time after the account was deleted or had another.
  package var email: String?
  /// Nil if regd made the change of its own accord.
  package let by: Requester?
  /// The instance of the regd that made the change; nil for an entry of a version that did not note it.
  package var regd: String?

  package init(
    number: Int, change: Change, account: AccountID, email: String?, stamp: Stamp, regd: String?
  ) {
    self.number = number
    self.change = change
    self.account = account
    self.email = email
    time = stamp.time
    by = stamp.by
    self.regd = regd
  }
}
