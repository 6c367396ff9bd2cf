internal import Synchronization

/// A value that one task awaits and another part of the program provides, once. All continuations of regd are in this
/// type (promises: B. Liskov and L. Shrira, "Promises", 1988).
///
/// The promise may be fulfilled before the task begins to wait, because it keeps the value. So a caller can publish
/// the promise under a lock, release the lock, and then wait.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case fulfilled(Value)
  }

  private let state: Mutex<State>

  package init() { state = Mutex(.open) }

  /// Provides the value. Only the first value counts. A later one is ignored.
  package func fulfill(_ value: Value) {
    let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
      switch state {
      case .open:
        state = .fulfilled(value)
        return nil
      case .awaited(let waiter):
        state = .fulfilled(value)
        return waiter
      case .fulfilled: return nil
      }
    }
    waiter?.resume(returning: value)
  }

  /// Waits for the value. Only one task may wait for a promise at a time.
  ///
  /// - Parameter onCancel: Called once when the waiting task is cancelled, or at once if it is cancelled already. It
  ///   may run concurrently with the task and must not block. The wait continues until the promise is fulfilled, which
  ///   `onCancel` may do itself. The default ignores the cancellation.
  package func value(onCancel: @Sendable () -> Void = {}) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          switch state {
          case .open:
            state = .awaited(continuation)
            return nil
          case .awaited: preconditionFailure("two tasks wait for one promise")
          case .fulfilled(let value): return value
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      onCancel()
    }
  }
}

/// Promises are compared by identity, so that one of several can be found and removed.
extension Promise: Equatable {
  package static func == (one: Promise, other: Promise) -> Bool { one === other }
}
