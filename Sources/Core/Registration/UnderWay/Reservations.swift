internal import Synchronization

/// The knowledge of this process about pending registrations: their marks, and when a request for one may last have been in
/// progress upstream.
///
/// An upstream that calls an address taken proves that another registration has it only if no earlier request of regd can still
/// be in progress there: an upstream may answer a repeat like this while it works on the first request
/// (draft-ietf-httpapi-idempotency-key-header). A registration that was asked for in vain, or put off, is in doubt for longer
/// than any answer may take. So is one that this process meets for the first time, because another process may have asked for it
/// a moment ago.
package struct Reservations: Sendable {
  private struct Known {
    /// The `updatedAt` that this process has set, so that no other process releases the reservation; nil if another process set
    /// it.
    var mark: Timestamp?
    /// When the last request ended that may still be in progress upstream; nil if there was none.
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

  /// - Parameter disbelief: After a request that may still be in progress upstream, regd does not believe for this long that an
  ///   address is taken.
  package init(
    disbelief: Duration = .seconds(900), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.disbelief = disbelief
    self.now = now
  }

  /// The same reservations with another time of disbelief.
  func with(disbelief: Duration) -> Reservations {
    var new = self
    new.disbelief = disbelief
    return new
  }

  /// Notes that this process has just made the reservation, or marked it, and has asked nothing under that mark.
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

  /// Notes that the account is no longer pending, by the upstream's own answer.
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
