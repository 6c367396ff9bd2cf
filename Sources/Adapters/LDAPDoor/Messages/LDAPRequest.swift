internal import Doors

/// The operation that a message asks for. Nothing in it lends memory.
struct LDAPRequest {
  enum Operation {
    /// - Parameter login: Nil for any way but the simple one.
    case bind(version: Int32, login: Login?)
    case unbind
    case search(LDAPSearch)
    case abandon
    case extended(name: String, hasValue: Bool)
    /// - Parameter response: The tag of its response.
    case change(response: UInt)
    /// An operation that regd understands, but cannot do.
    case refused(response: UInt, LDAPResult)
  }

  let id: Int32
  let operation: Operation
  /// Whether a control is critical. regd knows none.
  let isControlled: Bool
}

/// A search, as far as regd needs it: one entry reaches no size limit, and there are no aliases to follow.
struct LDAPSearch: Sendable {
  enum Scope: Int32, Sendable {
    case base = 0
    case one = 1
    case subtree = 2
    /// All below the base, without it (draft-sermersheim-ldap-subordinate-scope, which OpenLDAP has).
    case below = 3
  }

  let base: DistinguishedName
  let scope: Scope
  let filter: Filter
  let selection: Selection
}
