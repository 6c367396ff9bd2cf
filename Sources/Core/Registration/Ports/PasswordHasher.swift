package import Localization

/// Hashes passwords and compares them with hashes. Both are slow on purpose, so the number of operations at a time is
/// limited.
///
/// Operations wait for their turn in the queue of their share (a user, and a user's origin). Users take turns, and so
/// do the origins of a user. A full queue refuses only operations of the same share.
///
/// Cancellation: an operation whose task is cancelled before its turn computes nothing and fails with `cancelled`,
/// unless its `HashingTurn` is `isDoneAnyway`. Once its turn has come, it is computed to its end and returns its
/// result.
package protocol PasswordHasher: Sendable {
  /// A new salted hash at the current parameters.
  ///
  /// - Throws: `busy`, `unavailable` or `cancelled`. The caller may repeat the call after each.
  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash

  /// Whether `hash` was made from `password`.
  ///
  /// A hash from another system costs the time that its own parameters demand, until a hash of regd's own replaces it.
  /// Hashes that take much longer than regd's own wait in a separate queue.
  ///
  /// - Parameter hash: The hash of the account. Nil and `PasswordHash.none` cost the same work and return `wrong`, so
  ///   that an unknown address and an account without a password take as long as a wrong password (OWASP Authentication
  ///   Cheat Sheet, "Authentication Responses").
  /// - Throws: Any `HashingFailure`, but none because of a wrong password. After a failure, the caller does not know
  ///   whether the password is correct.
  func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict
}

/// The queue in which a call of the hasher waits for its turn, and the call's priority.
package struct HashingTurn: Equatable, Sendable {
  package let share: Share
  /// Whether the call goes before others of the same user, because its password is very likely right.
  package var goesFirst: Bool
  /// Whether the comparison ignores cancellation, because regd remembers an upstream's refusal whether or not a caller
  /// still waits.
  package var isDoneAnyway: Bool

  package init(_ share: Share, goesFirst: Bool = false, isDoneAnyway: Bool = false) {
    self.share = share
    self.goesFirst = goesFirst
    self.isDoneAnyway = isDoneAnyway
  }
}

package enum PasswordVerdict: Equatable, Sendable {
  /// The password is correct. `isOutdated`: a new hash would have another scheme or other parameters, so the caller may
  /// replace this one. Some schemes ignore the end of a long password. Their hash of such a password is never outdated,
  /// because a new hash would include an end that was never compared.
  case right(isOutdated: Bool)
  case wrong
}

package enum HashingFailure: Error, Equatable, Sendable {
  /// The share's queue is full. Nothing was computed.
  case busy(retryAfterSeconds: Int)
  /// There was not enough memory, or the system's library lacks the scheme of the stored hash.
  case unavailable
  /// The stored hash of the account cannot be read: the store is damaged, or a key that the hash needs is no longer in
  /// the configuration. A repeat also fails, until an administrator sets another password or restores the key.
  case unreadableHash(PasswordHashProblem)
  /// The task was cancelled before its turn. Nothing was computed.
  case cancelled
}

/// Knows the formats of password hashes that regd can verify.
package protocol PasswordHashReader: Sendable {
  /// Whether regd can take over a hash from elsewhere: its scheme is known, and it is neither too costly to verify nor too
  /// weak. Computes no hash.
  ///
  /// - Returns: The hash as it was written, or the first problem with it.
  func check(_ text: String) -> Result<PasswordHash, PasswordHashProblem>
}

/// Why a password hash is not accepted, or cannot be read.
package struct PasswordHashProblem: Error, Hashable, Sendable {
  /// Stable names for programs, which never change.
  package enum Reason: String, Sendable, CaseIterable {
    case missing = "hash.missing"
    case unsupported = "hash.unsupported"
    case malformed = "hash.malformed"
    case tooCostly = "hash.tooCostly"
    case tooWeak = "hash.tooWeak"
  }

  package let reason: Reason
  /// The text for a person: the rule, and what would satisfy it. It contains nothing of the hash except its parameters.
  package let sentence: LocalizedMessage

  package init(_ reason: Reason, _ sentence: LocalizedMessage) {
    self.reason = reason
    self.sentence = sentence
  }

  package static let missing = PasswordHashProblem(.missing, LocalizedMessage(HashMessageKey.missing))
}

/// The hashes for codes. Implementations use a library.
package protocol CodeHashing: Sendable {
  /// The HMAC-SHA-256 (RFC 2104, FIPS 198-1) of the message: 32 bytes.
  func hash(_ message: [UInt8], key: CodeKey) -> [UInt8]

  /// The SHA-256 (FIPS 180-4) of the message: 32 bytes.
  func digest(_ message: [UInt8]) -> [UInt8]

  /// Whether both are equal. The time that this takes reveals only the lengths.
  func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool
}
