internal import Methods
internal import Registration

/// Checks the store even while it is idle, so that `daemon.status` shows a problem (a replaced database, a commit of
/// unknown outcome) before the next change of the store meets it.
struct StoreWatch {
  /// Without the hook `StoreReport`, which would log each failed check.
  let store: any StoreEngine
  let health: Health
  let setbacks: SetbackReport

  private static let interval = Duration.seconds(2)

  /// Checks until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let failure = await look()
      guard !Task.isCancelled else { return }
      note(failure)
      setbacks.look()
      do { try await Task.sleep(for: Self.interval) } catch { return }
    }
  }

  /// Records the result of a check.
  func note(_ failure: StoreFailure?) {
    health.note(.store, .checking, failure.map { "\($0)" }, reason: failure.map { OutcomeReplies.reason(of: $0) })
  }

  /// Records that the store has been opened at last, and that no failure before that concerns it.
  func noteOpened() {
    for kind in Health.Kind.allCases { health.note(.store, kind, nil) }
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
