/// The outcome of checking an earlier sign-in.
package enum SessionOutcome: Equatable, Sendable {
  /// The sign-in still holds. The account is in its present state.
  case present(Account)
  /// The sign-in has ended, or never existed.
  case ended
  case obstructed(Obstacle)
}

extension Registrar {
  /// Whether an earlier sign-in is still valid. Makes at most one look-up, whatever the strings are. Failures are not
  /// counted, because 128 bits cannot be guessed.
  ///
  /// - Parameters:
  ///   - account: The account's id.
  ///   - stamp: The stamp that the sign-in returned.
  package func checkSession(of account: String, _ stamp: String) async -> SessionOutcome {
    guard let stamps, let id = AccountID(account) else { return .ended }
    do throws(StoreFailure) {
      guard let found = try await store.find(id)?.account, stamps.isPresent(stamp, of: found) else { return .ended }
      return .present(found)
    } catch {
      return .obstructed(.store(error))
    }
  }
}
