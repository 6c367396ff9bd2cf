internal import Methods
internal import Synchronization
internal import Tracing
internal import Waiting

/// The requests to the reloader, in their order: one reload at a time.
final class ReloadRequests: Sendable {
  struct Request: Sendable {
    /// Whether the configuration is only to be checked.
    let isTrial: Bool
    /// The hold of changes for which a move has completed another store; nil if the store stays.
    let hold: String?
    /// Gets the outcome; nil for a signal, whose sender awaits no reply.
    let reply: Promise<ReloadOutcome>?
    /// The requester's trace, which links the reload's lines of the log to it.
    let trace: Trace?
  }

  /// The most requests that wait, including those of callers that gave up.
  static let mostWaiting = 64

  private enum Addition { case taken, full, closed }

  private struct Guarded {
    var waiting: [Request] = []
    /// Whether the socket accepts connections; before, there is nothing to reload.
    var isOpen = false
    var isClosed = false
  }

  private let guarded = Mutex(Guarded())
  private let signal = WakeSignal()

  /// Asks for a reload and waits for its outcome.
  func ask(isTrial: Bool, hold: String? = nil) async -> ReloadOutcome {
    let reply = Promise<ReloadOutcome>()
    switch add(Request(isTrial: isTrial, hold: hold, reply: reply, trace: Trace.current)) {
    case .taken: return await reply.value()
    case .full: return .busy
    case .closed: return .stopping
    }
  }

  /// Asks for a reload because of a signal. One reload that has not begun is enough for several signals.
  ///
  /// - Returns: False if regd stops.
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

  /// Admits requests, because regd is ready.
  func open() {
    guarded.withLock { $0.isOpen = true }
    signal.raise()
  }

  /// Refuses waiting and later requests, because regd stops.
  ///
  /// - Returns: Whether a signal was waiting, which can only be answered in the log.
  func close() -> Bool {
    let waiting = guarded.withLock { guarded in
      guarded.isClosed = true
      defer { guarded.waiting = [] }
      return guarded.waiting
    }
    for request in waiting { request.reply?.fulfill(.stopping) }
    return waiting.contains { $0.reply == nil }
  }

  /// Wakes the reloader for other work.
  func wake() { signal.raise() }

  /// Removes and returns the next request; nil if there is none.
  func take() -> Request? {
    guarded.withLock { guarded in
      guarded.isOpen && !guarded.waiting.isEmpty ? guarded.waiting.removeFirst() : nil
    }
  }

  /// Waits until there is work, or the task is cancelled.
  func wait() async { await signal.wait(atMost: .seconds(86_400)) }
}
