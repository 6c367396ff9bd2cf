/// The password that a guess is aimed at, if the guess comes with a registration or a code.
package enum GuessSubject: Hashable, Sendable {
  /// The account's own password. The right one makes the place known.
  case account(AccountID)
  /// The password with which a registration was requested; the account may have another one by now. A wrong guess counts at the
  /// account, but the right one makes no place known there.
  case request
  /// The password with which a claim was made, by whoever made it. It has its own throttle, and proves nothing about
  /// the account that has the address.
  case claim(ClaimID)

  /// The account whose own password it is; nil for a request or a claim.
  var account: AccountID? {
    switch self {
    case .account(let id): id
    case .request, .claim: nil
    }
  }

  /// The name under which the throttle counts. A claim's name cannot equal an address's key, because it has no @.
  func name(at email: EmailAddress) -> String {
    switch self {
    case .account, .request: email.key.value
    case .claim(let id): id.description
    }
  }
}
