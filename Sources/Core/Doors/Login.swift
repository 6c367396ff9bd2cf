package import Registration
package import Verdicts

/// A name and a password, as a program sent them to a door.
package struct Login: Sendable {
  /// UTF-8, unless the program made a mistake.
  package let name: [UInt8]
  /// The domain for a name without an @; empty if the program sends none.
  package let realm: [UInt8]
  /// As the program sent it: not validated, not normalized (NFC). Wiped when its last reference is released.
  package let password: Password
  /// The origin that the program names; empty for none. It may be too long for an `Origin`: `LoginName` cuts it.
  package let origin: [UInt8]

  /// - Parameter password: The password, which the login takes over.
  package init(name: [UInt8], realm: [UInt8] = [], password: consuming [UInt8], origin: [UInt8] = []) {
    (self.name, self.realm, self.origin) = (name, realm, origin)
    self.password = Password(utf8: password)
  }
}

/// A question of a door's protocol, which the daemon answers.
package enum DoorQuestion: Sendable {
  /// Asks whether a login is right; the answer has a `Verdict`.
  case signIn(Login)
  /// Asks whether an address has an account; the answer is `found`, `none` or `away`.
  case find(name: [UInt8])
}

/// The answer to a question. Doors switch over it without a default, so each door handles every answer.
package enum DoorAnswer: Equatable, Sendable {
  case right(DoorAccount)
  case wrong
  /// - Parameter reason: The error's name, such as `account.disabled`.
  case refused(reason: String)
  /// - Parameters:
  ///   - reason: The error's name, such as `store.unavailable`.
  ///   - retryAfter: In seconds; nil if unknown.
  case away(reason: String, retryAfter: Int? = nil)
  /// An account that was found; only an answer to `find`.
  case found(DoorAccount)
  /// No account has the address, or the text is not an address; only an answer to `find`.
  case none

  /// The verdict on a login; nil for the answers to `find`.
  package var verdict: Verdict? {
    switch self {
    case .right: .right
    case .wrong: .wrong
    case .refused: .refused
    case .away: .away
    case .found, .none: nil
    }
  }
}

/// An account as doors report it to programs.
package struct DoorAccount: Equatable, Sendable {
  package let id: AccountID
  /// The account's address in the form by which regd compares addresses, so that one account is one mailbox, however
  /// the login was typed. No address has white space or control characters.
  package let name: String
  package let state: Account.State

  package init(_ account: Account) {
    (id, name, state) = (account.id, account.email.key.value, account.state)
  }

  package init(id: AccountID, name: String, state: Account.State = .active) {
    (self.id, self.name, self.state) = (id, name, state)
  }
}
