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

/// A clock that always shows the same time.
package struct FixedTime: TimeSource {
  private let time: Timestamp

  package init(_ time: Timestamp = Fixtures.time) { self.time = time }

  package func now() -> Timestamp { time }
}

/// A hasher without cost, so that tests of decisions do not wait. Its hashes are "plain:" and the password. A hasher of
/// a later generation makes other hashes, and finds the hashes of earlier generations outdated.
package struct PlainHasher: PasswordHasher, PasswordHashReader {
  private let generation: Int

  package init(generation: Int = 0) { self.generation = generation }

  package func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    Self.hash(password, generation)
  }

  package func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    for made in 0...generation where hash == Self.hash(password, made) {
      return .right(isOutdated: made < generation)
    }
    return .wrong
  }

  package func check(_ text: String) -> Result<PasswordHash, PasswordHashProblem> { .success(PasswordHash(phc: text)) }

  private static func hash(_ password: Password, _ generation: Int) -> PasswordHash {
    let prefix = generation == 0 ? "plain:" : "plain\(generation):"
    return PasswordHash(phc: prefix + password.withBytes { String(decoding: $0, as: UTF8.self) })
  }
}

extension PasswordHasher {
  /// Hashes on behalf of regd itself, not of a user.
  package func hash(_ password: Password) async throws(HashingFailure) -> PasswordHash {
    try await hash(password, HashingTurn(.daemon))
  }

  /// Verifies on behalf of regd itself, not of a user.
  package func verify(_ password: Password, against hash: PasswordHash?) async throws(HashingFailure) -> PasswordVerdict
  {
    try await verify(password, against: hash, HashingTurn(.daemon))
  }
}

extension NetworkService {
  /// Asks on behalf of regd itself, not of a user.
  package func isAvailable(_ email: EmailAddress) async throws(NetworkFailure) -> Bool {
    try await isAvailable(email, for: .daemon)
  }

  /// Registers on behalf of regd itself, not of a user.
  package func register(_ registration: UpstreamRegistration) async throws(NetworkFailure) -> UpstreamAnswer {
    try await register(registration, for: .daemon)
  }

  /// Signs in on behalf of regd itself, not of a user.
  package func signIn(_ email: EmailAddress, _ password: Password) async throws(NetworkFailure) -> UpstreamSession {
    try await signIn(email, password, for: .daemon)
  }
}

extension MemoryStore {
  /// How many accounts are pending.
  package func pendingCount() async throws(StoreFailure) -> Int { try await pending(after: nil, limit: .max).count }
}
