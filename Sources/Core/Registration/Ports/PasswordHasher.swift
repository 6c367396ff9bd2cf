/// Turns passwords into hashes and compares them: slow on purpose, and bounded.
///
/// What waits for its turn waits in a queue of its share (a user, and a user's origin); users are served in turn, and a
/// user's origins among themselves. A queue that is full is full for its owner only.
///
/// Cancellation: an operation whose task is cancelled before its turn fails with `cancelled`, and nothing was computed,
/// unless its turn `isDoneAnyway`. From its turn on it is computed to its end, and the result is given.
package protocol PasswordHasher: Sendable {
  /// A new salted hash at the current parameters.
  ///
  /// - Throws: `busy`, `unavailable` or `cancelled`; it may be repeated after each.
  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash

  /// Whether `password` is the one that `hash` was made from.
  ///
  /// A hash from elsewhere takes the time that it was made for, until it is replaced; one that takes much longer than a
  /// hash of regd's own waits for others of its kind only.
  ///
  /// - Parameter hash: Nil does the same work and answers `wrong`, so that an unknown address takes as long as a wrong
  ///   password (OWASP Authentication Cheat Sheet, "Authentication Responses").
  /// - Throws: Any `HashingFailure`; never said of a wrong password. Whether the password is right is not known then.
  func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict
}

/// Whose turn a password takes, and how.
package struct HashingTurn: Equatable, Sendable {
  package let share: Share
  /// Whether it goes before the others of its user: set for a password that is very likely the right one.
  package var goesFirst: Bool
  /// Whether it ignores cancellation: what an upstream has refused is remembered whether or not a caller still waits.
  package var isDoneAnyway: Bool

  package init(_ share: Share, goesFirst: Bool = false, isDoneAnyway: Bool = false) {
    self.share = share
    self.goesFirst = goesFirst
    self.isDoneAnyway = isDoneAnyway
  }
}

package enum PasswordVerdict: Equatable, Sendable {
  /// `isOutdated`: the hash is not what would be made of the password today, of another scheme or other parameters, and
  /// may be replaced. A hash of a scheme that ignores the end of a long password is never outdated by one: a replacement
  /// would take over an end that was never compared.
  case right(isOutdated: Bool)
  case wrong
}

package enum HashingFailure: Error, Equatable, Sendable {
  /// The share's queue is full; nothing was computed.
  case busy(retryAfterSeconds: Int)
  /// There was no memory for it.
  case unavailable
  /// What is kept as the account's hash is none: the store is damaged. A repeat fails likewise, until an administrator sets
  /// another password.
  case unreadableHash(PasswordHashProblem)
  /// The task was cancelled before its turn; nothing was computed.
  case cancelled
}
