internal import Glibc
internal import JSONRPC
internal import NIOCore

/// One connection: raw reads in, one write per read out. What needs no waiting is answered here, on the event loop.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Requests that one connection may have answered before the others of its event loop have their turn.
  private static let requestsPerTurn = 512
  /// How long a connection that was told why it ends may take to read that.
  private static let lingering = TimeAmount.seconds(1)

  private let limits: Limits
  private let caller: Caller
  private let work: WorkQueue
  private let refusal: RPCError?
  private let report: @Sendable (ServerEvent) -> Void

  private var conversation: Conversation
  private var output = JSONWriter()
  private var outgoing: OutgoingQueue
  /// Bytes that were read but not taken, because of a limit.
  private var untaken = HeldBytes()
  private var deadlines: [Int: Scheduled<Void>] = [:]
  private var watch: Scheduled<Void>?
  private var lastRead = NIODeadline.now()
  /// While the channel is open.
  private var descriptor: NIOBSDSocket.Handle?
  private var isReadWanted = false
  private var isInputClosed = false
  private var isFinished = false
  private var isConcluded = false
  private var isTurnOver = false
  private var isNextTurnScheduled = false
  private var isSending = false

  /// - Parameter refusal: The error to send and close with, where there is no room for the connection.
  init(
    _ dispatcher: Dispatcher, limits: Limits, caller: Caller, account: PeerAccount, work: WorkQueue,
    refusal: RPCError?, report: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.limits = limits
    self.caller = caller
    self.work = work
    self.refusal = refusal
    self.report = report
    conversation = Conversation(dispatcher, caller: caller, account: account)
    outgoing = OutgoingQueue(limits, account)
  }

  // MARK: The connection comes and goes

  func channelActive(context: ChannelHandlerContext) {
    withDescriptor(context) { descriptor = $0 }
    if refusal != nil {
      // told in the framing of what the caller says first; a caller that says nothing is told in lines
      schedule(.milliseconds(250), context) { handler, context in handler.refuse(context) }
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
    case is DrainEvent:
      conversation.refuseRequests(with: .draining)
      // What the peer has sent can still be read, and then its end; what it sends from now on fails on its side.
      withDescriptor(context) { _ = shutdown($0, Int32(SHUT_RD)) }
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    descriptor = nil
    conversation.abandon()
    untaken.removeAll()
    outgoing.end()
    watch?.cancel()
    for deadline in deadlines.values { deadline.cancel() }
    deadlines = [:]
    context.fireChannelInactive()
  }

  // MARK: Bytes in

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    buffer.withUnsafeReadableBytes { readable in
      if refusal != nil {
        conversation.listen(readable)
        refuse(context)
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
    if limits.idleSeconds > 0 { lastRead = .now() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    proceed(context)
  }

  /// The event loop asks to read on; while there is too much to do, it is put off.
  func read(context: ChannelHandlerContext) {
    if mayRead { context.read() } else { isReadWanted = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    // while sending, what became of the write is looked at when the call is back
    if !isSending, context.channel.isWritable, outgoing.hasGone() { proceed(context) }
  }

  private var canTakeUntaken: Bool {
    !untaken.isEmpty && !isTurnOver
      && (conversation.isEnding || conversation.mayTakeMore && outgoing.hasRoom(besides: output.count))
  }

  private var mayRead: Bool {
    isConcluded || conversation.isEnding
      || untaken.isEmpty && conversation.mayTakeMore && outgoing.hasRoom(besides: output.count)
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) -> Int {
    var allowance = Conversation.Allowance(requests: Self.requestsPerTurn, outputBytes: outgoing.room)
    let taken = conversation.receive(bytes, into: &output, within: &allowance) { begin($0, context) }
    isTurnOver = allowance.requests <= 0 && taken < bytes.count
    return taken
  }

  // MARK: What needs time

  private func begin(_ pending: PendingReply, _ context: ChannelHandlerContext) {
    let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    let seconds = limits.requestSeconds
    deadlines[pending.number] = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
      pending.cancel(.deadline(seconds: seconds))
    }
    let width = limits.inFlightPerConnection
    work.submit {
      let response = await pending.finish(width: width)
      here.eventLoop.execute {
        here.value.handler.finish(pending, response, here.value.context)
      }
    }
  }

  private func finish(_ pending: PendingReply, _ response: [UInt8]?, _ context: ChannelHandlerContext) {
    deadlines.removeValue(forKey: pending.number)?.cancel()
    conversation.complete(pending, response, into: &output)
    if context.channel.isActive { proceed(context) } else { output.removeAll() }
  }

  /// Goes on with what was put off, sends what is ready, reads on or closes.
  private func proceed(_ context: ChannelHandlerContext) {
    send(context)
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

  // MARK: Bytes out

  private func send(_ context: ChannelHandlerContext) {
    if output.count > 0, outgoing.isEmpty, !isConcluded, context.channel.isActive {
      let sent = sendDirectly()
      if sent < output.count {
        var rest = context.channel.allocator.buffer(capacity: output.count - sent)
        rest.writeBytes(UnsafeRawBufferPointer(rebasing: output.written[sent...]))
        // Noted before it is written: a write that fills or empties the channel's buffer calls back at once.
        outgoing.handOver(rest.readableBytes)
        isSending = true
        context.writeAndFlush(wrapOutboundOut(rest), promise: nil)
        isSending = false
        if context.channel.isWritable { _ = outgoing.hasGone() } else { watchProgress(context) }
      }
      output.removeAll()
    }
    outgoing.note(waiting: output.count)
  }

  /// Gives the kernel what it takes at once. The channel is asked to write the rest only: its buffers, promises and
  /// events cost several times what the call does (see `make bench`), and mostly there is no rest. It holds no write of
  /// ours then, so the order is kept; and what is wrong with the socket it finds out with the rest.
  ///
  /// - Returns: How many bytes were taken.
  private func sendDirectly() -> Int {
    guard let descriptor else { return 0 }
    return max(0, Glibc.send(descriptor, output.written.baseAddress, output.count, Int32(MSG_NOSIGNAL)))
  }

  /// Everything has been sent. A peer that may still be writing is given a moment to read why it ends: closing at once
  /// would take that away from it.
  private func conclude(_ context: ChannelHandlerContext) {
    guard !isConcluded else { return }
    isConcluded = true
    guard !isInputClosed else { return context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
    schedule(Self.lingering, context) { _, context in context.close(promise: nil) }
    context.read()
  }

  private func refuse(_ context: ChannelHandlerContext) {
    guard let refusal, !conversation.isEnding else { return }
    conversation.end(with: refusal, into: &output)
    proceed(context)
  }

  // MARK: Time

  /// Closes the connection when nothing of what waits for it has been taken for too long.
  private func watchProgress(_ context: ChannelHandlerContext) {
    guard outgoing.beginWatch(at: .now()) else { return }
    let interval = max(TimeAmount.milliseconds(50), .milliseconds(Int64(limits.stalledSeconds) * 1000 / 8))
    schedule(interval, context) { handler, context in handler.checkProgress(context, interval) }
  }

  private func checkProgress(_ context: ChannelHandlerContext, _ interval: TimeAmount) {
    let left = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
    switch outgoing.progress(left: left ?? 0, at: .now()) {
    case .done: break
    case .stalled:
      report(.stalled(caller, bytes: outgoing.total))
      context.close(promise: nil)
    case .going:
      schedule(interval, context) { handler, context in handler.checkProgress(context, interval) }
    }
  }

  private func watchIdleness(_ context: ChannelHandlerContext) {
    let end = lastRead + .seconds(Int64(limits.idleSeconds))
    watch = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [self] in
      if conversation.inFlight > 0 || !untaken.isEmpty || !outgoing.isEmpty {
        lastRead = .now()
      } else if lastRead + .seconds(Int64(limits.idleSeconds)) <= .now() {
        conversation.end(with: .idleTimeout(limit: limits.idleSeconds), into: &output)
        return proceed(context)
      }
      watchIdleness(context)
    }
  }

  /// Does something later, unless the connection has gone by then.
  private func schedule(
    _ time: TimeAmount, _ context: ChannelHandlerContext,
    _ body: @escaping (ConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
      if context.channel.isActive { body(self, context) }
    }
  }

  private func withDescriptor(_ context: ChannelHandlerContext, _ body: (NIOBSDSocket.Handle) -> Void) {
    try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { body($0) }
  }
}
