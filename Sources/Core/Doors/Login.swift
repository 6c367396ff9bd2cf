package import LoginVerdicts
package import Reasons
package import Registration

/// A name and a password, as a program sent them to a door.
package struct Login: Sendable {
  /// UTF-8, unless the program made a mistake.
  package let name: [UInt8]
  /// The domain for a name without an @. Empty if the program sends no realm.
  package let realm: [UInt8]
  /// As the program sent it: not validated, not normalized (NFC). Wiped when its last reference is released.
  package let password: Password
  /// The origin that the program names. Empty if it names none. The origin may be too long for an `Origin`:
  /// `LoginName` cuts it.
  package let origin: [UInt8]

  /// - Parameter password: The password, which the login takes over.
  package init(name: [UInt8], realm: [UInt8] = [], password: consuming [UInt8], origin: [UInt8] = []) {
    (self.name, self.realm, self.origin) = (name, realm, origin)
    self.password = Password(utf8: password)
  }
}

/// A question of a door's protocol, which the daemon answers.
package enum DoorQuestion: Sendable {
  /// Asks whether the credentials of a login are correct. The answer has a `LoginVerdict`.
  case signIn(Login)
  /// Asks whether an address has an account. The answer is `found`, `none` or `away`.
  ///
  /// - Parameter asker: The signed-in account whose right the question needs. The answer is `ended` if that sign-in has
  ///   ended in the meantime. Nil if the question needs no right.
  case find(name: [UInt8], asker: DoorAccount? = nil)
  /// Asks whether a sign-in of this connection is still valid. The answer is `found` with the account, `ended` or `away`.
  case check(DoorAccount)
  /// Asks for groups. The answer is `groups`, `ended` or `away`.
  ///
  /// - Parameter asker: As for `find`.
  case groups(GroupQuery, asker: DoorAccount? = nil)
}

/// A question for one group, or for the groups of one account.
package struct GroupQuery: Equatable, Sendable {
  /// Nil for the groups of `member`.
  package let name: GroupName?
  /// The name of the account that the answer should include, or nil for no account.
  package let member: [UInt8]?
  /// The most members that the answer lists, of all groups together. With 0, regd only finds out whether the group
  /// exists.
  package let mostMembers: Int

  package init(name: GroupName? = nil, member: [UInt8]? = nil, mostMembers: Int) {
    (self.name, self.member, self.mostMembers) = (name, member, mostMembers)
  }
}

/// The answer to a question. Doors switch over it without a default, so each door handles every answer.
package enum DoorAnswer: Equatable, Sendable {
  case right(DoorAccount)
  case wrong
  /// - Parameter reason: The error, such as `account.disabled`.
  case refused(reason: ErrorReason)
  /// - Parameters:
  ///   - reason: The error, such as `store.unavailable`.
  ///   - retryAfter: In seconds, or nil if unknown.
  case away(reason: ErrorReason, retryAfter: Int? = nil)
  /// An account that was found. Answers only `find`.
  case found(DoorAccount)
  /// No account has the address, or the text is not an address. Answers only `find`.
  case none
  /// The sign-in has ended, because its account was disabled, deleted or signed out, or has another password or
  /// address. Answers only `check`, and `find` and `groups` with an asker.
  case ended
  /// The groups that exist. Answers only `groups`.
  case groups(DoorGroups)

  /// The verdict on a login, or nil for the answers to `find`, `check` and `groups`.
  package var verdict: LoginVerdict? {
    switch self {
    case .right: .right
    case .wrong: .wrong
    case .refused: .refused
    case .away: .away
    case .found, .none, .ended, .groups: nil
    }
  }
}

/// The answer to a `GroupQuery`.
package struct DoorGroups: Equatable, Sendable {
  /// In the order of their names.
  package var groups: [DoorGroup]
  /// The account that the query names, whether it is in these groups or not. Nil if the query names no account, or no
  /// account has the name.
  package let member: DoorAccount?
  /// Whether there are more members than the query asks for. The list of the last group is then incomplete, and groups after it
  /// are missing.
  package var isCut: Bool

  package init(_ groups: [DoorGroup] = [], member: DoorAccount? = nil, isCut: Bool = false) {
    (self.groups, self.member, self.isCut) = (groups, member, isCut)
  }
}

/// A group as doors report it to programs.
package struct DoorGroup: Equatable, Sendable {
  package let name: GroupName
  /// The names (`DoorAccount.name`) of the listed members, in every state.
  package let members: [String]

  package init(_ name: GroupName, members: [String] = []) { (self.name, self.members) = (name, members) }
}

/// An account as doors report it to programs.
package struct DoorAccount: Equatable, Sendable {
  package let id: AccountID
  /// The account's address in the form by which regd compares addresses, so that one account is one mailbox, however
  /// the login was typed. No address has white space or control characters.
  package let name: String
  package let state: Account.State
  /// The address as it was typed.
  package let email: String
  package let groups: Groups
  package let displayName: DisplayName?
  /// The period in which the account's sign-ins are valid.
  let epoch: SessionEpoch

  package init(_ account: Account) {
    (id, name, state, epoch) = (account.id, account.email.key.value, account.state, account.epoch)
    (email, groups, displayName) = (account.email.typed, account.groups, account.displayName)
  }

  package init(
    id: AccountID, name: String, state: Account.State = .active, email: String? = nil, groups: Groups = .none,
    displayName: DisplayName? = nil
  ) {
    (self.id, self.name, self.state, epoch) = (id, name, state, .first)
    (self.email, self.groups, self.displayName) = (email ?? name, groups, displayName)
  }

  /// The names of the groups, with commas between them, or "" without groups.
  var groupList: String { groups.names.map(\.description).joined(separator: ",") }

  /// Whether a sign-in of `other` is still valid: another address, state or epoch ends it, other groups do not.
  func isSignedIn(as other: DoorAccount) -> Bool {
    id == other.id && name == other.name && state == other.state && epoch == other.epoch
  }
}
