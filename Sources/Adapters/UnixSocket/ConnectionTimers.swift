internal import JSONRPC
internal import Linux
internal import NIOCore

extension ConnectionHandler {
  /// Closes the connection when its peer has taken nothing of what waits for it for too long.
  func watchProgress(_ context: ChannelHandlerContext) {
    guard outgoing.beginWatch(at: .now()) else { return }
    scheduleProgress(context)
  }

  private func scheduleProgress(_ context: ChannelHandlerContext) {
    let interval = max(TimeAmount.milliseconds(50), .milliseconds(Int64(limits.stalledSeconds) * 1000 / 8))
    schedule(interval, context) { handler, context in handler.checkProgress(context) }
  }

  private func checkProgress(_ context: ChannelHandlerContext) {
    // of what the kernel has, it says only which of its own buffers are through; a smaller step is not seen
    let inChannel = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let inKernel = descriptor.map { Descriptor(borrowing: $0).unsentBytes } ?? 0
    switch outgoing.progress(left: inChannel + inKernel, at: .now()) {
    case .done: break
    case .stalled:
      report(.stalled(caller, bytes: outgoing.total))
      context.close(promise: nil)
    case .going: scheduleProgress(context)
    }
  }

  func watchDeadlines(on loop: any EventLoop) {
    guard let next = deadlines.next else { return }
    deadlineTimer += 1
    let timer = deadlineTimer
    // also after the connection has closed, as long as a request of it is under way
    loop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in
      guard let self, timer == deadlineTimer else { return }
      for (number, allowed) in deadlines.expired(at: .now()) {
        conversation.expire(number, afterSeconds: Int(allowed.nanoseconds / 1_000_000_000))
      }
      watchDeadlines(on: loop)
    }
  }

  func watchIdleness(_ context: ChannelHandlerContext) {
    let allowed = TimeAmount.seconds(Int64(limits.idleSeconds))
    if conversation.inFlight > 0 || !untaken.isEmpty || !outgoing.isEmpty { lastRequest = .now() }
    let left = lastRequest + allowed - .now()
    guard left > .zero else {
      conversation.end(with: .idleTimeout(limit: limits.idleSeconds), into: &output)
      return proceed(context)
    }
    let timer = idleTimer
    schedule(left, context) { handler, context in
      if timer == handler.idleTimer { handler.watchIdleness(context) }
    }
  }

  /// Calls `body` later, unless the connection has closed by then; does not keep the connection alive.
  func schedule(
    _ time: TimeAmount, _ context: ChannelHandlerContext,
    _ body: @escaping (ConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      if let self, let context = self.context { body(self, context) }
    }
  }
}
