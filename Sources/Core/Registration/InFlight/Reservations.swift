internal import Synchronization

/// Remembers, for each pending registration, the mark that this process has set (`Accounts`), and when a request
/// may last have been in progress upstream.
///
/// An upstream may answer `taken` to a repeat while it still works on the first request
/// (draft-ietf-httpapi-idempotency-key-header). For this reason, regd trusts this answer only if none of its earlier
/// requests can still be in progress upstream. Until then the registration is *in doubt*, for the time `disbelief`,
/// which is longer than any answer takes. Doubt begins when a request ends without a usable answer, when regd puts the
/// registration off to a later request, and when this process first finds the registration in the store, because
/// another process may have asked a moment ago.
package struct Reservations: Sendable {
  private struct Known {
    /// The `updatedAt` that this process has set, which keeps other processes from releasing the reservation, or nil if
    /// another process set it.
    var mark: Timestamp?
    /// When the present doubt began, or nil if there is no doubt.
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

  /// - Parameter disbelief: For how long regd does not trust the answer `taken` after a request that may still be in
  ///   progress upstream.
  package init(
    disbelief: Duration = .seconds(900), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.disbelief = disbelief
    self.now = now
  }

  /// The same reservations with another `disbelief`. Both values share one memory.
  func with(disbelief: Duration) -> Reservations {
    var new = self
    new.disbelief = disbelief
    return new
  }

  /// Notes that this process is about to add the reservation, unless it knows it already. Call it before the commit,
  /// because the outbox may find the reservation at once, and `met` would begin a doubt. Then call `marked`, or
  /// `notAdded`.
  func adding(_ id: AccountID, at time: Timestamp) {
    known.withLock { if $0[id] == nil { $0[id] = Known(mark: time) } }
  }

  /// Forgets the values that `adding` has noted, because the reservation was not added, or perhaps not.
  func notAdded(_ id: AccountID, at time: Timestamp) {
    known.withLock { if $0[id]?.mark == time, $0[id]?.doubt == nil { $0[id] = nil } }
  }

  /// Notes that this process has just added the reservation or given it a mark, and has not asked the upstream since. A
  /// reservation that is not new is in doubt.
  ///
  /// - Parameter isNew: Whether this process has added it.
  func marked(_ id: AccountID, at time: Timestamp, isNew: Bool) {
    known.withLock { known in
      // a new reservation may have the id of a released one, and then keeps its doubt
      let doubt = known[id]?.doubt
      known[id] = Known(mark: time, doubt: isNew ? doubt : doubt ?? now())
    }
  }

  /// Whether this process itself set the mark `seen`, so that no other process has changed the reservation since.
  func isMarked(_ id: AccountID, _ seen: Timestamp) -> Bool { known.withLock { $0[id]?.mark == seen } }

  /// The mark that this process has set, or nil if it has set none, or another regd has taken the reservation over.
  func mark(of id: AccountID) -> Timestamp? { known.withLock { $0[id]?.mark } }

  /// Notes that another regd has taken the reservation over.
  func lostMark(_ id: AccountID) { known.withLock { $0[id]?.mark = nil } }

  /// Notes that a request was put off, or ended here although it may still be in progress upstream.
  func doubt(_ id: AccountID) { known.withLock { $0[id, default: Known()].doubt = now() } }

  /// Notes a reservation that this process has found in the store. If it is the first time, doubt begins.
  func met(_ id: AccountID) { known.withLock { if $0[id] == nil { $0[id] = Known(doubt: now()) } } }

  /// Whether regd trusts the answer `taken` of the upstream, because the registration is not in doubt.
  func believesTaken(_ id: AccountID) -> Bool {
    met(id)
    return known.withLock { $0[id]?.doubt.map { now() - $0 > disbelief } ?? true }
  }

  /// Notes that the account is no longer pending, because the upstream has answered.
  func settled(_ id: AccountID) { known.withLock { $0[id] = nil } }

  /// Notes that the account is no longer pending, although the upstream may still be working on it. An existing doubt
  /// remains.
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
}
