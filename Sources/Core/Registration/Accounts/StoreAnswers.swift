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
  /// The ids that `Accounts.released` gave the caller. If the store's latest release is not among them, the account
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

// MARK: - Claims and invitations

package enum ClaimAnswer: Equatable, Sendable {
  case added
  /// The request has a claim already. Nothing was changed.
  case requestKnown(AddressClaim)
  /// The request has an account already. Nothing was changed.
  case requestHasAccount(KnownRequest)
  /// The account whose address was to change is gone, not active, or has another password. Nothing was changed.
  case outdated
  /// The invitation does not admit the address, or no longer does. Nothing was changed.
  case invitationRejected
}

package enum GuessAnswer: Equatable, Sendable {
  /// The code is correct. The claim is returned in any state.
  case right(AddressClaim)
  /// `attemptsLeft` is 0 if the claim has ended.
  case wrong(attemptsLeft: Int)
  /// The claim got another code after the caller compared the guess. Nothing was counted.
  case outdated
  case gone
}

package enum ProofAnswer: Equatable, Sendable {
  case added
  /// This account already has the address or the id. If an earlier try to prove the claim made this account, and the
  /// account is not pending, the claim is now `proven`.
  case taken(StoredAccount)
  /// The claim is gone, or not open.
  case gone
  /// `WaitingBounds` do not admit another waiting account of the registrant. Nothing was changed.
  case tooManyWaiting
}

package enum EmailChangeAnswer: Equatable, Sendable {
  case changed(Account)
  /// Another account has the new address, or had it at some time since the claim was made.
  case taken
  /// The account is gone, is not active, or got another address or password, or the claim is gone.
  case gone
}

/// The answer to looking an invitation up.
package enum Admittance: Equatable, Sendable {
  /// The invitation admits the address.
  case admitted(Invitation)
  /// The invitation does not admit the address, or not any more. Nil if there is no such invitation.
  case refused(Invitation?)

  package var admitted: Invitation? { if case .admitted(let invitation) = self { invitation } else { nil } }

  package var invitation: Invitation? {
    switch self {
    case .admitted(let invitation): invitation
    case .refused(let invitation): invitation
    }
  }
}
