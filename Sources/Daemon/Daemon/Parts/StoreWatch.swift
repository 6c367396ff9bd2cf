internal import Logging
internal import Methods
internal import Registration
internal import Synchronization

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

/// Reports that the database of the store has gone back to an earlier state, once, and that an operator has accepted it.
final class SetbackReport: Sendable {
  private let resources: DaemonResources
  private let reported = Mutex<StoreSetback?>(nil)

  init(_ resources: DaemonResources) { self.resources = resources }

  /// Must be called after each check of the store.
  func look() {
    let setback = resources.store.continuity?.setback
    let before = reported.withLock { reported in
      defer { reported = setback }
      return reported
    }
    guard (before == nil) != (setback == nil) else { return }
    resources.service.note(setback)
    guard let setback else { return }
    resources.logger.write(.storeWentBack, nil, ["failure": "\(setback)"])
    resources.feed.publish(Event(.storeWentBack, at: resources.time.now(), message: "\(setback)"))
  }

  /// Continues with the database as it is. Does nothing if the database has not gone back.
  ///
  /// - Returns: Whether it had gone back.
  @Sendable func accept() -> Bool {
    guard let setback = resources.store.continuity?.accept() else { return false }
    resources.logger.write(.storeAccepted, nil, ["failure": "\(setback)"])
    resources.feed.publish(Event(.storeAccepted, at: resources.time.now(), message: "\(setback)"))
    look()
    return true
  }
}

/// Makes the store remove outdated data: expired claims, old mails and wrong codes, and old addresses in the audit and
/// in invitations. Operations ignore expired claims anyway, so the sweep only limits the stored data.
struct StoreSweep {
  let store: Accounts
  let time: any TimeSource
  /// How long the audit keeps an address after its account has lost it, and how long an invitation keeps one after the
  /// invitation's end.
  let addresses: @Sendable () -> Duration
  let background: BackgroundHealth

  private static let interval = Duration.seconds(10)
  /// The most removals per transaction, so that no change waits long.
  private static let most = 1000

  /// Sweeps until the task is cancelled. A failed sweep is repeated after the next interval.
  func run() async {
    while !Task.isCancelled {
      await sweep()
      do { try await Task.sleep(for: Self.interval) } catch { return }
    }
  }

  /// Sweeps once, and records the result.
  func sweep() async {
    do throws(StoreFailure) {
      let now = time.now()
      while try await store.sweep(
        at: now, addressesBefore: now.advanced(by: .zero - addresses()), limit: Self.most), !Task.isCancelled
      {}
      background.note(.sweep, nil)
    } catch {
      // the next sweep tries again
      background.note(.sweep, error)
    }
  }
}
