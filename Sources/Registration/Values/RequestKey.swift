/// What a caller calls a registration of its own, so that it can ask again without registering twice.
///
/// The ids of two users have nothing to do with each other: nobody learns of another's registration by guessing its id.
package struct RequestKey: Hashable, Sendable {
  /// The user who asks.
  package let uid: UInt32
  package let id: String

  /// Bytes that an id may have: a UUID and a good deal more.
  package static let maximumLength = 255

  /// Nil where the id is empty, longer than `maximumLength`, or has a control character.
  package init?(uid: UInt32, id: String) {
    guard (1...Self.maximumLength).contains(id.utf8.count), id.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return nil
    }
    self.uid = uid
    self.id = id
  }

  // By bytes, as stores compare: String's own equality knows canonical equivalence.
  package static func == (one: RequestKey, other: RequestKey) -> Bool {
    one.uid == other.uid && one.id.utf8.elementsEqual(other.id.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(uid)
    for byte in id.utf8 { hasher.combine(byte) }
  }
}

/// A registration that a caller's id is known for.
package struct KnownRequest: Hashable, Sendable {
  /// As it is now.
  package let account: Account
  /// Of the password that the request came with, whatever the account's is now.
  package let passwordHash: PasswordHash

  package init(account: Account, passwordHash: PasswordHash) {
    self.account = account
    self.passwordHash = passwordHash
  }
}
