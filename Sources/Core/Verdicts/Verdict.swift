/// The verdict on a login, in every protocol. A login that regd did not decide (`away`) is never reported as a wrong
/// password, and a wrong password never as away.
package enum Verdict: String, Sendable, CaseIterable {
  /// The password is the account's, and its owner may sign in.
  case right
  /// There is no such account, or the password is wrong; the caller does not learn which.
  case wrong
  /// The password is right, and the account may not be used now.
  case refused
  /// Whether the password is right is unknown.
  case away

  /// The verdict of an error's reason: the one table for doors and for the programs around regd. A reason that is not
  /// listed, because it is newer, is `away`.
  package init(reason: String) { self = Self.byReason[reason] ?? .away }

  private static let byReason: [String: Verdict] = [
    "credentials.rejected": .wrong, "validation.failed": .wrong, "rpc.invalidParams": .wrong,
    "account.disabled": .refused, "account.pending": .refused, "account.waiting": .refused,
  ]
}
