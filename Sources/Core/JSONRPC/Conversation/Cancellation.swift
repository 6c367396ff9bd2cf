internal import Synchronization
internal import Waiting

/// Whether a request has been cancelled. Its work may be stopped until it begins to commit.
package final class Cancellation: Sendable {
  package enum Reason: Equatable, Sendable {
    /// `rpc.cancel`.
    case caller
    /// The request has taken as long as it may, in seconds.
    case deadline(seconds: Int)
    /// The connection has gone.
    case disconnection
    /// The server's time to stop is over.
    case shutdown
  }

  private enum State {
    case wanted
    case committing
    case cancelled(Reason)
  }

  private struct Guarded {
    var state = State.wanted
    /// Why the task is to end; the waiter is resumed once.
    var stop: Reason?
  }

  private let guarded = Mutex(Guarded())
  /// Fulfilled when `stop` is set, or when the work has ended.
  private let stopped = Promise<Void>()

  package init() {}

  /// Marks that the work is about to do what cannot be undone. From then on only the deadline and the server's stop reach
  /// it, which end waiting and undo nothing.
  ///
  /// - Returns: False if the request has been cancelled; nothing may be committed then.
  package func beginCommit() -> Bool {
    guarded.withLock { guarded in
      if case .cancelled = guarded.state { return false }
      guarded.state = .committing
      return true
    }
  }

  package func cancel(_ reason: Reason) {
    let isToStop = guarded.withLock { guarded in
      switch (guarded.state, reason) {
      case (.wanted, _): guarded.state = .cancelled(reason)
      case (.committing, .deadline), (.committing, .shutdown): break
      case (.committing, _), (.cancelled, _): return false
      }
      guarded.stop = guarded.stop ?? reason
      return true
    }
    if isToStop { stopped.fulfill(()) }
  }

  /// Does the work in a child task, which is cancelled when the request is.
  ///
  /// - Returns: The work's reply, or the error of the cancellation.
  func run(_ work: @escaping Method.Work) async -> Reply {
    // cancelled while it waited for its turn: not begun
    if case .cancelled = guarded.withLock({ $0.state }) { return verdict(on: .error(.cancelled)) }
    let reply = await withTaskGroup(of: Reply.self) { group in
      group.addTask {
        defer { self.stopped.fulfill(()) }
        return await work(self)
      }
      // a cancelled task's children are cancelled with it: this wait needs to end for no more than the work does
      await self.stopped.value()
      group.cancelAll()
      return await group.next()
    }
    return verdict(on: reply ?? .error(.internal))
  }

  /// The reply of a request: that of its work, unless it was cancelled before it committed anything.
  private func verdict(on reply: Reply) -> Reply {
    guarded.withLock { guarded in
      switch guarded.state {
      case .wanted: reply
      // the work may have stopped before it committed anything after all
      case .committing: if reply == .error(.cancelled), let reason = guarded.stop { Self.error(reason) } else { reply }
      case .cancelled(let reason): Self.error(reason)
      }
    }
  }

  private static func error(_ reason: Reason) -> Reply {
    switch reason {
    case .deadline(let seconds): .error(.requestTimeout(limit: seconds))
    case .shutdown: .error(.draining)
    case .caller, .disconnection: .error(.cancelled)
    }
  }
}
