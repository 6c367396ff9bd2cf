package import Dialogues

/// An event that an operator may want to know.
package enum ServerEvent: Sendable {
  /// A connection could not be accepted, usually for lack of descriptors; regd tries again after a pause.
  case acceptFailed(errorNumber: Int32)
  /// A connection was closed because its caller took none of the bytes that wait for it.
  case stalled(Caller, bytes: Int)
  /// A connection was refused because there are too many, because regd stops, or because the rules deny its user. Also an
  /// open connection whose user a reload denies.
  case refused(Caller, Refusal)
  /// A connection was closed without a byte, because the listening point does not admit its user, or the rules deny it.
  case notAdmitted(Caller, at: String)
  /// The first caller whose user is not mapped in regd's user namespace; all such users share this uid
  /// (user_namespaces(7)).
  case unmapped(Caller)
}
