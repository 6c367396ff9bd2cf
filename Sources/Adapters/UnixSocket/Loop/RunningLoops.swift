internal import Synchronization

/// The event loops of a server, once they run.
final class RunningLoops: Sendable {
  private let state = Mutex<LoopGroup?>(nil)

  /// Nil before they run.
  var group: LoopGroup? { state.withLock { $0 } }

  func began(_ group: LoopGroup) { state.withLock { $0 = group } }
}
