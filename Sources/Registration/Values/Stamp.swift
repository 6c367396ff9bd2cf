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

/// The process that asked for something, as the kernel says (SO_PEERCRED, unix(7)).
package struct Requester: Hashable, Sendable {
  package let uid: UInt32
  /// 0 where it is not known.
  package let pid: Int32

  package init(uid: UInt32, pid: Int32) {
    self.uid = uid
    self.pid = pid
  }
}
