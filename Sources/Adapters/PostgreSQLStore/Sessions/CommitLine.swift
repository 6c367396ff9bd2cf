internal import Heartbeat
internal import Synchronization

/// The sessions that wait for their turn to commit, which may take long if commits are slow. While the committing
/// session is
/// alive, it answers their pulses, too.
final class CommitLine: Sendable {
  private let waiting = Mutex<[ObjectIdentifier: Awaited]>([:])

  func enter(_ awaited: Awaited) { waiting.withLock { $0[ObjectIdentifier(awaited)] = awaited } }

  func leave(_ awaited: Awaited) { waiting.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(awaited)) } }

  func answer() { for awaited in waiting.withLock({ Array($0.values) }) { awaited.answer() } }
}
