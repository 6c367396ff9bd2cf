/// The answer to adding an account.
package enum InsertAnswer: Equatable, Sendable {
  case inserted
  case taken(StoredAccount)
  case requestKnown(KnownRequest)
  /// The invitation does not admit the address, or no longer does. Nothing was changed.
  case invitationRejected
  /// `WaitingBounds` do not admit another waiting account of the registrant. Nothing was changed.
  case tooManyWaiting
  /// `Admission.releases` lacks this registration, the last one that was released for the request and address. Nothing
  /// was changed.
  case releasedMeanwhile(AccountID)
}

/// The conditions for adding an account, and the notice that goes with it.
package struct Admission: Equatable, Sendable {
  /// The invitation of which the account takes a use, or nil for none.
  package var invitation: InvitationID?
  /// A mail that the store adds in the same transaction.
  package var notice: MailIntent?
  /// The ids that `AccountStore.released` gave the caller. If the store's latest release is not among them, the account
  /// is not added. Nil skips this check.
  package var releases: [AccountID]?

  package init(invitation: InvitationID? = nil, notice: MailIntent? = nil, releases: [AccountID]? = nil) {
    (self.invitation, self.notice, self.releases) = (invitation, notice, releases)
  }
}

package enum InvitationAnswer: Equatable, Sendable {
  case added
  /// An account has the invited address. Nothing was changed.
  case emailTaken
  /// `MailBounds` do not admit the mail. Nothing was changed.
  case tooManyMails
}

/// The answer of `resume`, which claims a pending account.
package enum ResumeAnswer: Equatable, Sendable {
  /// The account has the new mark, and this regd has the claim.
  case resumed
  /// The account is gone, not pending, or was changed since the caller read it.
  case gone
  /// Another regd has claimed the account, and may be asking the upstream just now. Its claim has not expired.
  /// `wasPutOff`: the last recorded request to the upstream failed, perhaps only for now. With
  /// `network.whenUnreachable: defer`, the caller that registered got the answer that the account is accepted.
  case claimed(wasPutOff: Bool)
}

package enum DeleteAnswer: Equatable, Sendable {
  case deleted
  /// The account does not exist.
  case gone
  /// The account is pending, and another regd has a claim that has not expired: that regd may be asking the upstream just now.
  case claimed
  /// The account has another password than the caller's. Nothing was changed.
  case changed
}

package enum GroupingAnswer: Equatable, Sendable {
  /// The account, which now has the groups, perhaps since before the call.
  case account(Account)
  /// The account would be in more than `Groups.most` groups. Nothing was changed.
  case tooMany
  /// There is no such account.
  case gone
}

package enum NoteAnswer: Equatable, Sendable {
  /// The request belongs to this account, perhaps already before the call.
  case noted
  /// The request belongs to another account.
  case known(KnownRequest)
  /// The account does not exist.
  case gone
}

package enum ImportAnswer: Equatable, Sendable {
  case imported
  /// The account already exists, with the same address and the same id or hash. Nothing was changed.
  case present
  /// Another account has the address.
  case emailTaken
  /// Another account has the id.
  case idTaken
}

extension StoredAccount {
  /// The answer to importing `other`, which has the same address as this account.
  package func answer(toImporting other: StoredAccount) -> ImportAnswer {
    account.id == other.account.id || passwordHash == other.passwordHash ? .present : .emailTaken
  }
}

/// An account and audit entries about it.
package struct AccountHistory: Equatable, Sendable {
  package let account: StoredAccount
  /// Entries of the audit about the account, in the order of their numbers.
  package let entries: [AuditEntry]

  package init(account: StoredAccount, entries: [AuditEntry]) {
    self.account = account
    self.entries = entries
  }
}
