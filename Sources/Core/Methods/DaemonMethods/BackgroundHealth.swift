package import Registration
internal import Synchronization

/// Work that regd repeats in the background. The raw value names the work in `daemon.status` and in the log.
package enum BackgroundTask: String, CaseIterable, Sendable {
  /// Removes and erases outdated data (`Accounts.sweep`).
  case sweep
  /// Counts the accounts that wait for approval, the usable invitations, and the entries of the audit.
  case admissionCount
  /// Reads the registrations that wait for the upstream.
  case outbox
  /// Reads the mails that wait to be sent.
  case mail
}

/// Records how each run of a background task ends, because no caller gets its errors. The observer learns when a task
/// begins to fail and when it works again.
package final class BackgroundHealth: Sendable {
  /// A task whose last run failed.
  package struct Failing: Equatable, Sendable {
    package let task: BackgroundTask
    /// When the first run after the last success failed.
    package let since: Timestamp
    /// How many runs have failed since the last success.
    package let failures: Int
    /// Why the last run failed, for an operator.
    package let reason: String

    package init(task: BackgroundTask, since: Timestamp, failures: Int, reason: String) {
      self.task = task
      self.since = since
      self.failures = failures
      self.reason = reason
    }
  }

  /// The moment at which a task began to fail or recovered.
  package enum Turn: Equatable, Sendable {
    case fails(Failing)
    /// A task whose failure was reported works again.
    case works(Failing, at: Timestamp)
  }

  private struct State: Sendable {
    var failing: Failing
    /// Whether the observer knows of the failure.
    var isReported: Bool
  }

  private let states = Mutex<[BackgroundTask: State]>([:])
  private let health: Health
  private let time: any TimeSource
  private let observer: @Sendable (Turn) -> Void

  /// - Parameters:
  ///   - health: While it reports a failure of the store, failures of tasks are recorded but not reported, because the
  ///     outage of the store was already reported.
  ///   - observer: Receives each `Turn`, in order and on the thread that noted it. It must not block.
  package init(_ health: Health, time: any TimeSource, observer: @escaping @Sendable (Turn) -> Void = { _ in }) {
    self.health = health
    self.time = time
    self.observer = observer
  }

  /// The tasks that fail, in the order of `BackgroundTask`.
  package var failing: [Failing] {
    let current = states.withLock { $0 }
    return BackgroundTask.allCases.compactMap { current[$0]?.failing }
  }

  /// Records how a run of a task ended. Ignores a run that was cancelled, because it shows nothing.
  ///
  /// - Parameter failure: Why the run failed, or nil if it succeeded.
  package func note(_ task: BackgroundTask, _ failure: StoreFailure?) {
    guard !Task.isCancelled, failure != .cancelled else { return }
    // outside the lock, because `Health` has its own
    let isStoreWell = health[.store].failure == nil
    let now = time.now()
    states.withLock { states in
      guard let failure else {
        // under the lock, so that turns keep their order
        if let state = states.removeValue(forKey: task), state.isReported { observer(.works(state.failing, at: now)) }
        return
      }
      let known = states[task]
      let failing = Failing(
        task: task, since: known?.failing.since ?? now, failures: (known?.failing.failures ?? 0) + 1,
        reason: "\(failure)")
      let wasReported = known?.isReported ?? false
      states[task] = State(failing: failing, isReported: wasReported || isStoreWell)
      if !wasReported, isStoreWell { observer(.fails(failing)) }
    }
  }
}
