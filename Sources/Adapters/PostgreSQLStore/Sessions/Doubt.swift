internal import Registration
internal import Synchronization

/// The open doubts, at most one per session.
final class DoubtBoard: Sendable {
  private let doubts = Mutex<[Doubt]>([])

  var open: [Doubt] { doubts.withLock { $0 } }

  func add(_ doubt: Doubt) { doubts.withLock { $0.append(doubt) } }

  /// Removes the first `count` doubts, which were settled.
  func removeFirst(_ count: Int) { doubts.withLock { $0.removeFirst(count) } }

  /// Whether a change in doubt may alter what the caller reads.
  func concerns(_ isConcerned: (Concern) -> Bool) -> Bool {
    doubts.withLock { $0.contains { isConcerned($0.concern) } }
  }
}
