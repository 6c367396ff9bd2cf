internal import JSONRPC
internal import Linux
internal import NIOCore
internal import Wiping

/// One connection: raw reads in, one write per read out. Requests that need no waiting are answered on the event loop.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  var limits: Limits
  let caller: Caller
  /// The caller's supplementary groups.
  let groups: [UInt32]
  let session: Session
  let parts: Parts
  private let scheduler: LoopScheduler
  let refusal: Refusal?
  let report: @Sendable (ServerEvent) -> Void

  var conversation: Conversation
  var output = JSONWriter()
  var outgoing: OutgoingQueue
  var deadlines: RequestDeadlines
  /// Bytes that were read and not taken yet, because of a limit or another user's turn.
  var untaken = HeldBytes()
  var lastRequest = NIODeadline.now()
  /// The timers that count; those that were started before are of limits that have gone.
  var idleTimer = 0
  var deadlineTimer = 0
  /// While the channel is open.
  var descriptor: NIOBSDSocket.Handle?
  /// The same. Timers look it up here; a timer that held it would keep a closed connection alive.
  var context: ChannelHandlerContext?
  private var isReadWanted = false
  private(set) var isInputClosed = false
  /// The end of the input has been looked at.
  private var isFinished = false
  /// Nothing more is sent.
  var isConcluded = false
  private var isWaitingForTurn = false
  private let isDraining: Bool
  var isSending = false

  /// What connections share, besides their event loop.
  struct Parts: Sendable {
    let dispatcher: Dispatcher
    let work: WorkQueue
    let offloadThreads: OffloadThreads
    /// On an event loop: it may not block.
    let report: @Sendable (ServerEvent) -> Void
  }

  /// Why a connection is refused.
  struct Refusal {
    let error: RPCError
    /// Whether the caller gets a moment to show its framing, and to read the error.
    let lingers: Bool
  }

  /// - Parameters:
  ///   - groups: The caller's supplementary groups.
  ///   - scheduler: That of the connection's event loop.
  ///   - isDraining: The server stops already.
  init(
    _ parts: Parts, caller: Caller, groups: [UInt32], rules: ServerRules, usage: PeerUsage, scheduler: LoopScheduler,
    refusal: Refusal?, isDraining: Bool
  ) {
    self.isDraining = isDraining
    limits = rules.limits
    var caller = caller
    caller.access = rules.access.access(of: caller, groups)
    self.caller = caller
    self.groups = groups
    self.parts = parts
    self.scheduler = scheduler
    self.refusal = refusal
    report = parts.report
    session = Session(caller: caller, usage: usage, heldBytesLimit: limits.heldBytesPerUID)
    conversation = Conversation(parts.dispatcher, session: session, usage: usage, limits: limits)
    outgoing = OutgoingQueue(limits, usage)
    deadlines = RequestDeadlines(.seconds(Int64(limits.requestSeconds)))
  }

  // MARK: The connection comes and goes

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      descriptor = $0
    }
    let here = NIOLoopBound(self, eventLoop: context.eventLoop)
    session.whenWaiting {
      // the conversation releases this when the connection closes
      here.eventLoop.execute { if let context = here.value.context { here.value.proceed(context) } }
    }
    if let refusal {
      // the error has the framing of the caller's first bytes; of a caller that sends nothing, that of lines
      if refusal.lingers {
        schedule(.milliseconds(250), context) { handler, context in handler.refuse(context) }
      } else {
        refuse(context)
      }
    } else if limits.idleSeconds > 0 {
      watchIdleness(context)
    }
    if isDraining { drain() }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      isInputClosed = true
      refuse(context)
      if isConcluded { context.close(promise: nil) } else { proceed(context) }
    case DrainEvent.drain: drain()
    case DrainEvent.shutDown:
      conversation.shutDown()
      proceed(context)
    case let rules as ServerRules: adopt(rules, context)
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func drain() {
    conversation.drain()
    // What the peer has sent can still be read, and then its end; what it sends from now on fails on its side.
    if let descriptor { Descriptor(borrowing: descriptor).shutdown(.reading) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    descriptor = nil
    self.context = nil
    // the deadlines stay: what had begun to commit is not to wait for ever for an upstream
    conversation.abandon()
    untaken.removeAll()
    output.removeAll()
    outgoing.end()
    context.fireChannelInactive()
  }

  // MARK: Bytes in

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    buffer.withUnsafeReadableBytes { readable in
      if refusal != nil {
        if conversation.detectFraming(readable) { refuse(context) }
      } else {
        let taken = takeAtOnce(readable, context)
        untaken.append(UnsafeRawBufferPointer(rebasing: readable[taken...]))
      }
      // The bytes are wiped where they were read. NIO's own mutable view would copy them first, for NIO holds the
      // buffer too, and what was read would stay; these bytes are not read after this call.
      wipe(UnsafeMutableRawBufferPointer(mutating: readable))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    proceed(context)
  }

  /// The event loop asks to read on; while there is too much to do, the request is put off.
  func read(context: ChannelHandlerContext) {
    if mayRead { context.read() } else { isReadWanted = true }
  }

  private var mayRead: Bool {
    isConcluded || conversation.isEnding
      || untaken.isEmpty && conversation.mayTakeMore && hasRoomForReplies
  }

  private var hasRoomForReplies: Bool { output.count + conversation.waitingBytes < outgoing.room }

  /// Whether there is work that only waits for a turn.
  private var canGoOn: Bool {
    if conversation.hasUnfinishedBatch {
      return conversation.batchHasRoom(besides: output.count, within: outgoing.room)
    }
    return !untaken.isEmpty && (conversation.isEnding || conversation.mayTakeMore && hasRoomForReplies)
  }

  /// Answers what was read where it was read, as long as the user has time left in this round.
  ///
  /// - Returns: How many bytes were taken.
  private func takeAtOnce(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) -> Int {
    guard untaken.isEmpty, !conversation.hasUnfinishedBatch else { return 0 }
    let slice = scheduler.left(to: caller.uid)
    guard slice > .zero else { return 0 }
    let begun = ContinuousClock.now
    let taken = take(bytes, until: begun + slice, context)
    scheduler.spend(ContinuousClock.now - begun, by: caller.uid)
    return taken
  }

  /// Does work that waited for a turn.
  func takeTurn(until end: ContinuousClock.Instant) {
    isWaitingForTurn = false
    guard let context, context.channel.isActive else { return }
    while canGoOn {
      untaken.removeFirst(take(untaken.bytes, until: end, context))
      send(context)
      guard ContinuousClock.now < end else { break }
    }
    proceed(context)
  }

  private func take(
    _ bytes: UnsafeRawBufferPointer, until end: ContinuousClock.Instant, _ context: ChannelHandlerContext
  ) -> Int {
    var allowance = Conversation.Allowance(
      until: end, outputBytes: outgoing.room, responseBytes: outgoing.roomForResponse)
    let taken = conversation.receive(bytes, into: &output, within: &allowance) { begin($0, context) }
    if limits.idleSeconds > 0, allowance.taken > 0 { lastRequest = .now() }
    if let call = conversation.takeOffloadedCall() { offload(call, context) }
    return taken
  }

  /// Sends what is ready, queues for a turn if work is left, and reads on or closes.
  func proceed(_ context: ChannelHandlerContext) {
    send(context)
    // as much as a reader takes: what a slow one leaves waits where it is counted
    if output.count < outgoing.room, conversation.hasNotifications(within: outgoing.room - output.count) {
      conversation.writeNotifications(into: &output)
      send(context)
    }
    if canGoOn, !isWaitingForTurn {
      isWaitingForTurn = true
      scheduler.wait(self)
    }
    if isInputClosed, untaken.isEmpty, !isFinished, conversation.mayTakeMore {
      isFinished = true
      conversation.finish(into: &output) { begin($0, context) }
      send(context)
    }
    if isFinished || conversation.isEnding, conversation.inFlight == 0, output.count == 0, outgoing.isEmpty {
      conclude(context)
    } else if isReadWanted, mayRead {
      isReadWanted = false
      context.read()
    }
  }
}
