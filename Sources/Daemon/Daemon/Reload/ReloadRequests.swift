internal import AsyncPrimitives
internal import Methods
internal import Synchronization
internal import Tracing

/// The queue of requests for the reloader, which serves one at a time, in order.
final class ReloadRequests: Sendable {
  struct Request: Sendable {
    /// Whether the configuration is only to be checked.
    let isTrial: Bool
    /// The name of the hold (`daemon.holdStore`) in which a move has completed its copy of the store. The copy then
    /// replaces the store. Nil to keep the store.
    let hold: String?
    /// Gets the outcome. Nil for a signal, whose sender awaits no reply.
    let reply: Promise<ReloadOutcome>?
    /// The trace of the request, which the reload's lines in the log carry.
    let trace: Trace?
  }

  /// The most requests that wait, including those of callers that gave up.
  static let mostWaiting = 64

  private enum Addition { case taken, full, closed }

  private struct Guarded {
    var waiting: [Request] = []
    /// Whether regd serves. Before that, requests wait.
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

  /// Asks for a reload because of SIGHUP. Several signals before the reload begins cause one reload.
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

  /// Lets the reloader take requests from now on, because regd serves.
  func open() {
    guarded.withLock { $0.isOpen = true }
    signal.raise()
  }

  /// Refuses waiting and later requests, because regd stops.
  ///
  /// - Returns: Whether a SIGHUP's request was waiting. The caller logs that, because a signal gets no reply.
  func close() -> Bool {
    let waiting = guarded.withLock { guarded in
      guarded.isClosed = true
      defer { guarded.waiting = [] }
      return guarded.waiting
    }
    for request in waiting { request.reply?.fulfill(.stopping) }
    return waiting.contains { $0.reply == nil }
  }

  /// Wakes the reloader, for example to stop networks that are no longer in use.
  func wake() { signal.raise() }

  /// Removes and returns the next request. Returns nil if no request waits, or if regd does not serve yet.
  func take() -> Request? {
    guarded.withLock { guarded in
      guarded.isOpen && !guarded.waiting.isEmpty ? guarded.waiting.removeFirst() : nil
    }
  }

  /// Waits until there is work, or the task is cancelled.
  func wait() async { await signal.wait(atMost: .seconds(86_400)) }
}
