/// Why an operation was not done, or is not known to be done: the reasons that all kinds of operations share.
///
/// Switch over it without a default, so that the compiler demands a case for each reason that is added later.
package enum Obstacle: Error, Equatable, Sendable {
  /// The entry breaks rules.
  case invalid([Problem])
  /// There were too many wrong passwords before, so regd neither looked up the account nor hashed the password. An
  /// unknown address gets the same answer.
  case throttled(retryAfterSeconds: Int)
  /// The caller gave up before regd had changed anything.
  case cancelled
  case hashing(HashingFailure)
  /// The upstream gave no usable answer.
  case network(NetworkFailure)
  case store(StoreFailure)
  case off(Feature)
  /// Registration is closed (`registration.mode`).
  case closed
  /// Too many accounts of this user, or of the user's origin, wait for an administrator (`WaitingBounds`).
  case tooManyWaiting
  case fault(InternalFault)

  /// Whether the obstacle concerns this caller alone, so that another caller with the same request may get further.
  var isOwn: Bool {
    switch self {
    case .throttled, .cancelled, .tooManyWaiting, .store(.cancelled): true
    case .hashing(let failure): failure.isOwn
    case .network(let failure): failure.isOwn
    case .invalid, .off, .closed, .fault, .store(.unavailable), .store(.unknown), .store(.full), .store(.readOnly):
      false
    }
  }

  static func ofStore<Result>(
    _ result: @autoclosure () async throws(StoreFailure) -> Result
  ) async throws(Obstacle) -> Result {
    do { return try await result() } catch { throw .store(error) }
  }

  static func ofHasher<Result>(
    _ result: @autoclosure () async throws(HashingFailure) -> Result
  ) async throws(Obstacle) -> Result {
    do { return try await result() } catch { throw .hashing(error) }
  }
}

extension HashingFailure {
  /// Whether the failure concerns this caller alone.
  var isOwn: Bool {
    switch self {
    case .busy, .cancelled: true
    case .unavailable, .unreadableHash: false
    }
  }
}

/// A feature that the daemon's configuration may lack, for the reason given at each case.
package enum Feature: Equatable, Sendable {
  /// Sending mails, if there is no mail system.
  case mail
  /// Recovering accounts, if there is no mail system.
  case recovery
  /// Changing passwords here, if the upstream is the authority for them.
  case passwordsOfUpstream
  /// Changing or deleting accounts here, if there is an upstream, because regd cannot do the same there.
  case changesAtUpstream
  /// Accepting terms, if there are no terms.
  case terms
}
