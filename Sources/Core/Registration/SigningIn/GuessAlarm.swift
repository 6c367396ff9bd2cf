/// Tells administrators that many passwords were guessed at an account from a place (uid and origin) that its owner has used:
/// writes an audit entry, which raises an event.
struct GuessAlarm: Sendable {
  let store: any AccountStore
  let time: any TimeSource

  /// - Returns: Whether the guesses are reported, or need no report; false if the store has failed.
  func sound(at key: EmailKey, by requester: Requester) async -> Bool {
    do throws(StoreFailure) {
      guard let account = try await store.find(key)?.account else { return true }
      let stamp = Stamp(time.now(), by: requester)
      _ = try await store.noteGuessed(account.id, stamp)
      return true
    } catch {
      return false
    }
  }
}
