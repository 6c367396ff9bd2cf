import Registration

/// A network that breaks one promise, to show that the rules can fail.
struct LyingNetwork: NetworkService {
  enum Lie: CaseIterable {
    case dropsRetryAfter, calledTakenIsAvailable, newIdForRepeat, failureIsRegistered, cancelledSignInFails, noId
  }

  let network: any NetworkService
  let lie: Lie

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    do {
      let isAvailable = try await network.isAvailable(email, for: share)
      return isAvailable || lie == .calledTakenIsAvailable
    } catch {
      guard lie == .dropsRetryAfter, case .unavailable = error else { throw error }
      throw .unavailable(retryAfterSeconds: nil)
    }
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    let id = lie == .newIdForRepeat ? AccountID(at: Timestamp(microseconds: 0)) : registration.id
    do {
      return try await network.register(
        UpstreamRegistration(id: id, email: registration.email, passwordHash: registration.passwordHash), for: share)
    } catch {
      guard lie == .failureIsRegistered else { throw error }
      return .registered
    }
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    if lie == .cancelledSignInFails, Task.isCancelled { throw .timeout }
    let session = try await network.signIn(email, password, for: share)
    if lie == .noId, case .accepted = session { return .accepted(id: "") }
    return session
  }
}
