internal import FairSharing
internal import Registration
internal import Synchronization
internal import Waiting

/// The queue for the writer: users take turns, and each user's origins among themselves, so that a user with thousands of
/// changes in the queue delays another user by one of them.
final class WriterLine: Sendable {
  private struct State {
    var isTaken = false
    /// Each is told whether it is its turn; false where it is cancelled.
    var waiting = FairQueue<UInt32?, Origin?, Promise<Bool>>()
  }

  private let state = Mutex(State())

  /// The length of the queue.
  var count: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` when it is the share's turn.
  ///
  /// - Parameter isLate: Whether it ignores cancellation.
  /// - Throws: `cancelled` where the task was cancelled before its turn.
  func turn<Value: Sendable>(
    of share: Share, evenIfLate isLate: Bool, _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    guard await enter(share, isLate) else { throw .cancelled }
    defer { leave() }
    return try await body()
  }

  private func enter(_ share: Share, _ isLate: Bool) async -> Bool {
    guard isLate || !Task.isCancelled else { return false }
    let waiter = Promise<Bool>()
    let isTurn = state.withLock { state in
      if state.isTaken { state.waiting.append(waiter, of: share.uid, share.origin) }
      defer { state.isTaken = true }
      return !state.isTaken
    }
    guard !isTurn else { return true }
    return await waiter.value {
      guard !isLate else { return }
      // where it is not found, it has been given its turn
      self.state.withLock { $0.waiting.remove(of: share.uid, share.origin) { $0 == waiter } }?.fulfill(false)
    }
  }

  private func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()?.element
      state.isTaken = next != nil
      return next
    }
    next?.fulfill(true)
  }
}
