internal import Synchronization

/// A server's event loops, once they run.
final class RunningLoops: Sendable {
  private let state = Mutex<LoopGroup?>(nil)

  /// The loops, or nil before they run.
  var group: LoopGroup? { state.withLock { $0 } }

  func began(_ group: LoopGroup) { state.withLock { $0 = group } }
}
