internal import Doors

/// A decoded request, without pointers into the message's memory.
struct LDAPRequest {
  enum Operation {
    /// - Parameter login: Nil for any method but the simple one.
    case bind(version: Int32, login: Login?)
    case unbind
    case search(LDAPSearch)
    case abandon
    case extended(name: String, hasValue: Bool)
    case compare(LDAPComparison)
    /// A request to change entries, which regd refuses.
    ///
    /// - Parameter response: The tag of the response to it.
    case change(response: UInt)
    /// A well-formed request that regd answers with this error.
    case refused(response: UInt, LDAPResult)
  }

  let id: Int32
  let operation: Operation
  /// Whether the request has a critical control. regd knows no control.
  let isControlled: Bool
}

/// A question whether an entry has a value (RFC 4511 §4.10).
struct LDAPComparison: Sendable {
  let entry: DistinguishedName
  /// Nil for an attribute that no entry of the directory has.
  let type: AttributeType?
  /// The equality with the value, as `Directory.resolved` makes it.
  let filter: Filter
}

/// A search. Leaves out the request's time limit and its rule for aliases, because answers have a time limit anyway, and regd has
/// no aliases.
struct LDAPSearch: Sendable {
  enum Scope: Int32, Sendable {
    case base = 0
    case one = 1
    case subtree = 2
    /// All entries below the base, without the base itself (draft-sermersheim-ldap-subordinate-scope, which OpenLDAP supports).
    case below = 3
  }

  let base: DistinguishedName
  let scope: Scope
  /// As `Directory.resolved` makes it.
  let filter: Filter
  /// The most entries that the client takes, or 0 for any number.
  let mostEntries: Int
  let selection: Selection
}
