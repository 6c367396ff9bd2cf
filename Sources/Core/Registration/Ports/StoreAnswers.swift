/// The answer to adding an account.
package enum InsertAnswer: Equatable, Sendable {
  case inserted
  case taken(StoredAccount)
  case requestKnown(KnownRequest)
  /// The invitation does not admit the address, or not any more; nothing was changed.
  case invitationRejected
}

/// The parts of adding an account beside the account itself.
package struct Admission: Equatable, Sendable {
  /// The invitation of which a use is taken; nil to take none.
  package var invitation: InvitationID?
  /// A mail that goes out with the change.
  package var notice: MailIntent?

  package init(invitation: InvitationID? = nil, notice: MailIntent? = nil) {
    (self.invitation, self.notice) = (invitation, notice)
  }
}

package enum InvitationAnswer: Equatable, Sendable {
  case added
  /// An account has the invited address; nothing was changed.
  case emailTaken
  /// `MailBounds` do not admit the mail; nothing was changed.
  case tooManyMails
}

/// The answer to claiming a pending account with a new mark.
package enum ResumeAnswer: Equatable, Sendable {
  /// It has the mark now, and this regd has the claim.
  case resumed
  /// It is gone, not pending, or was changed since it was read.
  case gone
  /// Another regd has a claim that has not run out: it may be asking the upstream just now.
  case claimed
}

package enum DeleteAnswer: Equatable, Sendable {
  case deleted
  /// There is no such account.
  case gone
  /// It is pending, and another regd has a claim that has not run out: it may be asking the upstream just now.
  case claimed
  /// It has another password than the caller has seen; nothing was changed.
  case changed
}

package enum NoteAnswer: Equatable, Sendable {
  /// The request is this account's, now or already.
  case noted
  /// The request is another account's.
  case known(KnownRequest)
  /// There is no such account.
  case gone
}

package enum ImportAnswer: Equatable, Sendable {
  case imported
  /// This very account is there already: the same address, and the same id or the same hash. Nothing was changed.
  case present
  /// Another account has the address.
  case emailTaken
  /// Another account has the id.
  case idTaken
}

extension StoredAccount {
  /// The answer to importing `other`, whose address this account has.
  package func answer(toImporting other: StoredAccount) -> ImportAnswer {
    account.id == other.account.id || passwordHash == other.passwordHash ? .present : .emailTaken
  }
}

/// An account with what was done to it.
package struct AccountHistory: Equatable, Sendable {
  package let account: StoredAccount
  /// Entries of the audit about the account, in the order of their numbers.
  package let entries: [AuditEntry]

  package init(account: StoredAccount, entries: [AuditEntry]) {
    self.account = account
    self.entries = entries
  }
}

/// Why a store could not do what it was asked. But for `unknown`, nothing was changed.
package enum StoreFailure: Error, Equatable, Sendable {
  /// It cannot be reached, is locked by another program, is damaged or is closed. May pass. `detail` is for the log.
  case unavailable(detail: String)
  /// There is no room.
  case full
  /// It may not be written.
  case readOnly
  /// The task was cancelled before it was the operation's turn.
  case cancelled
  /// The commit itself failed: the change is wholly done or wholly not, and which of them is known only when the store is
  /// looked at again. `detail` is for the log.
  case unknown(detail: String)
}
