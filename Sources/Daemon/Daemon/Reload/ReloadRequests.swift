internal import Methods
internal import Synchronization
internal import Tracing
internal import Waiting

/// What the reloader is asked for, in its order: one reload at a time.
final class ReloadRequests: Sendable {
  struct Request: Sendable {
    /// Whether the configuration is only to be checked.
    let isTrial: Bool
    /// The hold for which a move has completed another store; nil if the store stays.
    let hold: String?
    /// Nil for a signal, which no one waits for.
    let reply: Promise<ReloadOutcome>?
    /// By what the lines of the log are joined with those of who asked.
    let trace: Trace?
  }

  /// Requests that may wait: callers that give up leave theirs.
  static let mostWaiting = 64

  private enum Addition { case taken, full, closed }

  private struct Guarded {
    var waiting: [Request] = []
    /// Before, the socket does not accept, and there is nothing to reload.
    var isOpen = false
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())
  private let signal = WakeSignal()

  /// Asks for a reload and waits for what comes of it.
  func ask(isTrial: Bool, hold: String? = nil) async -> ReloadOutcome {
    let reply = Promise<ReloadOutcome>()
    switch add(Request(isTrial: isTrial, hold: hold, reply: reply, trace: Trace.current)) {
    case .taken: return await reply.value()
    case .full: return .busy
    case .closed: return .stopping
    }
  }

  /// Asks for a reload because of a signal: however many come, one that has not begun is enough for all.
  ///
  /// - Returns: False where the process stops.
  func hangUp() -> Bool {
    add(Request(isTrial: false, hold: nil, reply: nil, trace: Trace(of: "SIGHUP"))) != .closed
  }

  private func add(_ request: Request) -> Addition {
    let addition = guarded.withLock { guarded -> Addition in
      guard !guarded.isClosed else { return .closed }
      if request.reply == nil {
        if !guarded.waiting.contains(where: { $0.reply == nil }) { guarded.waiting.append(request) }
        return .taken
      }
      guard guarded.waiting.count < Self.mostWaiting else { return .full }
      guarded.waiting.append(request)
      return .taken
    }
    signal.raise()
    return addition
  }

  /// Lets requests be taken, for the process is ready.
  func open() {
    guarded.withLock { $0.isOpen = true }
    signal.raise()
  }

  /// Refuses what waits and what comes, for the process stops.
  ///
  /// - Returns: Whether a signal was waiting, which has no other answer than a line in the log.
  func close() -> Bool {
    let waiting = guarded.withLock { guarded in
      guarded.isClosed = true
      defer { guarded.waiting = [] }
      return guarded.waiting
    }
    for request in waiting { request.reply?.fulfill(.stopping) }
    return waiting.contains { $0.reply == nil }
  }

  /// Wakes the reloader for something else.
  func wake() { signal.raise() }

  /// The next request; nil if there is none.
  func take() -> Request? {
    guarded.withLock { guarded in
      guarded.isOpen && !guarded.waiting.isEmpty ? guarded.waiting.removeFirst() : nil
    }
  }

  /// Waits until something is to be done, or the task is cancelled.
  func wait() async { await signal.wait(atMost: .seconds(86_400)) }
}
