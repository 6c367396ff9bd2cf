internal import Synchronization

/// What this process knows of pending registrations: whose mark they bear, and when an ask for one may last have been at
/// work upstream.
///
/// That the upstream calls an address taken proves that another registration has it only if no earlier ask of regd's can
/// still be at work: an upstream may say so to a repeat while it works on the first request
/// (draft-ietf-httpapi-idempotency-key-header). A registration that was asked for in vain, or put off, is in doubt for longer
/// than any answer may take. So is one that this process meets for the first time, for another process may have asked for it
/// a moment ago.
package struct Reservations: Sendable {
  private struct Known {
    /// The `updatedAt` that this process has given it, so that no other process releases it; nil for another process's.
    var mark: Timestamp?
    /// When the last ask ended that may still be at work; nil if there was none.
    var doubt: ContinuousClock.Instant?
  }

  private final class Memory: Sendable {
    private let known = Mutex<[AccountID: Known]>([:])

    func withLock<Result: Sendable>(_ body: (inout sending [AccountID: Known]) -> sending Result) -> Result {
      known.withLock(body)
    }
  }

  private let known = Memory()
  private var disbelief: Duration
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter disbelief: How long after an ask that may still be at work the upstream is not believed that an address is taken.
  package init(
    disbelief: Duration = .seconds(900), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.disbelief = disbelief
    self.now = now
  }

  /// The same reservations, believed otherwise.
  func with(disbelief: Duration) -> Reservations {
    var new = self
    new.disbelief = disbelief
    return new
  }

  /// Notes that this process has just made the reservation, or set its mark on it, and has asked nothing under that mark.
  ///
  /// - Parameter isNew: Whether this process has made it.
  func marked(_ id: AccountID, at time: Timestamp, isNew: Bool) {
    known.withLock { known in
      // one that was released may be made again under its id, and is in as much doubt as it was
      let doubt = known[id]?.doubt
      known[id] = Known(mark: time, doubt: isNew ? doubt : doubt ?? now())
    }
  }

  /// Whether no other process has changed the reservation since it was read with the `updatedAt` `seen`.
  func isMarked(_ id: AccountID, _ seen: Timestamp) -> Bool { known.withLock { $0[id]?.mark == seen } }

  /// The mark that this process has given the reservation; nil if it has given none, or has lost it.
  func mark(of id: AccountID) -> Timestamp? { known.withLock { $0[id]?.mark } }

  /// Notes that another regd has taken the reservation over.
  func lostMark(_ id: AccountID) { known.withLock { $0[id]?.mark = nil } }

  /// Notes that an ask has ended and may still be at work, or was put off.
  func doubt(_ id: AccountID) { known.withLock { $0[id, default: Known()].doubt = now() } }

  /// Notes a reservation that was found in the store.
  func met(_ id: AccountID) { known.withLock { if $0[id] == nil { $0[id] = Known(doubt: now()) } } }

  /// Whether the upstream is believed that another registration has the address.
  func believesTaken(_ id: AccountID) -> Bool {
    met(id)
    return known.withLock { $0[id]?.doubt.map { now() - $0 > disbelief } ?? true }
  }

  /// Notes that the account is not pending any more, by the upstream's own word.
  func settled(_ id: AccountID) { known.withLock { $0[id] = nil } }

  /// Notes that the account is not pending any more, though the upstream may still be at work on it.
  func givenUp(_ id: AccountID) {
    known.withLock { known in
      known[id]?.mark = nil
      if known[id]?.doubt == nil { known[id] = nil }
    }
  }

  /// Forgets accounts that are neither pending nor in doubt.
  func sweep() {
    let now = now()
    known.withLock { known in
      known = known.filter { $0.value.mark != nil || $0.value.doubt.map { now - $0 <= disbelief } ?? false }
    }
  }

  var count: Int { known.withLock(\.count) }
}
