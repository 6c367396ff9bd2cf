/// When a change is made, and for whom: what the audit keeps beside what was changed.
package struct Stamp: Hashable, Sendable {
  package let time: Timestamp
  /// Nil where regd does it of itself.
  package let by: Requester?

  package init(_ time: Timestamp, by: Requester? = nil) {
    self.time = time
    self.by = by
  }
}

/// The process that asked for something, as the kernel says (SO_PEERCRED, unix(7)), and for whom, as it says itself.
package struct Requester: Hashable, Sendable {
  package let uid: UInt32
  /// 0 where it is not known.
  package let pid: Int32
  package let origin: Origin?

  package init(uid: UInt32, pid: Int32, origin: Origin? = nil) {
    self.uid = uid
    self.pid = pid
    self.origin = origin
  }

  package var share: Share { Share(uid: uid, origin: origin) }
}

extension Requester? {
  /// regd's own where nobody asked.
  package var share: Share { self?.share ?? .daemon }
}
