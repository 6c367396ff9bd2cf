/// Notifies administrators that many passwords were tried for an account from a client (uid and origin) that its owner
/// has used. Writes an audit entry, which causes an event.
struct GuessAlarm: Sendable {
  let store: Accounts
  let time: any TimeSource

  /// - Returns: Whether the guesses are reported, or need no report. False if the store has failed.
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
