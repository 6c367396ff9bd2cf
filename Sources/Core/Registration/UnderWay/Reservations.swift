internal import Synchronization

/// What this process knows of registrations that are pending: whose mark they bear, and when an ask for them may last have
/// been at work upstream.
///
/// A 409 proves that another registration has the address only where nothing that regd has asked before can still be at
/// work: an upstream may answer a repeat with 409 while it works on the first request (draft-ietf-httpapi-idempotency-key-header
/// has it so). What was asked in vain, or put off, is in doubt for longer than any answer may take. So is what this process
/// meets for the first time, for another process may have asked for it a moment ago.
package final class Reservations: Sendable {
  private struct Known {
    /// The `updatedAt` that this process has given it, so that no other process takes it back; nil for another's.
    var mark: Timestamp?
    /// When the last ask ended that may still be at work; nil where there was none.
    var doubt: ContinuousClock.Instant?
  }

  private let known = Mutex<[AccountID: Known]>([:])
  private let disbelief: Duration
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter disbelief: How long a 409 is not believed behind an ask that may still be at work.
  package init(
    disbelief: Duration = .seconds(900), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.disbelief = disbelief
    self.now = now
  }

  /// This process has just made it, or set its mark on it, and nothing was asked for it under that mark.
  func marked(_ id: AccountID, at time: Timestamp, isNew: Bool) {
    known.withLock { known in
      // one that was released may be made again under its id, and is in as much doubt as it was
      let doubt = known[id]?.doubt
      known[id] = Known(mark: time, doubt: isNew ? doubt : doubt ?? now())
    }
  }

  /// Whether nobody but this process has touched it since `seen`.
  func isMarked(_ id: AccountID, _ seen: Timestamp) -> Bool { known.withLock { $0[id]?.mark == seen } }

  /// An ask for it has ended so that it may still be at work, or was put off.
  func doubt(_ id: AccountID) { known.withLock { $0[id, default: Known()].doubt = now() } }

  /// It was found in the store.
  func met(_ id: AccountID) { known.withLock { if $0[id] == nil { $0[id] = Known(doubt: now()) } } }

  /// Whether the upstream is believed that another registration has the address.
  func believesTaken(_ id: AccountID) -> Bool {
    met(id)
    return known.withLock { $0[id]?.doubt.map { now() - $0 > disbelief } ?? true }
  }

  /// It is not pending any more, and the upstream has said what there is to say.
  func settled(_ id: AccountID) { known.withLock { $0[id] = nil } }

  /// It is not pending any more, and the upstream may still be at work on it.
  func givenUp(_ id: AccountID) {
    known.withLock { known in
      known[id]?.mark = nil
      if known[id]?.doubt == nil { known[id] = nil }
    }
  }

  /// Forgets what is not pending any more and in no doubt either.
  func sweep() {
    let now = now()
    known.withLock { known in
      known = known.filter { $0.value.mark != nil || $0.value.doubt.map { now - $0 <= disbelief } ?? false }
    }
  }

  var count: Int { known.withLock(\.count) }
}
