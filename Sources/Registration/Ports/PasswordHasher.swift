/// Turns passwords into hashes and compares them: slow on purpose, and bounded.
///
/// Both operations wait in one queue. When it is full they fail at once with `busy` and nothing was done.
package protocol PasswordHasher: Sendable {
  /// A new salted hash at the current parameters.
  func hash(_ password: Password) async throws(HashingFailure) -> PasswordHash

  /// Whether `password` is the one that `hash` was made from. With nil it does the same work and says no, so that an
  /// unknown address takes as long as a wrong password (OWASP Authentication Cheat Sheet, "Authentication Responses").
  /// A hash from elsewhere takes the time that it was made for, until it is replaced.
  func verify(_ password: Password, against hash: PasswordHash?) async throws(HashingFailure) -> PasswordVerdict
}

package enum PasswordVerdict: Equatable, Sendable {
  /// `isOutdated`: the hash is not what would be made of the password today: of another scheme or other parameters.
  case right(isOutdated: Bool)
  case wrong
}

package enum HashingFailure: Error, Equatable, Sendable {
  /// The queue is full.
  case busy(retryAfterSeconds: Int)
  /// There was no memory for it. Whether the password is right is not known.
  case unavailable
  /// What is kept as the account's hash is none: the store is damaged. Whether the password is right is not known, and
  /// repeating it does not help; an administrator sets another password.
  case unreadableHash(PasswordHashProblem)
  /// The task was cancelled before it was its turn; nothing was done.
  case cancelled
}
