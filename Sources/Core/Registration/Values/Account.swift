/// A registered account, as callers see it.
package struct Account: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Registered. The owner may sign in.
    case active
    /// Reserved: regd does not know yet whether the upstream has the account. The address is not free.
    case pending
    /// An administrator has disabled it. The address is not free.
    case disabled
    /// An administrator has to approve it. The address is not free.
    case waiting

    /// Whether the account may still have to be approved. In other states its store keeps no `Registrant`.
    package var keepsRegistrant: Bool {
      switch self {
      case .waiting, .pending: true
      case .active, .disabled: false
      }
    }
  }

  package let id: AccountID
  package var email: EmailAddress
  package var state: State
  package let createdAt: Timestamp
  package var updatedAt: Timestamp
  /// The period in which the account's sign-ins are valid. Callers see only the stamps that depend on it
  /// (`SessionStamps`).
  package var epoch: SessionEpoch
  /// The terms that the owner accepted last, or nil if the owner never accepted any.
  package var terms: AcceptedTerms?
  package var groups: Groups
  /// The name that the owner or an administrator has given the account, or nil if the account has no name.
  package var displayName: DisplayName?
  /// Whether the owner has proven the present address: by a claim, a recovery or a mailed invitation. Nil for an account that
  /// is older than this record.
  package var isProven: Bool?

  package init(
    id: AccountID, email: EmailAddress, state: State, createdAt: Timestamp, updatedAt: Timestamp,
    terms: AcceptedTerms? = nil, epoch: SessionEpoch = .first, isProven: Bool? = nil, groups: Groups = .none,
    displayName: DisplayName? = nil
  ) {
    (self.groups, self.displayName) = (groups, displayName)
    self.isProven = isProven
    self.terms = terms
    self.epoch = epoch
    self.id = id
    self.email = email
    self.state = state
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Account {
  /// Whether the account becomes disabled, and not active, once its registration is complete.
  var becomesDisabled: Bool { epoch == .firstOfDisabled }

  /// The account with the epoch in which a caller proved to be its owner. If that epoch has ended, a stamp made from
  /// this value is invalid.
  package func proven(in epoch: SessionEpoch) -> Account {
    var account = self
    account.epoch = epoch
    return account
  }
}

/// An account with the parts that no caller sees.
package struct StoredAccount: Hashable, Sendable {
  package var account: Account
  package var passwordHash: PasswordHash
  /// When the hash was last known to be correct, because the account was registered or imported, the password was
  /// changed, or the upstream, as the authority, accepted the password. Nil if the authority has refused the account
  /// since.
  package var confirmedAt: Timestamp?
  /// Who registered an account that has to be approved, or nil if that is unknown, decided or not needed.
  package var registrant: Registrant?

  package init(
    account: Account, passwordHash: PasswordHash, confirmedAt: Timestamp?, registrant: Registrant? = nil
  ) {
    self.account = account
    self.passwordHash = passwordHash
    self.confirmedAt = confirmedAt
    self.registrant = registrant
  }

  /// An account whose hash was confirmed when the account was last changed.
  package init(account: Account, passwordHash: PasswordHash) {
    self.init(account: account, passwordHash: passwordHash, confirmedAt: account.updatedAt)
  }
}
