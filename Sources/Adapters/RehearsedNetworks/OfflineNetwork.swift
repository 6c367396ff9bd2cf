package import Registration

/// A network without an upstream: every operation fails as if the connection had been refused.
package struct OfflineNetwork: NetworkService {
  package init() {}

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    throw .offline
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    throw .offline
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    throw .offline
  }
}
