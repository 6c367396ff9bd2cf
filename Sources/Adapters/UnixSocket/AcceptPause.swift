internal import NIOCore

/// Stops accepting for a second when accept(2) fails, mostly for lack of descriptors.
///
/// NIO's own AcceptBackoffHandler delays calls of `read`. After a failed accept(2) none is needed: the socket stays readable
/// and registered, and the event loop spins. Switching `autoRead` off takes it out of the selector.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private let report: @Sendable (ServerEvent) -> Void
  private var isPaused = false

  init(_ report: @escaping @Sendable (ServerEvent) -> Void) { self.report = report }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let failure = error as? IOError else { return context.fireErrorCaught(error) }
    guard !isPaused else { return }
    isPaused = true
    report(.acceptFailed(errorNumber: failure.errnoCode))
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [self] in
      isPaused = false
      try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }
}
