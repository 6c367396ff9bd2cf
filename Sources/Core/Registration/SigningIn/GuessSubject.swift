/// The stored password with which regd compares the password of a registration or of a code, as opposed to a sign-in.
package enum GuessSubject: Hashable, Sendable {
  /// The account's own password. A right guess shows that the account's owner uses the caller's client (uid and
  /// origin).
  case account(AccountID)
  /// The password with which a registration was requested. The account may have another one by now. A wrong guess
  /// counts against the account, but a correct guess does not show that the account's owner uses the caller's client.
  case request
  /// The password with which a claim was made, whoever made it. A guess counts against the claim, and shows nothing
  /// about the account that has the address.
  case claim(ClaimID)

  /// The account whose own password is guessed, or nil for a request or a claim.
  var account: AccountID? {
    switch self {
    case .account(let id): id
    case .request, .claim: nil
    }
  }

  /// The name under which the throttle counts the guess. A claim's name has no @, so it never equals the key of an
  /// address.
  func name(at email: EmailAddress) -> String {
    switch self {
    case .account, .request: email.key.value
    case .claim(let id): id.description
    }
  }
}
