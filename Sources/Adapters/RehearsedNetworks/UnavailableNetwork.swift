package import Registration

/// An upstream that answers everything with 503 and, where given, a Retry-After (RFC 9110 §15.6.4, §10.2.3).
package struct UnavailableNetwork: NetworkService {
  private let retryAfterSeconds: Int?

  /// - Parameter retryAfterSeconds: Nil for a 503 without Retry-After.
  package init(retryAfterSeconds: Int?) { self.retryAfterSeconds = retryAfterSeconds }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    throw .unavailable(retryAfterSeconds: retryAfterSeconds)
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    throw .unavailable(retryAfterSeconds: retryAfterSeconds)
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    throw .unavailable(retryAfterSeconds: retryAfterSeconds)
  }
}
