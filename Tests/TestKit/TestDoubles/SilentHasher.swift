package import Registration

/// A hasher whose queue never moves: each hash waits until it is cancelled.
package struct SilentHasher: PasswordHasher {
  private func wait() async throws(HashingFailure) -> Never {
    for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
    throw .cancelled
  }

  package init() {}

  package func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    try await wait()
  }

  package func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    try await wait()
  }
}
