internal import Heartbeat
internal import Synchronization

/// The sessions that wait for their turn to commit, which may be long where commits are slow: they go round for as long as the one
/// does whose turn it is.
final class CommitLine: Sendable {
  private let waiting = Mutex<[ObjectIdentifier: Awaited]>([:])

  func enter(_ awaited: Awaited) { waiting.withLock { $0[ObjectIdentifier(awaited)] = awaited } }

  func leave(_ awaited: Awaited) { waiting.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(awaited)) } }

  func answer() { for awaited in waiting.withLock({ Array($0.values) }) { awaited.answer() } }
}
