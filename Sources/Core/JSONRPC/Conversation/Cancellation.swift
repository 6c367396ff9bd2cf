internal import AsyncPrimitives
internal import Synchronization

/// Keeps whether a request has been cancelled. A cancellation stops the request's work until the work begins to commit.
package final class Cancellation: Sendable {
  package enum Reason: Equatable, Sendable {
    /// The caller called `rpc.cancel`.
    case caller
    /// The request has reached its time limit of this many seconds.
    case deadline(seconds: Int)
    /// The connection has closed.
    case disconnection
    /// The server is stopping, and the time that it leaves for requests is up.
    case shutdown
  }

  private enum State {
    case wanted
    case committing
    case cancelled(Reason)
    /// The work has returned, and its own reply is on its way.
    case ended
  }

  private struct Guarded {
    var state = State.wanted
    /// Why the work has to stop. The first reason counts.
    var stop: Reason?
  }

  private let guarded = Mutex(Guarded())
  /// Cancels the task of the work once `stop` is set.
  private let running = TaskCanceller()

  package init() {}

  /// Marks that the work is about to do something that cannot be undone. Afterwards only the deadline and the server's
  /// shutdown can cancel the work. They only end its waits, and undo nothing.
  ///
  /// - Returns: Whether the work may commit. False if the request has been cancelled.
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
      case (.committing, _), (.cancelled, _), (.ended, _): return false
      }
      guarded.stop = guarded.stop ?? reason
      return true
    }
    if isToStop { running.cancel() }
  }

  /// Does the work in the calling task, which is cancelled when the request is.
  ///
  /// - Returns: The work's reply, or the error of the cancellation.
  func run(_ work: @escaping Method.Work) async -> Reply {
    // the request was cancelled while it waited for its turn: the work does not begin
    if case .cancelled = guarded.withLock({ $0.state }) { return verdict(on: .error(.cancelled)) }
    return verdict(on: await running.run { await work(self) })
  }

  /// The reply to a request that was cancelled before it began to commit, whatever its work returns later, or nil for any
  /// other request.
  var decided: Reply? {
    guarded.withLock { if case .cancelled(let reason) = $0.state { Self.error(reason) } else { nil } }
  }

  /// The reply to the request: the work's own, unless the request was cancelled before the work committed anything.
  private func verdict(on reply: Reply) -> Reply {
    guarded.withLock { guarded in
      switch guarded.state {
      case .cancelled(let reason): return Self.error(reason)
      // the work announced a commit, but may have stopped before it committed anything
      case .committing:
        guarded.state = .ended
        if reply == .error(.cancelled), let reason = guarded.stop { return Self.error(reason) }
      case .wanted, .ended: guarded.state = .ended
      }
      return reply
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
