package import Reasons

/// The result of checking a name and a password, the same in every protocol. A check that regd could not make is always
/// `away`, never `wrong`, so that a failing store does not look like a wrong password.
package enum LoginVerdict: String, Sendable, CaseIterable {
  /// The password is the account's, and its owner may sign in.
  case right
  /// There is no such account, or the password is wrong. The caller does not learn which.
  case wrong
  /// The password is right, but the account may not be used now, for example because it is disabled.
  case refused
  /// regd could not check the password, for example because the store failed.
  case away

  /// Maps the kind of an error of `session.signIn` to a verdict. regd's doors (additional listening sockets), helper
  /// programs and the PAM module share this table.
  package init(_ kind: ErrorReason.Kind) {
    self =
      switch kind {
      case .credentials, .input: .wrong
      case .refusal: .refused
      case .denial, .limit, .outage, .protocol: .away
      }
  }

  /// Maps the name of a reason, as an error of `session.signIn` has it, to a verdict. A name that this version of regd
  /// does not know is `away`.
  package init(reason name: String) {
    self = ErrorReason.named(name).map { LoginVerdict($0.kind) } ?? .away
  }
}
