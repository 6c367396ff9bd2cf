internal import JSONRPC
internal import Linux
internal import Wiping

/// One connection: carries out its state's actions on its event loop. It answers a request that needs no waiting at
/// once, and
/// one send carries the replies to everything that one read brought.
final class Connection {
  let place: ConnectionTable.Place
  let caller: Caller
  /// The user's number on the loop.
  let user: Int
  let session: Session
  let parts: Parts
  let refusal: Refusal?
  private let usage: PeerUsage
  private let membership: Connections.Membership
  var limits: Limits
  var state: ConnectionState
  var conversation: Conversation
  var output = JSONWriter()
  /// The part of an earlier output that the kernel did not accept.
  var rest = SendingRest()
  var outgoing: OutgoingQueue
  /// Bytes read but not processed yet, because of a limit or because another user has the turn.
  var untaken = HeldBytes()
  var timers: ConnectionTimers
  /// -1 after close.
  private(set) var descriptor: Int32
  /// Whether the poll also watches for writability.
  var awaitsOutput = false
  /// Whether responses have arrived and the loop is about to serve the connection.
  var isReplied = false

  /// The parts that all connections share, besides their event loop.
  struct Parts: Sendable {
    let dispatcher: Dispatcher
    let work: WorkQueue
    let offloadThreads: OffloadThreads
    let connections: Connections
    /// Called on an event loop: must not block.
    let report: @Sendable (ServerEvent) -> Void
  }

  /// Why a connection is refused.
  struct Refusal: Sendable {
    let error: RPCError
    /// Whether the caller gets a moment to show its framing, and to read the error.
    let lingers: Bool
  }

  init(_ new: NewCaller, _ rules: ServerRules, _ parts: Parts, user: Int, at place: ConnectionTable.Place) {
    (self.place, self.user) = (place, user)
    self.parts = parts
    (descriptor, refusal, usage, membership) = (new.descriptor, new.refusal, new.usage, new.membership)
    limits = rules.limits
    var caller = new.caller
    caller.access = rules.access.access(of: caller, on: Descriptor(borrowing: descriptor))
    self.caller = caller
    session = Session(
      caller: caller, usage: new.usage, heldBytesLimit: limits.heldBytesPerUID, languages: parts.dispatcher.languages)
    conversation = Conversation(parts.dispatcher, session: session, usage: new.usage, limits: limits)
    outgoing = OutgoingQueue(limits, new.usage)
    timers = ConnectionTimers(requestSeconds: limits.requestSeconds)
    state = refusal.map { ConnectionState(refusedLingering: $0.lingers) } ?? ConnectionState()
  }

  /// Starts serving; mostly the first request is there already.
  func begin(_ loop: EventLoop) {
    session.whenWaiting { [handle = loop.handle, place] in handle.post(.notifications(place)) }
    if refusal != nil {
      // the error takes the framing of the caller's first bytes; for a caller that sends nothing, that of lines
      timers.phaseEnd = loop.now + .milliseconds(250)
    } else if limits.idleSeconds > 0 {
      timers.lastRequest = loop.now
      timers.idleCheck = loop.now + .seconds(limits.idleSeconds)
    }
    schedule(loop)
    loop.serve(self, .happened(.input))
    guard state.phase != .closed else { return }
    do throws(SystemError) {
      // epoll reports bytes that have arrived since the read as a change
      try loop.handle.poll.add(
        descriptor, for: awaitsOutput ? [.readable, .writable] : .readable, token: place.token)
    } catch {
      loop.serve(self, .broken)
    }
  }

  /// Handles an event and all that follows from it.
  ///
  /// - Parameter end: The end of the user's time; nil if the user has none now.
  func handle(_ event: ConnectionState.Event, until end: MonotonicInstant?, _ loop: EventLoop) {
    var event = event
    defer { count() }
    while true {
      switch state.handle(event, work(until: end, loop)) {
      case .rest: return
      case .awaitTurn: return loop.awaitTurn(self)
      case .read: event = .read(read(loop) { take($0, until: end, loop) })
      case .readFraming:
        event = .read(
          read(loop) { bytes in
            if conversation.detectFraming(bytes) { refuse() }
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
        conversation.writeNotifications(into: &output)
        event = .changed
      case .refuse:
        refuse()
        event = .changed
      case .finish:
        conversation.finish(into: &output) { begin($0, loop) }
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
    let (waits, mayTakeMore) = (output.count, conversation.mayTakeMore)
    let room = outgoing.room
    let hasRoom = waits + conversation.waitingBytes < room
    if conversation.hasUnfinishedBatch {
      if conversation.batchHasRoom(besides: waits, within: room) { work.insert(.left) }
    } else if !untaken.isEmpty {
      if conversation.isEnding || mayTakeMore && hasRoom { work.insert(.left) }
    } else if mayTakeMore {
      work.insert(hasRoom ? [.mayRead, .mayFinish] : .mayFinish)
    }
    if waits > 0 || !outgoing.isEmpty { work.insert(.output) }
    // no more than the reader accepts: the rest stays with the session, where it counts against a limit
    if conversation.hasNotifications(within: room - waits),
      outgoing.takes(notifications: session.waitingBytes, behind: waits)
    {
      work.insert(.notifications)
    }
    if conversation.inFlight > 0 { work.insert(.inFlight) }
    if conversation.isEnding { work.insert(.ending) }
    return work
  }

  /// Reads once into the loop's memory, and overwrites the bytes there afterwards.
  ///
  /// - Parameter take: Processes a prefix of the bytes and returns its length; the rest is kept.
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

  /// Processes bytes until the user's time is over, and at least once.
  ///
  /// - Returns: How many bytes were processed.
  private func take(_ bytes: UnsafeRawBufferPointer, until end: MonotonicInstant?, _ loop: EventLoop) -> Int {
    var taken = 0
    while true {
      var allowance = Conversation.Allowance(
        outputBytes: outgoing.room, responseBytes: outgoing.roomForResponse)
      taken += conversation.receive(
        UnsafeRawBufferPointer(rebasing: bytes[taken...]), into: &output, within: &allowance
      ) { begin($0, loop) }
      loop.look()
      if limits.idleSeconds > 0, allowance.taken > 0 { timers.lastRequest = loop.now }
      if let call = conversation.takeOffloadedCall() { offload(call, loop) }
      guard allowance.requests <= 0, let end, loop.now < end, taken < bytes.count || conversation.hasUnfinishedBatch
      else { return taken }
    }
  }

  private func refuse() {
    guard let refusal, !conversation.isEnding else { return }
    conversation.end(with: refusal.error, into: &output)
  }

  private func close(_ loop: EventLoop) {
    try? Descriptor(owning: descriptor).close()
    descriptor = -1
    // the deadlines stay, so that a request that has begun to commit does not wait for an upstream for ever
    timers.endAllButDeadlines()
    conversation.abandon()
    untaken.removeAll()
    output.removeAll()
    rest.removeAll()
    outgoing.end()
    schedule(loop)
    parts.connections.leave(usage, membership)
    loop.closed(self)
  }
}
