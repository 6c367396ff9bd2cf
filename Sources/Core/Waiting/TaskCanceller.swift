internal import Synchronization

/// Lets any thread cancel the task that does some work, because structured concurrency gives nobody else a handle of that task.
///
/// The work needs no child task, whose begin and end cost as much as a look-up does.
package final class TaskCanceller: Sendable {
  private struct Guarded {
    var isCancelled = false
    /// The task, only while it does the work, because afterwards it may be gone.
    nonisolated(unsafe) var task: UnsafeCurrentTask?
  }

  private let guarded = Mutex(Guarded())

  package init() {}

  /// Does the work in the calling task, which is cancelled, and stays so, if `cancel` was called or is called meanwhile.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    await withUnsafeCurrentTask { task in
      hold(task)
      defer { hold(nil) }
      return await work()
    }
  }

  /// Cancels the work that runs or begins later. Cancellation handlers run before this returns, and must not block.
  package func cancel() {
    guarded.withLock { guarded in
      guarded.isCancelled = true
      // under the lock, because the task may end as soon as it is free
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
