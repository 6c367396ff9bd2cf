/// Whose password a guess is at, where it comes with a registration or a code.
package enum GuessSubject: Hashable, Sendable {
  /// The account's own. The right one makes the place known.
  case account(AccountID)
  /// That which a registration was asked for with; the account's may be another one by now. A wrong one counts at the account,
  /// and the right one makes no place known there.
  case request
  /// That which a claim was made with, by whoever has made it. It is throttled by itself, and says nothing of the account that
  /// has the address.
  case claim(ClaimID)

  /// The account whose own password it is.
  var account: AccountID? {
    switch self {
    case .account(let id): id
    case .request, .claim: nil
    }
  }

  /// The name that the throttle counts by. A claim's is no key of an address: it has no @.
  func name(at email: EmailAddress) -> String {
    switch self {
    case .account, .request: email.key.value
    case .claim(let id): id.description
    }
  }
}
