internal import JSONRPC
internal import Linux
internal import NIOCore

/// Bytes out, and the end of a connection.
extension ConnectionHandler {
  /// How long a peer may take to read why its connection ends.
  private static let lingering = TimeAmount.seconds(1)

  func send(_ context: ChannelHandlerContext) {
    if output.count > 0, outgoing.isEmpty, !isConcluded, context.channel.isActive {
      let sent = sendDirectly()
      if sent < output.count { handOver(UnsafeRawBufferPointer(rebasing: output.written[sent...]), context) }
      output.removeAll()
    }
    outgoing.update(waiting: output.count + conversation.waitingBytes)
  }

  /// Has the channel send what the kernel did not take, and continues when that is sent.
  private func handOver(_ rest: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) {
    var buffer = context.channel.allocator.buffer(capacity: rest.count)
    buffer.writeBytes(rest)
    outgoing.handOver(rest.count)
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { [self] in
      outgoing.hasGone()
      // a write that is done at once calls back before `send` returns, whose caller continues itself
      if !isSending { proceed(context) }
    }
    isSending = true
    context.writeAndFlush(wrapOutboundOut(buffer), promise: written)
    isSending = false
    if !outgoing.isEmpty { watchProgress(context) }
  }

  /// Gives the kernel what it takes at once; the channel writes only the rest. Its buffers, promises and events cost several
  /// times what the call does (see `make bench`), and mostly there is no rest. It has no unfinished write at this point, so
  /// that the order is kept; it also meets the socket's errors with the rest.
  ///
  /// - Returns: How many bytes were taken.
  private func sendDirectly() -> Int {
    guard let descriptor else { return 0 }
    return (try? Descriptor(borrowing: descriptor).send(output.written)) ?? 0
  }

  /// Closes the connection after everything has been sent. A peer that may still be writing gets a second to read the last
  /// reply: closing at once would discard it.
  func conclude(_ context: ChannelHandlerContext) {
    guard !isConcluded else { return }
    isConcluded = true
    guard !isInputClosed else { return context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
    schedule(Self.lingering, context) { _, context in context.close(promise: nil) }
    context.read()
  }

  func refuse(_ context: ChannelHandlerContext) {
    guard let refusal, !conversation.isEnding else { return }
    conversation.end(with: refusal.error, into: &output)
    proceed(context)
    if !refusal.lingers { context.close(promise: nil) }
  }
}
