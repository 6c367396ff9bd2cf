internal import Methods
internal import Registration

/// Checks the store even while it is idle, so that the status reports a problem without waiting for the next change: a replaced
/// database, or a commit still in doubt.
struct StoreWatch {
  /// The store without the `ReportingStore`, because a lasting problem must not count as more failed operations.
  let store: any AccountStore
  let health: Health

  private static let interval = Duration.seconds(2)

  /// Runs until it is cancelled.
  func run() async {
    while !Task.isCancelled {
      let failure = await look()
      guard !Task.isCancelled else { return }
      health.note(.store, .checking, failure.map { "\($0)" }, reason: failure.map { OutcomeReplies.reason(of: $0) })
      do { try await Task.sleep(for: Self.interval) } catch { return }
    }
  }

  private func look() async -> StoreFailure? {
    do throws(StoreFailure) {
      try await store.check()
      return nil
    } catch {
      return error
    }
  }
}
