/// A caller's own id for a registration (an idempotency key), so that it can repeat the request without registering twice.
///
/// The ids of two users are independent of each other: no user learns of another's registration by guessing its id.
package struct RequestKey: Hashable, Sendable {
  /// The user whose id it is.
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

/// A registration that was reserved and released again. A repeat of it asks the upstream for the very same: a proxy's answer
/// may have hidden that the upstream has registered it.
package struct ReleasedRegistration: Hashable, Sendable {
  package let id: AccountID
  /// As it was typed then.
  package let email: EmailAddress
  /// Of the password that the request came with.
  package let passwordHash: PasswordHash

  /// How long one is remembered; upstreams forget their idempotency keys earlier.
  package static let lifetime = Duration.seconds(7 * 86_400)
  /// How many are remembered for one user.
  package static let mostPerUser = 10_000
  /// How many of one user stay when room is made among them: whose is to go takes long to find out, and is not asked for each.
  package static let mostLeft = 9900
  /// How many are returned for one request.
  package static let mostGiven = 3

  package init(id: AccountID, email: EmailAddress, passwordHash: PasswordHash) {
    self.id = id
    self.email = email
    self.passwordHash = passwordHash
  }
}
