internal import Synchronization

/// Remembers, for each pending registration, the mark that this process has set, and when a request may last have been in
/// progress upstream.
///
/// If an upstream answers `taken`, another registration certainly has the address only if no earlier request of regd can still
/// be in progress there, because an upstream may answer a repeat like this while it works on the first request
/// (draft-ietf-httpapi-idempotency-key-header). A registration is in doubt for `disbelief`, which is longer than any answer may
/// take, after a request without an answer, after it was put off, and when this process meets it for the first time, because
/// another process may have asked a moment ago.
package struct Reservations: Sendable {
  private struct Known {
    /// The `updatedAt` that this process has set, so that no other process releases the reservation; nil if another process set
    /// it.
    var mark: Timestamp?
    /// When the last request that may still be in progress upstream ended here; nil if there was none.
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

  /// - Parameter disbelief: How long regd does not believe that an address is taken, after a request that may still be in
  ///   progress upstream.
  package init(
    disbelief: Duration = .seconds(900), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.disbelief = disbelief
    self.now = now
  }

  /// The same reservations with another `disbelief`.
  func with(disbelief: Duration) -> Reservations {
    var new = self
    new.disbelief = disbelief
    return new
  }

  /// Notes that this process has just made or marked the reservation, and has not asked the upstream since.
  ///
  /// - Parameter isNew: Whether this process has made it.
  func marked(_ id: AccountID, at time: Timestamp, isNew: Bool) {
    known.withLock { known in
      // a released reservation may be made again under its id, and keeps its doubt
      let doubt = known[id]?.doubt
      known[id] = Known(mark: time, doubt: isNew ? doubt : doubt ?? now())
    }
  }

  /// Whether this process itself set the mark `seen`, so that no other process has changed the reservation since.
  func isMarked(_ id: AccountID, _ seen: Timestamp) -> Bool { known.withLock { $0[id]?.mark == seen } }

  /// The mark that this process has set; nil if it has set none, or has lost it.
  func mark(of id: AccountID) -> Timestamp? { known.withLock { $0[id]?.mark } }

  /// Notes that another regd has taken the reservation over.
  func lostMark(_ id: AccountID) { known.withLock { $0[id]?.mark = nil } }

  /// Notes that a request ended but may still be in progress upstream, or was put off.
  func doubt(_ id: AccountID) { known.withLock { $0[id, default: Known()].doubt = now() } }

  /// Notes a reservation that was found in the store.
  func met(_ id: AccountID) { known.withLock { if $0[id] == nil { $0[id] = Known(doubt: now()) } } }

  /// Whether regd believes the upstream that another registration has the address.
  func believesTaken(_ id: AccountID) -> Bool {
    met(id)
    return known.withLock { $0[id]?.doubt.map { now() - $0 > disbelief } ?? true }
  }

  /// Notes that the account is no longer pending, because the upstream has answered.
  func settled(_ id: AccountID) { known.withLock { $0[id] = nil } }

  /// Notes that the account is no longer pending, although the upstream may still be working on it.
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
