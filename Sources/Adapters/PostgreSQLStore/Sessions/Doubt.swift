internal import Registration
internal import Synchronization

/// A change whose COMMIT was sent and has no answer that counts: it is done, it is not, or it will be.
struct Doubt: Sendable {
  let concern: Concern
  /// For the observer, if the change turns out to be there.
  let entries: [AuditEntry]
}

/// The doubts that there are: one of each session at the most.
final class DoubtBoard: Sendable {
  private let doubts = Mutex<[Doubt]>([])

  var open: [Doubt] { doubts.withLock { $0 } }

  func add(_ doubt: Doubt) { doubts.withLock { $0.append(doubt) } }

  /// Takes away the first `count`, which were settled.
  func removeFirst(_ count: Int) { doubts.withLock { $0.removeFirst(count) } }

  /// Whether a change in doubt may alter what was seen.
  func concerns(_ isConcerned: (Concern) -> Bool) -> Bool {
    doubts.withLock { $0.contains { isConcerned($0.concern) } }
  }
}
