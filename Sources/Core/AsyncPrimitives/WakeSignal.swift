internal import Synchronization

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
