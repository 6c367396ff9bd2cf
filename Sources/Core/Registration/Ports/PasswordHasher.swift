/// Turns passwords into hashes and compares them: slow on purpose, and bounded.
///
/// Operations wait for their turn in the queue of their share (a user, and a user's origin). Users are served in turn, and so
/// are the origins of a user. A full queue is full for its owner only.
///
/// Cancellation: an operation whose task is cancelled before its turn fails with `cancelled`, and nothing was computed, unless
/// its turn `isDoneAnyway`. Once its turn has come, it is computed to its end and returns its result.
package protocol PasswordHasher: Sendable {
  /// A new salted hash at the current parameters.
  ///
  /// - Throws: `busy`, `unavailable` or `cancelled`; the caller may repeat the call after each.
  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash

  /// Whether `hash` was made from `password`.
  ///
  /// A hash from elsewhere takes the time that it was made for, until it is replaced. A hash that takes much longer than one of
  /// regd's own waits only for others of its kind.
  ///
  /// - Parameter hash: The hash of the account. Nil and `PasswordHash.none` cost the same work and return `wrong`, so that an
  ///   unknown address and an account without a password take as long as a wrong password (OWASP Authentication Cheat Sheet,
  ///   "Authentication Responses").
  /// - Throws: Any `HashingFailure`, never because of a wrong password. It is then unknown whether the password is right.
  func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict
}

/// The share whose turn it is to hash or compare a password, and the priority.
package struct HashingTurn: Equatable, Sendable {
  package let share: Share
  /// Whether the password goes before others of the same user, because it is very likely right.
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
  /// The password is right. `isOutdated`: a new hash would have another scheme or other parameters, so this one may be
  /// replaced. A hash whose scheme ignores the end of a long password never counts as outdated for such a password, because a
  /// replacement would include an end that was never compared.
  case right(isOutdated: Bool)
  case wrong
}

package enum HashingFailure: Error, Equatable, Sendable {
  /// The share's queue is full; nothing was computed.
  case busy(retryAfterSeconds: Int)
  /// There was not enough memory.
  case unavailable
  /// The stored hash of the account cannot be read, because the store is damaged. A repeat fails too, until an administrator
  /// sets another password.
  case unreadableHash(PasswordHashProblem)
  /// The task was cancelled before its turn; nothing was computed.
  case cancelled
}
