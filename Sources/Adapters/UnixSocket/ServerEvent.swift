package import WireProtocols

/// An event that an operator may want to know.
package enum ServerEvent: Sendable {
  /// A connection could not be accepted, usually because no descriptor was free. regd tries again after a pause.
  case acceptFailed(errorNumber: Int32)
  /// A connection was closed because its caller took none of the bytes that wait for it, or not all of them within the time
  /// that a user who may no longer connect has.
  case stalled(Peer, bytes: Int)
  /// A connection was refused because there are too many, because regd stops, or because the rules deny its user. Also an
  /// open connection whose user a reload denies.
  case refused(Peer, Refusal)
  /// A connection was closed without a byte, because the listening point does not admit its user, or the rules deny it. Also
  /// an open connection whose user loses the right to connect at a reload.
  case notAdmitted(Peer, at: String)
  /// The first caller whose user is not mapped in regd's user namespace. All such users share this uid
  /// (user_namespaces(7)).
  case unmapped(Peer)
  /// The first caller that was denied although the kernel does not report its groups. The rules deny a group, so they deny
  /// every such caller.
  case groupsUnknown(Peer)
}
