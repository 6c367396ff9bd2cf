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

/// What a registration was reserved as that was released again. Whoever asks for it once more asks the upstream for the very
/// same: a proxy's answer may have hidden that the upstream did what it was asked.
package struct ReleasedRegistration: Hashable, Sendable {
  package let id: AccountID
  /// As it was typed then.
  package let email: EmailAddress
  /// Of the password that the request came with.
  package let passwordHash: PasswordHash

  /// How long one is remembered; upstreams forget their idempotency keys earlier.
  package static let lifetime = Duration.seconds(7 * 86_400)
  /// How many are remembered of one user.
  package static let mostPerUser = 10_000
  /// How many are given for one request.
  package static let mostGiven = 3

  package init(id: AccountID, email: EmailAddress, passwordHash: PasswordHash) {
    self.id = id
    self.email = email
    self.passwordHash = passwordHash
  }
}
