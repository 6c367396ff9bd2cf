internal import JSONRPC
internal import NIOCore

/// What leaves the event loop and comes back to it: requests that take time, and those that other threads read.
extension ConnectionHandler {
  func begin(_ pending: PendingReply, _ context: ChannelHandlerContext) {
    let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    if deadlines.add(pending.number, at: .now()) { watchDeadlines(on: context.eventLoop) }
    let (width, work, user) = (limits.inFlightPerConnection, parts.work, caller.uid)
    work.submit(
      {
        let response = await pending.finish(width: width) { await work.turn(of: user) }
        here.eventLoop.execute {
          here.value.handler.finish(pending, response, here.value.context)
        }
      }, of: user)
  }

  func offload(_ call: OffloadedCall, _ context: ChannelHandlerContext) {
    let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    parts.offloadThreads.answer(call, of: caller.uid) { answer in
      here.eventLoop.execute { here.value.handler.resume(call, answer, here.value.context) }
    }
  }

  private func resume(_ call: OffloadedCall, _ answer: OffloadedCall.Answer, _ context: ChannelHandlerContext) {
    conversation.resume(call, with: answer, into: &output) { begin($0, context) }
    if context.channel.isActive { proceed(context) } else { output.removeAll() }
  }

  private func finish(_ pending: PendingReply, _ response: [UInt8]?, _ context: ChannelHandlerContext) {
    conversation.complete(pending, response, into: &output)
    deadlines.forget(besides: conversation.inFlight) { conversation.isInFlight($0) }
    if context.channel.isActive { proceed(context) } else { output.removeAll() }
  }
}
