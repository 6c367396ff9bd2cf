package import JSONRPC

/// What an operator may want to know.
package enum ServerEvent: Sendable {
  /// A connection could not be accepted, for lack of descriptors mostly; it is tried again in a moment.
  case acceptFailed(errorNumber: Int32)
  /// A connection was closed because it took nothing of the bytes that wait for it.
  case stalled(Caller, bytes: Int)
  /// A connection was refused because there are too many.
  case refused(Caller, RPCError)
  /// The first caller of a user that regd's user namespace does not know; all such users have this uid (user_namespaces(7)).
  case unmapped(Caller)
}
