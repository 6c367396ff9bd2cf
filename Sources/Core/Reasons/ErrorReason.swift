/// An error's stable name, which programs switch on, with its code and its kind.
package struct ErrorReason: Hashable, Sendable {
  /// The name, for example `rpc.parse`. Reasons with equal names are equal.
  package let name: String
  /// The code of the error object. Negative codes belong to JSON-RPC (2.0 §5.1, and -32000 to -32099 for servers) and to the
  /// Language Server Protocol.
  package let code: Int
  package let kind: Kind

  init(_ name: String, _ code: Int, _ kind: Kind) {
    (self.name, self.code, self.kind) = (name, code, kind)
  }

  package static func == (one: ErrorReason, other: ErrorReason) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The reason with this name, or nil if this version of regd does not know the name.
  package static func named(_ name: String) -> ErrorReason? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}

extension ErrorReason {
  /// What a reason means, so that no other code decides this by a reason's name. The verdict on a login, the result
  /// codes of LDAP, the table of the PAM module and the reports of refused attempts all follow from the kind.
  package enum Kind: Sendable, CaseIterable {
    /// The address is unknown, or the password is wrong. The caller does not learn which.
    case credentials
    /// No account can have the values in the request.
    case input
    /// The password is right, but its account may not be used here or now.
    case refusal
    /// regd has decided against the call for any other cause. A repeat would have the same answer.
    case denial
    /// The caller, or regd, has reached a limit. A repeat after a pause may succeed.
    case limit
    /// Nothing is decided, because regd or a part that it needs has failed or is stopping, or because the work was
    /// ended early.
    case outage
    /// The caller breaks the rules of the protocol, or asks for more than it allows.
    case `protocol`
  }
}
