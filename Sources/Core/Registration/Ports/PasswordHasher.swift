/// Turns passwords into hashes and compares them: slow on purpose, and bounded.
///
/// What waits for its turn waits in a queue of its share (a user, and a user's origin); users are served in turn, and a
/// user's origins among themselves. A queue that is full is full for its owner: that operation fails at once with `busy`
/// and nothing was done.
package protocol PasswordHasher: Sendable {
  /// A new salted hash at the current parameters.
  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash

  /// Whether `password` is the one that `hash` was made from. With nil it does the same work and says no, so that an
  /// unknown address takes as long as a wrong password (OWASP Authentication Cheat Sheet, "Authentication Responses").
  /// A hash from elsewhere takes the time that it was made for, until it is replaced; one that takes much longer than a
  /// hash of regd's own waits for others of its kind only.
  func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict
}

/// Whose turn a password takes, and how.
package struct HashingTurn: Equatable, Sendable {
  package let share: Share
  /// Whether it goes before the others of its user: of a password that is very likely the right one.
  package var goesFirst: Bool
  /// Whether it is done also when its task is cancelled: what an upstream has refused is remembered, whoever waits.
  package var isDoneAnyway: Bool

  package init(_ share: Share, goesFirst: Bool = false, isDoneAnyway: Bool = false) {
    self.share = share
    self.goesFirst = goesFirst
    self.isDoneAnyway = isDoneAnyway
  }
}

package enum PasswordVerdict: Equatable, Sendable {
  /// `isOutdated`: the hash is not what would be made of the password today, of another scheme or other parameters, and
  /// may be replaced. A hash that has not seen all of the password is never outdated by it: whoever typed another end
  /// would have that end remembered.
  case right(isOutdated: Bool)
  case wrong
}

package enum HashingFailure: Error, Equatable, Sendable {
  /// The share's queue is full.
  case busy(retryAfterSeconds: Int)
  /// There was no memory for it. Whether the password is right is not known.
  case unavailable
  /// What is kept as the account's hash is none: the store is damaged. Whether the password is right is not known, and
  /// repeating it does not help; an administrator sets another password.
  case unreadableHash(PasswordHashProblem)
  /// The task was cancelled before it was its turn; nothing was done.
  case cancelled
}
