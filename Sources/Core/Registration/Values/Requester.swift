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

/// A caller's own name for one of its users, such as an address or a session. A web front end makes requests for many
/// people under one uid. By the origin, regd distinguishes these people in queues, in waits after wrong passwords, and
/// in the audit.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// The most bytes of an origin.
  package static let maximumLength = 128

  /// - Returns: Nil if the text is empty or longer than `maximumLength`.
  package init?(_ text: String) {
    guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  package var description: String { text }

  // Compares bytes, as stores do, because String's own equality uses canonical equivalence.
  package static func == (one: Origin, other: Origin) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// The user, and the origin of that user, for whom work is done. Wherever work has to queue, users take turns, and so do the
/// origins of a user.
package struct Share: Hashable, Sendable {
  /// The user, or nil for regd itself.
  package let uid: UInt32?
  package let origin: Origin?

  package init(uid: UInt32, origin: Origin? = nil) {
    self.uid = uid
    self.origin = origin
  }

  private init() { (uid, origin) = (nil, nil) }

  /// The share of regd itself, whose work takes turns like a user's.
  package static let daemon = Share()

  /// The share for which the current task works. A store's look-ups and lists take turns by it. Set once for each
  /// request, where the requester is known. The task's child tasks inherit it.
  @TaskLocal package static var current = Share.daemon
}

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
