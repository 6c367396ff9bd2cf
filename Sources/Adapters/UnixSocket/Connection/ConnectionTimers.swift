internal import JSONRPC
internal import Linux

/// When a connection is to be looked at, whatever happens to it.
struct ConnectionTimers {
  /// How long a peer may take to read why its connection ends.
  static let lingering = Duration.seconds(1)

  /// The end of what is to be short: of a refused caller's framing, of lingering.
  var phaseEnd: MonotonicInstant?
  /// When to look whether it is idle.
  var idleCheck: MonotonicInstant?
  /// When to look whether its peer takes bytes.
  var progressCheck: MonotonicInstant?
  var deadlines: RequestDeadlines
  /// For `idleCheck`.
  var lastRequest = MonotonicInstant.now

  init(requestSeconds: Int) { deadlines = RequestDeadlines(.seconds(requestSeconds)) }

  var next: MonotonicInstant? {
    var next = deadlines.next
    for time in [phaseEnd, idleCheck, progressCheck] {
      if let time, next.map({ time < $0 }) ?? true { next = time }
    }
    return next
  }

  mutating func endAllButDeadlines() { (phaseEnd, idleCheck, progressCheck) = (nil, nil, nil) }
}

extension Connection {
  /// Has the loop call `timeHasCome` at the next of its times.
  func schedule(_ loop: EventLoop) { loop.schedule(timers.next, for: place) }

  func timeHasCome(_ loop: EventLoop) {
    let now = loop.now
    for (number, allowed) in timers.deadlines.expired(at: now) {
      conversation.expire(number, afterSeconds: Int(allowed.components.seconds))
    }
    if let time = timers.idleCheck, time <= now { checkIdleness(loop) }
    if let time = timers.progressCheck, time <= now { checkProgress(loop) }
    if let time = timers.phaseEnd, time <= now {
      timers.phaseEnd = nil
      loop.serve(self, .expired)
    }
    schedule(loop)
  }

  /// Closes the connection when its peer has taken nothing of what waits for it for too long.
  func watchProgress(_ loop: EventLoop) {
    guard outgoing.beginWatch(at: loop.now) else { return }
    scheduleProgress(loop)
    schedule(loop)
  }

  private func scheduleProgress(_ loop: EventLoop) {
    timers.progressCheck = loop.now + max(.milliseconds(50), .milliseconds(limits.stalledSeconds * 1000 / 8))
  }

  private func checkProgress(_ loop: EventLoop) {
    timers.progressCheck = nil
    // of what the kernel has, it says only which of its own buffers are through; a smaller step is not seen
    switch outgoing.progress(left: rest.count + Descriptor(borrowing: descriptor).unsentBytes, at: loop.now) {
    case .done: break
    case .stalled:
      parts.report(.stalled(caller, bytes: outgoing.total))
      loop.serve(self, .broken)
    case .going: scheduleProgress(loop)
    }
  }

  private func checkIdleness(_ loop: EventLoop) {
    if conversation.inFlight > 0 || !untaken.isEmpty || !outgoing.isEmpty { timers.lastRequest = loop.now }
    let end = timers.lastRequest + .seconds(limits.idleSeconds)
    guard end <= loop.now else {
      timers.idleCheck = end
      return
    }
    timers.idleCheck = nil
    conversation.end(with: .idleTimeout(limit: limits.idleSeconds), into: &output)
    loop.serve(self, .changed)
  }
}
