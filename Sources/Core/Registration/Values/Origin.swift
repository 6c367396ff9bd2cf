/// What tells the users of one caller apart, in the caller's own words: an address, a session. A web front end calls for
/// many people through one uid; by their origins regd gives each of them a share, waits and an entry in the audit.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Bytes that an origin may have.
  package static let maximumLength = 128

  /// Nil if the text is empty or longer than `maximumLength`.
  package init?(_ text: String) {
    guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  package var description: String { text }

  // By bytes, as stores compare: String's own equality knows canonical equivalence.
  package static func == (one: Origin, other: Origin) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// The user, and the origin within it, to whom work is charged. Wherever something is shared, users take turns, and each
/// user's origins among themselves.
package struct Share: Hashable, Sendable {
  /// Nil for regd itself.
  package let uid: UInt32?
  package let origin: Origin?

  package init(uid: UInt32, origin: Origin? = nil) {
    self.uid = uid
    self.origin = origin
  }

  private init() { (uid, origin) = (nil, nil) }

  /// The share of regd's own work; it is treated like a user's.
  package static let daemon = Share()
}
