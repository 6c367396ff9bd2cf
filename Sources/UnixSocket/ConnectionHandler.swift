internal import Glibc
internal import JSONRPC
internal import NIOCore

/// One connection: raw reads in, one write per read out. What needs no waiting is answered here, on the event loop.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Requests that one connection may have answered before the others of its event loop have their turn.
  private static let requestsPerTurn = 128

  let limits: Limits
  let caller: Caller
  private let session: Session
  private let work: WorkQueue
  let refusal: Refusal?
  let report: @Sendable (ServerEvent) -> Void

  var conversation: Conversation
  var output = JSONWriter()
  var outgoing: OutgoingQueue
  var deadlines: RequestDeadlines
  /// Bytes that were read but not taken, because of a limit.
  var untaken = HeldBytes()
  var lastRequest = NIODeadline.now()
  /// While the channel is open.
  var descriptor: NIOBSDSocket.Handle?
  /// The same. Timers find it here: one that held it would keep a connection that has gone for as long as it runs.
  var context: ChannelHandlerContext?
  private var isReadWanted = false
  private(set) var isInputClosed = false
  /// The end of the input has been looked at.
  private var isFinished = false
  /// Nothing more is sent.
  var isConcluded = false
  private var isTurnOver = false
  private var isNextTurnScheduled = false
  var isSending = false

  /// Why there is no room for a connection.
  struct Refusal {
    let error: RPCError
    /// Whether it may take a moment to say how it frames its texts, and to read the error.
    let lingers: Bool
  }

  init(
    _ dispatcher: Dispatcher, limits: Limits, caller: Caller, account: PeerAccount, work: WorkQueue,
    refusal: Refusal?, report: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.limits = limits
    self.caller = caller
    self.work = work
    self.refusal = refusal
    self.report = report
    session = Session(caller: caller, account: account, heldBytesLimit: limits.heldBytesPerUID)
    conversation = Conversation(dispatcher, session: session, account: account)
    outgoing = OutgoingQueue(limits, account)
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
      // the conversation lets go of this when the connection has gone
      here.eventLoop.execute { if let context = here.value.context { here.value.proceed(context) } }
    }
    if let refusal {
      // told in the framing of what the caller says first; a caller that says nothing is told in lines
      if refusal.lingers {
        schedule(.milliseconds(250), context) { handler, context in handler.refuse(context) }
      } else {
        refuse(context)
      }
    } else if limits.idleSeconds > 0 {
      watchIdleness(context)
    }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      isInputClosed = true
      refuse(context)
      if isConcluded { context.close(promise: nil) } else { proceed(context) }
    case DrainEvent.drain:
      conversation.drain()
      // What the peer has sent can still be read, and then its end; what it sends from now on fails on its side.
      if let descriptor { shutdown(descriptor, Int32(SHUT_RD)) }
    case DrainEvent.hurry:
      conversation.hurry()
      proceed(context)
    default:
      context.fireUserInboundEventTriggered(event)
    }
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
        if conversation.listen(readable) { refuse(context) }
      } else if untaken.isEmpty {
        let taken = take(readable, context)
        untaken.append(UnsafeRawBufferPointer(rebasing: readable[taken...]))
      } else {
        untaken.append(readable)
      }
      // The bytes are wiped where they were read. NIO's own mutable view would copy them first, for NIO holds the
      // buffer too, and what was read would stay; nobody reads these bytes after this call.
      wipe(UnsafeMutableRawBufferPointer(mutating: readable))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    proceed(context)
  }

  /// The event loop asks to read on; while there is too much to do, it is put off.
  func read(context: ChannelHandlerContext) {
    if mayRead { context.read() } else { isReadWanted = true }
  }

  private var canTakeUntaken: Bool {
    !untaken.isEmpty && !isTurnOver
      && (conversation.isEnding || conversation.mayTakeMore && hasRoomForReplies)
  }

  private var mayRead: Bool {
    isConcluded || conversation.isEnding
      || untaken.isEmpty && conversation.mayTakeMore && hasRoomForReplies
  }

  private var hasRoomForReplies: Bool { output.count + conversation.waitingBytes < outgoing.room }

  private func take(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) -> Int {
    var allowance = Conversation.Allowance(
      requests: Self.requestsPerTurn, outputBytes: outgoing.room, responseBytes: outgoing.roomForResponse)
    let taken = conversation.receive(bytes, into: &output, within: &allowance) { begin($0, context) }
    if limits.idleSeconds > 0, allowance.requests < Self.requestsPerTurn { lastRequest = .now() }
    isTurnOver = allowance.requests <= 0 && taken < bytes.count
    return taken
  }

  // MARK: What needs time

  private func begin(_ pending: PendingReply, _ context: ChannelHandlerContext) {
    let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    if deadlines.add(pending.number, at: .now()) { watchDeadlines(on: context.eventLoop) }
    let width = limits.inFlightPerConnection
    work.submit {
      let response = await pending.finish(width: width)
      here.eventLoop.execute {
        here.value.handler.finish(pending, response, here.value.context)
      }
    }
  }

  private func finish(_ pending: PendingReply, _ response: [UInt8]?, _ context: ChannelHandlerContext) {
    conversation.complete(pending, response, into: &output)
    deadlines.forget(besides: conversation.inFlight) { conversation.isInFlight($0) }
    if context.channel.isActive { proceed(context) } else { output.removeAll() }
  }

  /// Goes on with what was put off, sends what is ready, reads on or closes.
  func proceed(_ context: ChannelHandlerContext) {
    send(context)
    // as much as a reader takes: what a slow one leaves waits where it is counted
    if conversation.hasNotifications, output.count < outgoing.room {
      conversation.sendNotifications(into: &output)
      send(context)
    }
    while canTakeUntaken {
      untaken.removeFirst(take(untaken.bytes, context))
      send(context)
    }
    if isTurnOver, !isNextTurnScheduled {
      isNextTurnScheduled = true
      schedule(.zero, context) { handler, context in
        (handler.isNextTurnScheduled, handler.isTurnOver) = (false, false)
        handler.proceed(context)
      }
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
