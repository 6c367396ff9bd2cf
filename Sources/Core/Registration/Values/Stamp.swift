/// The time of a change and its requester, as the audit records them.
package struct Stamp: Hashable, Sendable {
  package let time: Timestamp
  /// The requester, or nil if regd makes the change without a request.
  package let by: Requester?

  package init(_ time: Timestamp, by: Requester? = nil) {
    self.time = time
    self.by = by
  }
}

/// The process that made a request, according to the kernel (SO_PEERCRED, unix(7)), and the origin that this process names.
package struct Requester: Hashable, Sendable {
  package let uid: UInt32
  /// The id of the process, or 0 if unknown.
  package let pid: Int32
  package let origin: Origin?
  /// The configured name of the door (another listening point) through which the request came, or nil for regd's own
  /// socket.
  package let door: String?

  package init(uid: UInt32, pid: Int32, origin: Origin? = nil, door: String? = nil) {
    self.uid = uid
    self.pid = pid
    self.origin = origin
    self.door = door
  }

  package var share: Share { Share(uid: uid, origin: origin) }
}

extension Requester? {
  /// The requester's share, or regd's own share if there is no requester.
  package var share: Share { self?.share ?? .daemon }
}
