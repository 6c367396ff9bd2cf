internal import Glibc
internal import JSONRPC
internal import NIOCore

/// Bytes out, and the end of a connection.
extension ConnectionHandler {
  /// How long a connection that was told why it ends may take to read that.
  private static let lingering = TimeAmount.seconds(1)

  func send(_ context: ChannelHandlerContext) {
    if output.count > 0, outgoing.isEmpty, !isConcluded, context.channel.isActive {
      let sent = sendDirectly()
      if sent < output.count { handOver(UnsafeRawBufferPointer(rebasing: output.written[sent...]), context) }
      output.removeAll()
    }
    outgoing.update(waiting: output.count + conversation.waitingBytes)
  }

  /// Has the channel send what the kernel did not take, and goes on when that has gone.
  private func handOver(_ rest: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) {
    var buffer = context.channel.allocator.buffer(capacity: rest.count)
    buffer.writeBytes(rest)
    outgoing.handOver(rest.count)
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { [self] in
      outgoing.hasGone()
      // a write that goes at once calls back before `send` is through, which then goes on itself
      if !isSending { proceed(context) }
    }
    isSending = true
    context.writeAndFlush(wrapOutboundOut(buffer), promise: written)
    isSending = false
    if !outgoing.isEmpty { watchProgress(context) }
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
