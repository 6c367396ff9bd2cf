/// The password at which a guess is aimed, if it comes with a registration or a code instead of a sign-in.
package enum GuessSubject: Hashable, Sendable {
  /// The account's own password. The right one shows that the account's owner is at the caller's place (uid and origin).
  case account(AccountID)
  /// The password with which a registration was requested; the account may have another one by now. A wrong guess counts at the
  /// account, but the right one does not show that its owner is at the caller's place.
  case request
  /// The password with which a claim was made, whoever made it. Guesses at it are counted for the claim, and prove nothing
  /// about the account that has the address.
  case claim(ClaimID)

  /// The account at whose own password the guess is aimed; nil for a request or a claim.
  var account: AccountID? {
    switch self {
    case .account(let id): id
    case .request, .claim: nil
    }
  }

  /// The name under which the throttle counts the guess. The name of a claim has no @, so it equals no key of an address.
  func name(at email: EmailAddress) -> String {
    switch self {
    case .account, .request: email.key.value
    case .claim(let id): id.description
    }
  }
}
