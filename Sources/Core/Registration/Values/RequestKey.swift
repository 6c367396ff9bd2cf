/// A caller's own id for a registration (an idempotency key), with which the caller can repeat a request without registering
/// twice.
///
/// The ids of two users are independent: no user learns of another's registration by guessing an id.
package struct RequestKey: Hashable, Sendable {
  /// The user that the id belongs to.
  package let uid: UInt32
  package let id: String

  /// The most bytes of an id. A UUID has 36.
  package static let maximumLength = 255

  /// - Returns: Nil if the id is empty, longer than `maximumLength`, or has a control character.
  package init?(uid: UInt32, id: String) {
    guard (1...Self.maximumLength).contains(id.utf8.count), id.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return nil
    }
    self.uid = uid
    self.id = id
  }

  // Compares bytes, as stores do, because String's own equality uses canonical equivalence.
  package static func == (one: RequestKey, other: RequestKey) -> Bool {
    one.uid == other.uid && one.id.utf8.elementsEqual(other.id.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(uid)
    for byte in id.utf8 { hasher.combine(byte) }
  }
}

/// The registration that a caller's request has made.
package struct KnownRequest: Hashable, Sendable {
  /// The account in its present state.
  package let account: Account
  /// The hash of the password that came with the request. The account may have another one by now.
  package let passwordHash: PasswordHash

  package init(account: Account, passwordHash: PasswordHash) {
    self.account = account
    self.passwordHash = passwordHash
  }
}

/// A registration that was reserved and then released: removed because an answer, such as 503, meant that the upstream
/// has not acted. If the caller repeats its request, regd asks the upstream for the same registration again, because
/// the answer may have come from a proxy although the upstream has the account.
package struct ReleasedRegistration: Hashable, Sendable {
  package let id: AccountID
  /// The address as it was typed in the request.
  package let email: EmailAddress
  /// The hash of the password that came with the request.
  package let passwordHash: PasswordHash

  /// How long a release is remembered. Upstreams forget their idempotency keys sooner.
  package static let lifetime = Duration.seconds(7 * 86_400)
  /// The most releases that are remembered for one user.
  package static let mostPerUser = 10_000
  /// When a user has more than `mostPerUser` releases, the store forgets some until this many remain. The number is
  /// lower than `mostPerUser`, because choosing the releases to forget is too slow to do at each new release.
  package static let mostLeft = 9900
  /// The most registrations that are returned for one request.
  package static let mostGiven = 3

  package init(id: AccountID, email: EmailAddress, passwordHash: PasswordHash) {
    self.id = id
    self.email = email
    self.passwordHash = passwordHash
  }
}
