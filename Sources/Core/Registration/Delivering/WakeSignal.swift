internal import Synchronization

/// Tells somebody who waits that there is something to do. Raised while nobody waits, it is remembered.
package final class WakeSignal: Sendable {
  private struct Guarded {
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let guarded = Mutex(Guarded())

  package init() {}

  package func raise() {
    let waiter = guarded.withLock { guarded in
      guarded.isRaised = guarded.waiter == nil
      defer { guarded.waiter = nil }
      return guarded.waiter
    }
    waiter?.resume()
  }

  /// Waits until it is raised, or so long; also ends with the task. One at a time.
  package func wait(atMost pause: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait() }
      group.addTask { try? await Task.sleep(for: pause) }
      await group.next()
      group.cancelAll()
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
        let goesOn = guarded.withLock { guarded in
          if guarded.isRaised || Task.isCancelled {
            guarded.isRaised = false
            return true
          }
          guarded.waiter = waiter
          return false
        }
        if goesOn { waiter.resume() }
      }
    } onCancel: {
      guarded.withLock { guarded in
        defer { guarded.waiter = nil }
        return guarded.waiter
      }?.resume()
    }
  }
}
