internal import Synchronization

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
