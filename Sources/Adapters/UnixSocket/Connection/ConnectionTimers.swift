internal import Linux
internal import WireProtocols

/// The times at which the loop looks at a connection even if nothing else happens to it.
struct ConnectionTimers {
  /// How long a peer may take to read the reason for which its connection ends.
  static let lingering = Duration.seconds(1)

  /// The end of a short phase: `refusing` or `lingering`.
  var phaseEnd: MonotonicInstant?
  /// When to check whether the connection is idle.
  var idleCheck: MonotonicInstant?
  /// When to check whether the peer has taken bytes.
  var progressCheck: MonotonicInstant?
  /// When the connection of a user that may no longer connect closes, even if replies wait.
  var lastMoment: MonotonicInstant?
  /// When the begun message must be complete, or the connection ends.
  var wholeCheck: MonotonicInstant?
  /// The number of the message that has begun, or nil if none has.
  var begunMessage: Int?
  var deadlines: RequestDeadlines
  /// The start of the idle time that `idleCheck` measures.
  var lastRequest = MonotonicInstant.now

  init(requestSeconds: Int) { deadlines = RequestDeadlines(.seconds(requestSeconds)) }

  var next: MonotonicInstant? {
    var next = deadlines.next
    for time in [phaseEnd, idleCheck, progressCheck, lastMoment, wholeCheck] {
      if let time, next.map({ time < $0 }) ?? true { next = time }
    }
    return next
  }

  mutating func endAllButDeadlines() {
    (phaseEnd, idleCheck, progressCheck, lastMoment, wholeCheck) = (nil, nil, nil, nil, nil)
  }
}

extension Connection {
  /// Makes the loop call `timeHasCome` at the earliest of the connection's times.
  func schedule(_ loop: EventLoop) { loop.schedule(timers.next, for: place) }

  func timeHasCome(_ loop: EventLoop) {
    let now = loop.now
    let expired = timers.deadlines.expired(at: now)
    for (number, allowed) in expired { session.expire(number, afterSeconds: Int(allowed.components.seconds)) }
    // bytes that the session writes at a deadline are sent now, because the answer itself may come much later
    if !expired.isEmpty { loop.serve(self, .changed) }
    if let time = timers.idleCheck, time <= now { checkIdleness(loop) }
    if let time = timers.progressCheck, time <= now { checkProgress(loop) }
    if let time = timers.lastMoment, time <= now {
      if outgoing.total > 0 { parts.report(.stalled(caller, bytes: outgoing.total)) }
      loop.serve(self, .broken)
    }
    if let time = timers.wholeCheck, time <= now {
      timers.wholeCheck = nil
      session.end(because: .idle(seconds: limits.wholeSeconds))
      loop.serve(self, .changed)
    }
    if let time = timers.phaseEnd, time <= now {
      timers.phaseEnd = nil
      loop.serve(self, .expired)
    }
    schedule(loop)
  }

  /// Watches how long a message takes from its first byte to its last.
  ///
  /// - Parameter number: The message that has begun, or nil if none has.
  func watchMessage(_ number: Int?, _ loop: EventLoop) {
    guard number != timers.begunMessage else { return }
    timers.begunMessage = number
    timers.wholeCheck = number.map { _ in loop.now + .seconds(limits.wholeSeconds) }
    schedule(loop)
  }

  /// Lets the connection last no longer than `stalledSeconds` from now on, however slowly the peer reads.
  func limitEnd(_ loop: EventLoop) {
    guard timers.lastMoment == nil, state.phase != .closed else { return }
    timers.lastMoment = loop.now + .seconds(limits.stalledSeconds)
    schedule(loop)
  }

  /// Starts to watch the output, because a peer that takes none of it for too long loses the connection.
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
    // the kernel frees a buffer once the peer has read all of it, so smaller progress is invisible
    switch outgoing.progress(left: rest.count + Descriptor(borrowing: descriptor).unsentBytes, at: loop.now) {
    case .done: break
    case .stalled:
      parts.report(.stalled(caller, bytes: outgoing.total))
      loop.serve(self, .broken)
    case .going: scheduleProgress(loop)
    }
  }

  private func checkIdleness(_ loop: EventLoop) {
    if session.inFlight > 0 || !untaken.isEmpty || !outgoing.isEmpty { timers.lastRequest = loop.now }
    let end = timers.lastRequest + .seconds(limits.idleSeconds)
    guard end <= loop.now else {
      timers.idleCheck = end
      return
    }
    timers.idleCheck = nil
    session.end(because: .idle(seconds: limits.idleSeconds))
    loop.serve(self, .changed)
  }
}

/// The deadlines of one connection's requests, the earliest first, so that one timer is enough.
struct RequestDeadlines {
  private struct Entry {
    let number: Int
    let allowed: Duration
    let end: MonotonicInstant
  }

  /// How long a request may take if it begins now.
  var allowed: Duration
  private var queue: [Entry] = []

  init(_ allowed: Duration) { self.allowed = allowed }

  var next: MonotonicInstant? { queue.first?.end }

  /// - Returns: Whether the connection must set its timer anew, because this deadline is now the first.
  mutating func add(_ number: Int, at now: MonotonicInstant) -> Bool {
    let entry = Entry(number: number, allowed: allowed, end: now + allowed)
    // usually at the end, because all requests have the same time limit, except those from before a reload
    let place = (queue.lastIndex { $0.end <= entry.end } ?? -1) + 1
    queue.insert(entry, at: place)
    return place == 0
  }

  /// Removes the requests whose deadline has passed, and returns them with the time that each was allowed.
  mutating func expired(at now: MonotonicInstant) -> [(number: Int, allowed: Duration)] {
    let count = queue.firstIndex { $0.end > now } ?? queue.count
    defer { queue.removeFirst(count) }
    return queue[..<count].map { ($0.number, $0.allowed) }
  }

  /// Drops the deadline of a request that has its answer. The connection's timer may still be set to that deadline, but
  /// then finds nothing expired.
  mutating func end(_ number: Int) {
    if let index = queue.firstIndex(where: { $0.number == number }) { queue.remove(at: index) }
  }
}
