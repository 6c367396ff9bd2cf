internal import FairSharing
internal import Registration
internal import Synchronization

/// Who waits for the writer: users take turns, and each user's origins among themselves, so that one who has thousands of
/// changes waiting holds up another by one of them.
final class WriterLine: Sendable {
  private struct Waiter: Sendable {
    let number: Int
    /// Given whether it is its turn; false where it is cancelled.
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var isTaken = false
    var lastNumber = 0
    var waiting = FairQueue<UInt32?, Origin?, Waiter>()
  }

  private let state = Mutex(State())

  /// How many wait.
  var count: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` when it is the share's turn.
  ///
  /// - Parameter isLate: Whether it waits on also when its task is cancelled.
  /// - Throws: `cancelled` where the task was cancelled before its turn.
  func turn<Value: Sendable>(
    of share: Share, evenIfLate isLate: Bool, _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    guard await enter(share, isLate) else { throw .cancelled }
    defer { leave() }
    return try await body()
  }

  private func enter(_ share: Share, _ isLate: Bool) async -> Bool {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          // under the lock: who is cancelled from here on finds the waiter in the queue
          if !isLate, Task.isCancelled { return false }
          guard state.isTaken else {
            state.isTaken = true
            return true
          }
          state.waiting.append(Waiter(number: number, continuation: continuation), of: share.uid, share.origin)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      guard !isLate else { return }
      let waiter = state.withLock { $0.waiting.remove(of: share.uid, share.origin) { $0.number == number } }
      waiter?.continuation.resume(returning: false)
    }
  }

  private func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()?.element
      state.isTaken = next != nil
      return next
    }
    next?.continuation.resume(returning: true)
  }
}
