internal import Localization
internal import Logging
internal import Registration

/// Logs that a password could not be hashed because memory was short, or that a stored hash is damaged. Callers get
/// only the information that regd is at fault.
struct ReportingHasher: PasswordHasher {
  let hasher: any PasswordHasher
  let logger: Logger

  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    do { return try await hasher.hash(password, turn) } catch { throw report(error) }
  }

  func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    do { return try await hasher.verify(password, against: hash, turn) } catch { throw report(error) }
  }

  private func report(_ failure: HashingFailure) -> HashingFailure {
    switch failure {
    case .unavailable: logger.write(.hashingFailed)
    case .unreadableHash(let problem): logger.write(.hashDamaged, nil, ["problem": problem.sentence.english])
    case .busy, .cancelled: break
    }
    return failure
  }
}
