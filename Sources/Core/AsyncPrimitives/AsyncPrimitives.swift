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

/// Lets any thread cancel the task that does some work. Structured concurrency gives other code no handle of that task.
///
/// Runs the work in the caller's own task: a child task would cost as much as a look-up in the store.
package final class TaskCanceller: Sendable {
  private struct Guarded {
    var isCancelled = false
    /// The task while it does the work, otherwise nil, because the handle is valid only within `run`.
    nonisolated(unsafe) var task: UnsafeCurrentTask?
  }

  private let guarded = Mutex(Guarded())

  package init() {}

  /// Does the work in the calling task. If `cancel` was called or is called during the work, the task is cancelled,
  /// and remains cancelled.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    await withUnsafeCurrentTask { task in
      hold(task)
      defer { hold(nil) }
      return await work()
    }
  }

  /// Cancels the work that runs now, or that `run` begins later. Cancellation handlers run before this returns, and
  /// must not block.
  package func cancel() {
    guarded.withLock { guarded in
      guarded.isCancelled = true
      // within the lock: `run` cannot clear the handle, so the task cannot end, before this call returns
      guarded.task?.cancel()
    }
  }

  private func hold(_ task: UnsafeCurrentTask?) {
    nonisolated(unsafe) let task = task
    guarded.withLock { guarded in
      guarded.task = task
      if guarded.isCancelled { task?.cancel() }
    }
  }
}

/// Wakes one task that waits for work. A signal that is raised while no task waits is remembered.
package final class WakeSignal: Sendable {
  private struct Guarded {
    var isRaised = false
    var waiter: Promise<Void>?
  }

  private let guarded = Mutex(Guarded())

  package init() {}

  package func raise() {
    guarded.withLock { guarded in
      guarded.isRaised = guarded.waiter == nil
      return guarded.waiter.take()
    }?.fulfill(())
  }

  /// Waits until the signal is raised, until `pause` has passed, or until the task is cancelled. Only one task may wait
  /// at a time.
  package func wait(atMost pause: Duration) async {
    let waiter = Promise<Void>()
    let isRaised = guarded.withLock { guarded in
      defer { (guarded.isRaised, guarded.waiter) = (false, guarded.isRaised ? nil : waiter) }
      return guarded.isRaised
    }
    guard !isRaised else { return }
    await withTaskGroup { group in
      group.addTask { await waiter.value(onCancel: { waiter.fulfill(()) }) }
      group.addTask { try? await Task.sleep(for: pause) }
      await group.next()
      group.cancelAll()
    }
    guarded.withLock { $0.waiter = nil }
  }
}
