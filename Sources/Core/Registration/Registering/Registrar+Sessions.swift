/// The outcome of a look at a sign-in of before.
package enum SessionOutcome: Equatable, Sendable {
  /// It holds; the account as it is now.
  case present(Account)
  /// It is over, or never was.
  case ended
  case obstructed(Obstacle)
}

extension Registrar {
  /// Whether a sign-in of before still holds. One look-up, whatever the texts are of; nothing is counted, for nobody guesses 128 bits.
  ///
  /// - Parameters:
  ///   - account: The account's id.
  ///   - stamp: What the sign-in was answered with.
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
