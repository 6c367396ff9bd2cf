/// The upstream of a daemon that has none: every question fails as `offline`.
struct AbsentNetwork: NetworkService {
  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool { throw .offline }

  func register(
    _ registration: UpstreamRegistration, for share: Share
  ) async throws(NetworkFailure) -> UpstreamAnswer { throw .offline }

  func signIn(
    _ email: EmailAddress, _ password: Password, for share: Share
  ) async throws(NetworkFailure) -> UpstreamSession { throw .offline }
}
