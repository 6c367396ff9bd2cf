package import Registration

/// Values for tests.
package enum Fixtures {
  package static let time = Timestamp(microseconds: 1_795_258_620_000_000)

  package static func account(
    _ email: String = "name@example.com", state: Account.State = .active, hash: String = "hash of name",
    time: Timestamp = time
  ) -> StoredAccount {
    let address = EmailAddress(stored: email, key: EmailKey(email.lowercased()))
    return StoredAccount(
      account: Account(id: AccountID(at: time), email: address, state: state, createdAt: time, updatedAt: time),
      passwordHash: PasswordHash(phc: hash))
  }

  package static func password(_ text: String) -> Password { Password(utf8: Array(text.utf8)) }
}

/// A clock that stands still.
package struct FixedTime: TimeSource {
  private let time: Timestamp

  package init(_ time: Timestamp = Fixtures.time) { self.time = time }

  package func now() -> Timestamp { time }
}

/// A hasher without cost, so that tests of decisions do not wait; its hashes are "plain:" and the password.
package struct PlainHasher: PasswordHasher {
  private let isOutdated: Bool

  package init(isOutdated: Bool = false) { self.isOutdated = isOutdated }

  package func hash(_ password: Password) async throws(HashingFailure) -> PasswordHash { Self.hash(password) }

  package func verify(
    _ password: Password, against hash: PasswordHash?
  ) async throws(HashingFailure) -> PasswordVerdict {
    hash == Self.hash(password) ? .right(isOutdated: isOutdated) : .wrong
  }

  private static func hash(_ password: Password) -> PasswordHash {
    PasswordHash(phc: "plain:" + password.withBytes { String(decoding: $0, as: UTF8.self) })
  }
}
