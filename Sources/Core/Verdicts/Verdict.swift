/// The result of checking a name and a password, the same in every protocol. A check that regd could not make is always
/// `away`, never `wrong`, so that a failing store does not look like a wrong password.
package enum Verdict: String, Sendable, CaseIterable {
  /// The password is the account's, and its owner may sign in.
  case right
  /// There is no such account, or the password is wrong. The caller does not learn which.
  case wrong
  /// The password is right, but the account may not be used now, for example because it is disabled.
  case refused
  /// regd could not check the password, for example because the store failed.
  case away

  /// Maps the reason of an error of `session.signIn` to a verdict. regd's doors (additional listening sockets) and
  /// helper programs share this table. A reason that is not listed, for example that of a newer regd, is `away`.
  package init(reason: String) { self = Self.byReason[reason] ?? .away }

  private static let byReason: [String: Verdict] = [
    "credentials.rejected": .wrong, "validation.failed": .wrong, "rpc.invalidParams": .wrong,
    "account.disabled": .refused, "account.pending": .refused, "account.waiting": .refused,
    "group.required": .refused,
  ]
}
