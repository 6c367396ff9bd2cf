/// Tells administrators of an account at which much was guessed from a place that is known: by an entry of the audit, and the
/// event that goes with it.
struct GuessAlarm: Sendable {
  let store: any AccountStore
  let time: any TimeSource

  /// - Returns: Whether it is told, or there is nothing to tell; false where the store has failed.
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
