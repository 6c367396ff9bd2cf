/// What regd's answer to a sign-in means to another program. Every reason has one; which is not named here is away, so that what regd
/// did not decide is never told as a wrong password.
package enum Verdict: Equatable, Sendable, CaseIterable {
  /// The password is the account's.
  case right
  /// The password is not the account's, or nothing that an account could have.
  case wrong
  /// The password is the account's, but the account may not sign in.
  case refused
  /// Nothing was decided.
  case away

  /// - Parameter reason: The reason of regd's error, known or unknown.
  package init(reason: String) {
    switch reason {
    case "credentials.rejected", "validation.failed", "rpc.invalidParams": self = .wrong
    case "account.disabled", "account.pending", "account.waiting": self = .refused
    default: self = .away
    }
  }
}
