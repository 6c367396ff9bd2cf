internal import Glibc
internal import JSONRPC
internal import NIOCore

/// One connection: raw reads in, one write per read out. What needs no waiting is answered here, on the event loop.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let dispatcher: Dispatcher
  private let inFlightLimit: Int
  private let work: WorkQueue
  private let refusal: RPCError?

  private var caller = Caller(uid: .max, gid: .max, pid: 0)
  private var framing: MessageFraming
  private var tape = JSONTape()
  private var writer = JSONWriter()
  /// Bytes that were read but not taken, because of the in-flight limit.
  private var untaken: [UInt8] = []
  private var inFlight = 0
  private var isReadWanted = false
  private var isInputClosed = false
  private var isDraining = false

  init(dispatcher: Dispatcher, limits: Limits, work: WorkQueue, refusal: RPCError?) {
    self.dispatcher = dispatcher
    self.work = work
    self.refusal = refusal
    inFlightLimit = limits.inFlightPerConnection
    framing = MessageFraming(maximumBytes: limits.messageBytes, maximumDepth: limits.depth)
  }

  // MARK: The connection comes and goes

  func channelActive(context: ChannelHandlerContext) {
    withDescriptor(context) { descriptor in
      if let peer = PeerCredentials.caller(of: descriptor) { caller = peer }
    }
    if let refusal {
      dispatcher.refuse(with: refusal, into: &writer)
      endLine()
      send(context)
      // Closing at once would take the reason away from a caller that is still writing; its end is waited for a moment.
      context.close(mode: .output, promise: nil)
      let here = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.eventLoop.scheduleTask(in: .seconds(1)) { here.value.close(promise: nil) }
    }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      isInputClosed = true
      proceed(context)
    case is DrainEvent:
      isDraining = true
      // What the peer has sent can still be read, and then its end; what it sends from now on fails on its side.
      withDescriptor(context) { _ = shutdown($0, Int32(SHUT_RD)) }
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    wipeUntaken()
    framing.abandon()
    context.fireChannelInactive()
  }

  // MARK: Bytes in

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    buffer.withUnsafeReadableBytes { readable in
      // The bytes are wiped where they were read. NIO's own mutable view would copy them first, for NIO holds the
      // buffer too, and what was read would stay; nobody reads these bytes after this call.
      let bytes = UnsafeMutableRawBufferPointer(mutating: readable)
      if refusal != nil {
        // nothing of this connection is read
      } else if untaken.isEmpty {
        let taken = take(UnsafeRawBufferPointer(bytes), context)
        append(bytes[taken...], wiping: &untaken)
      } else {
        append(bytes, wiping: &untaken)
      }
      wipe(bytes)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    send(context)
    context.fireChannelReadComplete()
  }

  /// The event loop asks to read on; while there is too much to do, it is put off.
  func read(context: ChannelHandlerContext) {
    if mayRead(context) { context.read() } else { isReadWanted = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    proceed(context)
    context.fireChannelWritabilityChanged()
  }

  private func mayRead(_ context: ChannelHandlerContext) -> Bool {
    inFlight < inFlightLimit && untaken.isEmpty && context.channel.isWritable
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) -> Int {
    framing.receive(bytes, while: { inFlight < inFlightLimit }, { answer($0, context) })
  }

  // MARK: Texts to replies

  private func answer(_ output: MessageFraming.Output, _ context: ChannelHandlerContext) {
    switch output {
    case .refused(let refusal):
      dispatcher.refuse(refusal, into: &writer)
      endLine()
    case .text(let text):
      let outcome = dispatcher.dispatch(
        text, from: caller, refusal: isDraining ? .draining : nil, tape: &tape, into: &writer)
      switch outcome {
      case .silent: break
      case .written: endLine()
      case .later(let pending): begin(pending, context)
      }
    }
  }

  private func begin(_ pending: PendingReply, _ context: ChannelHandlerContext) {
    inFlight += pending.requestCount
    let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    work.submit {
      let reply = await pending.finish()
      here.eventLoop.execute {
        here.value.handler.finish(pending, reply, here.value.context)
      }
    }
  }

  private func finish(_ pending: PendingReply, _ reply: [UInt8]?, _ context: ChannelHandlerContext) {
    inFlight -= pending.requestCount
    guard context.channel.isActive else { return }
    if let reply {
      writer.bytes.append(contentsOf: reply)
      endLine()
    }
    proceed(context)
  }

  /// Goes on with what was put off, sends what is ready, reads on or closes.
  private func proceed(_ context: ChannelHandlerContext) {
    if !untaken.isEmpty, inFlight < inFlightLimit {
      var bytes = untaken
      untaken = []
      let taken = bytes.withUnsafeBytes { take($0, context) }
      append(bytes[taken...], wiping: &untaken)
      bytes.withUnsafeMutableBytes { wipe($0) }
    }
    if isInputClosed, untaken.isEmpty, inFlight == 0 {
      framing.finish { output in
        if isDraining {
          // the end of what was sent is ours, and not the caller's mistake
          dispatcher.refuse(with: .draining, into: &writer)
          endLine()
        } else {
          answer(output, context)
        }
      }
      send(context)
      if inFlight == 0 { closeWhenSent(context) }
      return
    }
    send(context)
    if isReadWanted, mayRead(context) {
      isReadWanted = false
      context.read()
    }
  }

  // MARK: Bytes out

  private func endLine() {
    writer.bytes.append(UInt8(ascii: "\n"))
    writer.beginText()
  }

  private func send(_ context: ChannelHandlerContext) {
    guard !writer.bytes.isEmpty else { return }
    // Taken out before they are written: a write that fills or empties the channel's buffer calls back at once, and
    // what it finds here it would send again.
    let ready = context.channel.allocator.buffer(bytes: writer.bytes)
    writer.bytes.removeAll(keepingCapacity: writer.bytes.capacity <= 65_536)
    context.writeAndFlush(wrapOutboundOut(ready), promise: nil)
  }

  /// Writes keep their order: when an empty one has gone, all have.
  private func closeWhenSent(_ context: ChannelHandlerContext) {
    let here = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
      here.value.close(promise: nil)
    }
  }

  private func wipeUntaken() {
    untaken.withUnsafeMutableBytes { wipe($0) }
    untaken = []
  }

  private func withDescriptor(_ context: ChannelHandlerContext, _ body: (NIOBSDSocket.Handle) -> Void) {
    try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { body($0) }
  }
}
