internal import Linux
internal import SecureMemory
internal import Synchronization
internal import WireProtocols

/// One connection: carries out, on its event loop, the actions that `state` decides. Knows nothing about the content of
/// its session. One send carries the replies to all bytes of one read.
final class Connection {
  let place: ConnectionTable.Place
  let caller: Peer
  /// The number of the connection's user on the loop (`LoopUsers`).
  let user: Int
  let listener: Listener
  let parts: Parts
  let refusal: Refusal?
  let quota: PeerQuota
  private let membership: Connections.Membership
  /// The name of the protocol that the connection speaks.
  let wireName: String
  /// The connection's place among the idle ones of its user, or nil if it is busy or needs no such place.
  var idleTicket: IdleConnections.Ticket?
  /// Whether the connection was chosen to make room for another one.
  var isEvicted = false
  var limits: Limits
  var state: ConnectionState
  let session: any ProtocolSession
  /// The part of an earlier output that the kernel did not accept.
  var rest = SendingRest()
  var outgoing: OutgoingQueue
  /// Bytes read but not processed yet, because a limit is reached or because another user has the turn.
  var untaken = SecureBuffer()
  var timers: ConnectionTimers
  /// The connection's descriptor, or -1 after close.
  private(set) var descriptor: Int32
  /// Whether the poll also watches for writability.
  var awaitsOutput = false
  var isDraining = false
  /// Whether a reload has taken away the user's right to connect. The connection then closes at `timers.lastMoment`.
  var isExpelled = false
  /// Whether responses have arrived and the loop is about to serve the connection.
  var isReplied = false

  /// The parts that all connections share, besides their event loop.
  struct Parts: Sendable {
    let work: WorkQueue
    let offloadThreads: OffloadThreads
    let connections: Connections
    /// Called on an event loop, so it must not block.
    let report: @Sendable (ServerEvent) -> Void
  }

  /// Why a connection is refused.
  struct Refusal: Sendable {
    let reason: WireProtocols.Refusal
    /// Whether the caller gets a moment to send its first bytes, which show its framing (how it delimits messages), and
    /// to read the error.
    let lingers: Bool
  }

  init(
    _ new: NewCaller, _ rules: ServerRules, _ parts: Parts, _ handle: LoopHandle, user: Int,
    at place: ConnectionTable.Place
  ) {
    (self.place, self.user) = (place, user)
    self.parts = parts
    (descriptor, listener, refusal, quota, membership) =
      (new.descriptor, new.listener, new.refusal, new.quota, new.membership)
    let wire = listener.wire
    wireName = wire.name
    limits = wire.limits(rules.limits)
    var caller = new.caller
    caller.access = rules.access.access(of: caller, on: Descriptor(borrowing: descriptor))
    self.caller = caller
    session = wire.session(with: caller, new.quota, limits) { handle.post(.notifications(place)) }
    outgoing = OutgoingQueue(limits, new.quota)
    timers = ConnectionTimers(requestSeconds: limits.requestSeconds)
    state = refusal.map { ConnectionState(refusedLingering: $0.lingers) } ?? ConnectionState()
    if membership == .member { listener.connections.add(1, ordering: .relaxed) }
  }

  /// Starts serving, and reads at once, because usually the first request has already arrived.
  func begin(_ loop: EventLoop) {
    if refusal != nil {
      // Waits for the caller's first bytes, so that the error has their framing. If none come, the error is a line.
      timers.phaseEnd = loop.now + .milliseconds(250)
    } else {
      session.greet()
      if limits.idleSeconds > 0 {
        timers.lastRequest = loop.now
        timers.idleCheck = loop.now + .seconds(limits.idleSeconds)
      }
    }
    schedule(loop)
    loop.serve(self, .happened(.input))
    guard state.phase != .closed else { return }
    do throws(SystemError) {
      // bytes that have arrived since the read are not missed: epoll reports them when the descriptor is added
      try loop.handle.poll.add(
        descriptor, for: awaitsOutput ? [.readable, .writable] : .readable, token: place.token)
    } catch {
      loop.serve(self, .broken)
    }
  }

  /// Handles an event, and then carries out actions until there is nothing to do.
  ///
  /// - Parameter end: The end of the user's time slice, or nil if the user has no time left in this round.
  func handle(_ event: ConnectionState.Event, until end: MonotonicInstant?, _ loop: EventLoop) {
    var event = event
    defer {
      count()
      noteIdleness(loop)
    }
    while true {
      switch state.handle(event, work(until: end, loop)) {
      case .rest: return
      case .awaitTurn: return loop.awaitTurn(self)
      case .read: event = .read(read(loop) { take($0, until: end, loop) })
      case .readFraming:
        event = .read(
          read(loop) { bytes in
            if session.detectFraming(bytes) { refuse() }
            loop.look()
            return bytes.count
          })
      case .drop:
        event = .read(
          read(loop) { bytes in
            loop.look()
            return bytes.count
          })
      case .take:
        untaken.removeFirst(take(untaken.bytes, until: end, loop))
        event = .changed
      case .send: event = send(loop)
      case .notify:
        session.writeNotifications()
        event = .changed
      case .refuse:
        refuse()
        event = .changed
      case .finish:
        session.finish { begin($0, loop) }
        event = .changed
      case .endSending:
        Descriptor(borrowing: descriptor).shutdown(.writing)
        timers.phaseEnd = loop.now + ConnectionTimers.lingering
        schedule(loop)
        event = .changed
      case .close: return close(loop)
      }
    }
  }

  private func work(until end: MonotonicInstant?, _ loop: EventLoop) -> ConnectionState.Work {
    var work: ConnectionState.Work = []
    if let end, loop.now < end { work.insert(.time) }
    let room = outgoing.room
    let readiness = session.readiness(within: room)
    if limits.wholeSeconds > 0 { watchMessage(readiness.begunMessage, loop) }
    let hasRoom = readiness.output + readiness.waiting < room
    // a switch, because `==` of another module's enum is a call
    switch readiness.unfinished {
    case .ready: work.insert(.left)
    case .blocked: break
    case .nothing where !untaken.isEmpty:
      if readiness.isEnding || readiness.takesInput && hasRoom { work.insert(.left) }
    case .nothing:
      if readiness.takesInput { work.insert(hasRoom ? [.mayRead, .mayFinish] : .mayFinish) }
    }
    if readiness.output > 0 || !outgoing.isEmpty { work.insert(.output) }
    // no more notifications than the peer accepts: the others remain in the session, which limits them
    if let bytes = readiness.notificationBytes, outgoing.takes(notifications: bytes, behind: readiness.output) {
      work.insert(.notifications)
    }
    if readiness.inFlight > 0 { work.insert(.inFlight) } else if isExpelled { limitEnd(loop) }
    if readiness.isEnding { work.insert(.ending) }
    return work
  }

  /// Reads once into the loop's memory, and wipes the bytes there afterwards, because they may contain passwords.
  ///
  /// - Parameter take: Processes a prefix of the bytes and returns its length. The rest is kept.
  private func read(_ loop: EventLoop, _ take: (UnsafeRawBufferPointer) -> Int) -> ConnectionState.Reading {
    switch Descriptor(borrowing: descriptor).receive(into: loop.buffer) {
    case .bytes(let count, let isAll):
      let bytes = UnsafeMutableRawBufferPointer(rebasing: loop.buffer[..<count])
      let taken = take(UnsafeRawBufferPointer(bytes))
      if taken < count { untaken.append(UnsafeRawBufferPointer(rebasing: bytes[taken...])) }
      wipe(bytes)
      return .some(isAll: isAll)
    case .nothing: return .nothing
    case .end: return .end
    case .failed: return .broken
    }
  }

  /// Processes bytes until the user's time slice is spent, and at least once.
  ///
  /// - Returns: How many bytes were processed.
  private func take(_ bytes: UnsafeRawBufferPointer, until end: MonotonicInstant?, _ loop: EventLoop) -> Int {
    var taken = 0
    while true {
      let room = OutputBudget(output: outgoing.room, response: outgoing.roomForResponse)
      let progress = session.receive(UnsafeRawBufferPointer(rebasing: bytes[taken...]), within: room) {
        begin($0, loop)
      }
      taken += progress.bytes
      loop.look()
      if progress.requests > 0 {
        if limits.idleSeconds > 0 { timers.lastRequest = loop.now }
        endIdleness()
      }
      guard progress.isInterrupted, let end, loop.now < end else { return taken }
    }
  }

  /// Notes when a nameless caller's connection becomes idle or busy: while its user has no room, the longest idle one
  /// is closed for the next caller. Bytes of an incomplete request, or replies that the caller does not read, do not
  /// make a connection busy.
  private func noteIdleness(_ loop: EventLoop) {
    guard !caller.isNamed, membership == .member, !isEvicted, state.phase != .closed else { return }
    if session.inFlight > 0 {
      endIdleness()
    } else if idleTicket == nil {
      idleTicket = parts.connections.rest(quota, IdleConnections.Member(handle: loop.handle, place: place))
    }
  }

  private func endIdleness() {
    guard let ticket = idleTicket.take() else { return }
    if !parts.connections.wake(quota, ticket) { isEvicted = true }
  }

  private func refuse() {
    guard let refusal, state.phase == .refusing else { return }
    session.end(because: refusal.reason)
  }

  private func close(_ loop: EventLoop) {
    try? Descriptor(owning: descriptor).close()
    descriptor = -1
    // the deadlines remain, so that a request that has begun to commit does not wait for an upstream forever
    timers.endAllButDeadlines()
    session.abandon()
    untaken.removeAll()
    session.removeOutput()
    rest.removeAll()
    outgoing.end()
    schedule(loop)
    endIdleness()
    parts.connections.leave(quota, membership, isEvicted: isEvicted)
    if membership == .member { listener.connections.subtract(1, ordering: .relaxed) }
    loop.closed(self)
  }
}

/// Work that another thread or task does for the event loop, and whose answer comes back to the loop.
extension Connection {
  func begin(_ deferred: DeferredWork, _ loop: EventLoop) {
    switch deferred.kind {
    case .computing(let compute):
      parts.offloadThreads.answer(compute, of: caller.uid) { [handle = loop.handle, place] answer in
        handle.post(.answered(place, deferred.number, answer))
      }
    case .waiting(let work): begin(deferred.number, work, in: parts.work, on: nil, loop)
    case .lookingUp(let work):
      begin(deferred.number, work, in: loop.handle.lookUps, on: loop.executor(of: user), loop)
    }
  }

  private func begin(
    _ number: Int, _ work: @escaping @Sendable (@escaping DeferredWork.Turn) async -> any Sendable, in queue: WorkQueue,
    on executor: LoopExecutor?, _ loop: EventLoop
  ) {
    if timers.deadlines.add(number, at: loop.now) { schedule(loop) }
    queue.submit(
      { [handle = loop.handle, place, uid = caller.uid] in
        let answer = await work { await queue.turn(of: uid) }
        handle.post(.answered(place, number, answer))
      }, of: caller.uid, on: executor)
  }

  /// Takes the answer of deferred work.
  func take(_ answer: any Sendable, to number: Int, _ loop: EventLoop) {
    timers.deadlines.end(number)
    session.take(answer, to: number) { begin($0, loop) }
    guard state.phase == .closed else { return loop.serveSoon(self) }
    session.removeOutput()
    loop.forgetIfDone(self)
  }
}

/// Output to the peer.
extension Connection {
  /// Sends what the kernel accepts of the waiting bytes: first the rest of an earlier output, then the session's
  /// output.
  func send(_ loop: EventLoop) -> ConnectionState.Event {
    let socket = Descriptor(borrowing: descriptor)
    if !outgoing.isEmpty {
      switch socket.sendNow(rest.unsent) {
      case .failed: return .broken
      case .bytes(let taken): rest.advance(by: taken)
      }
      guard rest.isEmpty else { return waitForOutput(loop) }
      outgoing.hasGone()
    }
    let output = session.output
    if !output.isEmpty {
      switch socket.sendNow(output) {
      case .failed: return .broken
      case .bytes(let taken):
        if taken < output.count {
          rest.hold(UnsafeRawBufferPointer(rebasing: output[taken...]))
          outgoing.handOver(rest.count)
        }
        session.removeOutput()
      }
      guard rest.isEmpty else { return waitForOutput(loop) }
    }
    if awaitsOutput {
      awaitsOutput = false
      try? loop.handle.poll.change(descriptor, for: .readable, token: place.token)
    }
    return .sent(isAll: true)
  }

  /// Updates the counts of the bytes that wait for the peer.
  func count() { outgoing.update(waiting: session.pendingBytes) }

  /// Watches for writability, but only until all is sent: afterwards the kernel would wake the loop for each reply that
  /// the peer reads.
  private func waitForOutput(_ loop: EventLoop) -> ConnectionState.Event {
    watchProgress(loop)
    guard !awaitsOutput else { return .sent(isAll: false) }
    awaitsOutput = true
    do throws(SystemError) {
      try loop.handle.poll.change(descriptor, for: [.readable, .writable], token: place.token)
    } catch {
      // during `begin`, the descriptor is not in the poll yet, because `begin` adds it afterwards
      if error.number != SystemError.notFound { return .broken }
    }
    return .sent(isAll: false)
  }
}
