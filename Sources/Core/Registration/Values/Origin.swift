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
