/// A network whose operations all fail in the same way. It asks no upstream.
package struct FailingNetwork: NetworkService {
  private let failure: NetworkFailure

  package init(_ failure: NetworkFailure) { self.failure = failure }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    throw failure
  }

  package func register(
    _ registration: UpstreamRegistration, for share: Share
  ) async throws(NetworkFailure) -> UpstreamAnswer { throw failure }

  package func signIn(
    _ email: EmailAddress, _ password: Password, for share: Share
  ) async throws(NetworkFailure) -> UpstreamSession { throw failure }
}
